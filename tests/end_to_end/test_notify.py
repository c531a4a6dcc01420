"""How people are told that it is their turn: as loud as they choose, over restarts, and removed when done."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.store.errors import NotSaved
from bot.store.queries.people import NoticeLevel
from bot.ui.catalogue import translations
from discord_sandbox import DrivenChannel, MessageView, Person, Sandbox
from tests.end_to_end.cardroom import Cardroom, cardroom, eventually
from tests.end_to_end.players import challenge, chooser, hand_of

say = translations("en")
NAMES = ("Alice", "Bob")


async def choose(people: list[Person], channel: DrivenChannel, level: NoticeLevel) -> None:
    for person in people:
        told = await person.slash(channel, "notify", level=level.value)
        assert (told.visibility, say(f"notify.level.{level}") in told.text) == ("ephemeral", True)


async def awaited(room: Cardroom, people: list[Person]) -> Person:
    """The one whom the only match waits for."""
    (match,) = room.app.matches.live()
    (seat,) = match.awaited
    return next(person for person in people if person.id == match.seats[seat])


async def start(sandbox: Sandbox, room: Cardroom, level: NoticeLevel) -> tuple[MessageView, Person, DrivenChannel]:
    """Two people of that wish begin a match and stay away."""
    people = [sandbox.user(name) for name in NAMES]
    lobby = sandbox.channel("lobby")
    await choose(people, lobby, level)
    board = await challenge(people[0], people[1], lobby)
    await sandbox.wait_for(lambda: not room.app.updates.notices.idle)
    room.pass_time(room.client.settings.notice_after_seconds)
    return board, await awaited(room, people), lobby


async def test_a_level_is_chosen_server_by_server_from_a_list(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The present level is shown and kept server by server.
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    elsewhere = sandbox.channel("general", server="Second Server")
    assert say("notify.level.ping") in (await alice.slash(lobby, "notify")).text
    await choose([alice], lobby, NoticeLevel.QUIET)
    shown = await alice.slash(lobby, "notify")
    assert (shown.visibility, say("notify.level.quiet") in shown.text) == ("ephemeral", True)
    assert say("notify.level.ping") in (await alice.slash(elsewhere, "notify")).text

    # A level is chosen from a list, which shows it.
    server = lobby.server_id or 0
    screen = (await alice.slash(lobby, "notify")).message
    for level in (*NoticeLevel, *NoticeLevel):
        reply = await alice.select(screen, custom_id=chooser(screen, "notify").custom_id, values=[level])
        assert (reply.kind, await room.store.notice_level(server, alice.id)) == ("update", level)
        assert say(f"notify.level.{level}") in screen.text
        assert say("settings.saved") in screen.text
        chosen = [option.label for option in chooser(screen, "notify").options if option.default]
        assert chosen == [say(f"notify.button.{level}")]

    # Messages of 0.9.0 have a button for each level.
    await alice.press(screen, custom_id="g1:notify:0:notify:none", force=True)
    assert await room.store.notice_level(server, alice.id) is NoticeLevel.NONE

    # A chosen level that cannot be saved is refused.
    screen = (await alice.slash(lobby, "notify")).message
    before = screen.text

    async def full(*_: object) -> None:
        raise NotSaved("disk full")

    monkeypatch.setattr(room.store, "set_notice_level", full)
    told = await alice.select(screen, custom_id=chooser(screen, "notify").custom_id, values=["dm"])
    assert (told.kind, told.visibility) == ("message", "ephemeral")
    assert told.text == f"{say('store.unsaved')} {say('store.keeps_failing')}"
    assert screen.text == before


async def test_a_direct_message_is_removed_after_a_restart(sandbox: Sandbox, tmp_path: Path) -> None:
    async with cardroom(sandbox, tmp_path) as room:
        board, away, _ = await start(sandbox, room, NoticeLevel.DIRECT)
        await sandbox.wait_for(lambda: len(away.direct_messages.messages) == 1)

        async def noted() -> bool:
            return len(await room.store.notices()) == 1

        await eventually(noted)
    told = away.direct_messages.last
    async with cardroom(sandbox, tmp_path) as room:
        assert not told.deleted
        (server,) = {match.guild_id for match in room.app.matches.live()}
        assert await room.store.notice_level(server, away.id) is NoticeLevel.DIRECT
        await hand_of(away, board)
        await sandbox.wait_for(lambda: told.deleted)
