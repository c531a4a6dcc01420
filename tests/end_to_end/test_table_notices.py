"""*Tell me when a table opens*: chosen under `/notify` and `/play`, and heard in a direct message."""

from __future__ import annotations

import asyncio

import pytest

from bot.games import GAMES
from bot.store.errors import NotSaved
from bot.ui.catalogue import translations
from bot.ui.preferences import LANGUAGE
from cogs.matchmaking import notices
from cogs.matchmaking.notices import TableNotices
from cogs.matchmaking.queries import TableSubscriptions
from cogs.screens import custom_ids
from cogs.updates.quiet_hours import HOUR, QUIET_HOURS, UTC_OFFSET, offset_of
from discord_sandbox import DrivenChannel, MessageView, Person, Sandbox, Select
from tests.end_to_end.cardroom import Cardroom, eventually

say = translations("en")
BUTTON = say("button.tables")


@pytest.fixture(autouse=True)
def news_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table is news as soon as it is open."""
    monkeypatch.setattr(notices, "TABLE_NEWS_AFTER", 0)


async def screen(person: Person, channel: DrivenChannel) -> MessageView:
    """Open it by the button under /notify."""
    notify = await person.slash(channel, "notify")
    return (await person.press(notify.message, label=BUTTON)).message


def on(game: str) -> str:
    return say("notify.chosen", level=GAMES[game].info.title)


def off(game: str) -> str:
    return say("notify.other", level=GAMES[game].info.title)


def listed(shown: MessageView, verb: str) -> Select:
    (found,) = [select for select in shown.selects if custom_ids.read(select.custom_id)[1].verb == verb]
    return found


async def test_it_is_off_until_a_game_is_turned_on(sandbox: Sandbox, room: Cardroom) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    shown = await screen(alice, lobby)
    assert shown.ephemeral
    assert shown.labels == [off(game) for game in GAMES]
    assert say("tables.off") in shown.text
    await alice.press(shown, label=off("ciq"))
    await alice.press(shown, label=off("haymaker"))
    assert say("tables.on", games="Haymaker · CIQ") in shown.text
    assert say("settings.saved") in shown.text
    assert await TableSubscriptions(room.store).games_of(lobby.server_id or 0, alice.id) == ["ciq", "haymaker"]
    await alice.press(shown, label=on("ciq"))
    assert say("tables.on", games="Haymaker") in shown.text
    again = await screen(alice, lobby)
    assert again.labels == [on(game) if game == "haymaker" else off(game) for game in GAMES]
    play = await alice.slash(lobby, "play")
    assert BUTTON in play.message.labels
    assert (await alice.press(play.message, label=BUTTON)).message.labels == again.labels


async def test_quiet_hours_are_chosen_after_the_time(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    tables, shown = await screen(alice, lobby), (await alice.slash(lobby, "notify")).message
    assert listed(shown, "quiet").disabled
    assert say("notify.needs_time") in shown.text
    hour = (room.now() // HOUR + 5) % 24
    await alice.select(shown, custom_id=listed(shown, "owntime").custom_id, values=[str(hour)])
    assert say("notify.no_hours") in shown.text
    assert not listed(shown, "quiet").disabled
    assert listed(shown, "quiet").options[0].label == say("notify.no_hours")
    await alice.select(shown, custom_id=listed(shown, "quiet").custom_id, values=["22-8"])
    assert say("settings.saved") in shown.text
    kept = (await room.store.preferences([alice.id]))[alice.id]
    assert kept == {LANGUAGE: "en_US", UTC_OFFSET: str(offset_of(hour, room.now())), QUIET_HOURS: "22-8"}
    times = [int(part.partition(":")[0]) for part in shown.text.split("<t:")[1:]]
    assert [(moment // 3600 + int(kept[UTC_OFFSET])) % 24 for moment in times] == [22, 8]
    await room.store.set_preference(alice.id, QUIET_HOURS, f"{hour}-{(hour + 2) % 24}")
    await alice.press(tables, label=off("ciq"))
    await bob.slash(lobby, "ciq open")
    await _quiet(room)
    assert not alice.direct_messages.messages
    await alice.select(shown, custom_id=listed(shown, "quiet").custom_id, values=["none"])
    assert say("notify.no_hours") in shown.text
    await bob.slash(lobby, "ciq open")
    await sandbox.wait_for(lambda: alice.direct_messages.messages)


async def test_what_cannot_be_right_or_saved_changes_nothing(sandbox: Sandbox, room: Cardroom) -> None:
    # A press that cannot be right changes nothing.
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    for press in [
        "tableson",
        "tableson:nothing",
        "tablesoff:nothing",
        "owntime:24",
        "owntime:-1",
        "quiet:22-22",
        "quiet:3-4",
        "quiet",
        "digest:24",
        "digest",
    ]:
        shown = await screen(alice, lobby)
        answer = await alice.press(shown, custom_id=f"g1:tables:0:{press}", force=True)
        assert answer.text == say("press.unknown")
        assert await TableSubscriptions(room.store).games_of(lobby.server_id or 0, alice.id) == []
        assert await room.store.preferences([alice.id]) == {alice.id: {LANGUAGE: "en_US"}}

    # What cannot be saved changes nothing.
    shown = await screen(alice, lobby)

    async def failing(*_: object, **__: object) -> None:
        raise NotSaved("the disk is full")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TableSubscriptions, "set_subscription", failing)
        refused = await alice.press(shown, label=off("ciq"))
    assert say("store.unsaved") in refused.text
    assert await TableSubscriptions(room.store).games_of(lobby.server_id or 0, alice.id) == []


async def _quiet(room: Cardroom) -> None:
    """Wait until every table is posted, and nobody more is being notified."""

    async def posted() -> bool:
        return all(table.message_id is not None for table in room.app.invitations.open())

    async def idle() -> bool:
        return room.app.find(TableNotices).idle and room.app.updates.edit_queue.idle

    await eventually(posted)
    await asyncio.sleep(0.05)
    await eventually(idle)
