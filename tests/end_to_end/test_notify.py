"""How people are told that it is their turn: as loud as they choose, with a warning before their time ends."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.store.errors import NotSaved
from bot.store.queries.people import NoticeLevel
from bot.ui import isolation
from bot.ui.catalogue import translations
from cogs.actions.digests import EDIT_AFTER, LOOK_EVERY
from discord_sandbox import DrivenChannel, MessageView, Person, Sandbox
from tests.end_to_end.cardroom import Cardroom, cardroom, eventually
from tests.end_to_end.players import acts, challenge, chooser, hand_of, picks, sit_down
from tests.faults.lost_venues import only_match

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


# --------------------------------------------------------------------- the mention, which opens the hand at once


async def mention(sandbox: Sandbox, lobby: DrivenChannel) -> MessageView:
    """The mention in the channel, once it is there."""
    await sandbox.wait_for(lambda: any("your turn" in message.content for message in lobby.messages))
    return next(message for message in lobby.messages if "your turn" in message.content)


@pytest.mark.parametrize("seconds", [0.0, 2.0])
async def test_a_mention_opens_ones_own_hand_in_private_and_goes_with_who_is_late(
    sandbox: Sandbox, room: Cardroom, seconds: float
) -> None:
    """The mention can be pressed before the bot is told that it is posted, some seconds later."""
    sandbox.faults.on("POST", f"/channels/{sandbox.channel('lobby').id}/messages", answer_delay=seconds)
    board, late, lobby = await start(sandbox, room, NoticeLevel.PING)
    notice = await mention(sandbox, lobby)
    match = await only_match(room)
    (timer,) = match.position.timers
    assert say("notice.clock", when=f"<t:{timer.deadline // 1000}:R>") in notice.content
    assert notice.labels == ["My cards"]
    other = next(sandbox.user(name) for name in ("Alice", "Bob") if name != late.name)
    reply = await other.press(notice, label="My cards")
    assert (reply.visibility, reply.message.reader_id) == ("ephemeral", other.id)
    assert (await sandbox.user("Carol").press(notice, label="My cards")).text == say("match.not_seated")
    await asyncio.sleep(2 * seconds)
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
    assert lobby.messages == [board, notice], "it waits for who is late"
    reply = await late.press(notice, label="My cards")
    assert reply.visibility == "ephemeral"
    assert picks(reply.message) or acts(reply.message)
    await sandbox.wait_for(lambda: notice.deleted)  # they are here now
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
    assert lobby.messages == [board]


async def test_a_mention_of_one_of_several_names_the_others(sandbox: Sandbox, room: Cardroom) -> None:
    people = [sandbox.user(name) for name in ("Alice", "Bob", "Carol")]
    lobby = sandbox.channel("lobby")
    await choose(people, lobby, NoticeLevel.PING)
    await sit_down(people, lobby, "champions")
    match = await only_match(room)
    await sandbox.wait_for(lambda: not room.app.updates.notices.idle)
    room.pass_time(room.client.settings.notice_after_seconds)
    await sandbox.wait_for(lambda: sum("your turn" in each.content for each in lobby.messages) == len(match.awaited))
    for notice in lobby.messages[1:]:
        (seat,) = [seat for seat in match.awaited if f"<@{match.seats[seat]}>" in notice.content]
        others = [people[other].name for other in match.awaited - {seat}]
        assert all(name in notice.content for name in others)


# ----------------------------------------------------------------- the warning before the end of a player's time


NEVER = "3600"
"""Seconds of silence before a mention, so that none comes into a warning's way."""
BEFORE, WITHIN = 89, 2
"""Seconds of a normal clock's 120 that pass before its player is warned, and from there on until they are."""


async def start_slowly(
    sandbox: Sandbox, room: Cardroom, level: NoticeLevel, **options: object
) -> tuple[MessageView, Person, DrivenChannel]:
    """Two people of that wish begin a match; the board, and the one who is asked."""
    people = [sandbox.user(name) for name in NAMES]
    lobby = sandbox.channel("lobby")
    await choose(people, lobby, level)
    board = await challenge(people[0], people[1], lobby, **options)  # type: ignore[arg-type]  # the command's options
    await sandbox.wait_for(lambda: not room.app.updates.time_warnings.idle)
    return board, await awaited(room, people), lobby


def warning(room: Cardroom, person: Person) -> str:
    """What a person is told in the channel when their time is nearly up."""
    (match,) = room.app.matches.live()
    (timer,) = match.position.timers
    return say(
        "notice.time_short",
        player=isolation.mention(person.id),
        game="Haymaker",
        when=f"<t:{timer.deadline // 1000}:R>",
    )


async def settled(sandbox: Sandbox, room: Cardroom) -> None:
    """Let everything be posted and removed that is going to be."""
    for _ in range(5):  # what is due rings, and its wish reaches the easel
        await asyncio.sleep(0)
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)


async def test_after_a_restart_a_player_is_still_warned_once_and_the_warning_goes_when_they_act(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    async with cardroom(sandbox, tmp_path, CARDROOM_NOTICE_AFTER_SECONDS=NEVER) as room:
        board, away, lobby = await start_slowly(sandbox, room, NoticeLevel.PING)
    async with cardroom(sandbox, tmp_path, ahead=7200, CARDROOM_NOTICE_AFTER_SECONDS=NEVER) as room:
        await settled(sandbox, room)
        room.pass_time(BEFORE)
        await settled(sandbox, room)
        assert lobby.messages == [board]
        room.pass_time(WITHIN)
        await sandbox.wait_for(lambda: len(lobby.messages) == 2)
        told = lobby.last
        assert warning(room, away) in told.text
        assert f"/{lobby.id}/{board.id}" in told.text
        assert told.mentions == [away.id]
        room.pass_time(10)
        await settled(sandbox, room)
        assert lobby.messages == [board, told]
        await hand_of(away, board)
        await sandbox.wait_for(lambda: told.deleted)
        room.pass_time(5)
        await settled(sandbox, room)
        assert lobby.messages == [board]


# ---------------------------------------------------------------------------------------------------- once a day


DAY = 24 * 3600


async def test_one_message_a_day_lists_what_waits_and_follows_it(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    lobby = sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path) as room:
        due = 0
        for person in (alice, bob):
            shown = (await person.slash(lobby, "notify")).message
            await person.select(shown, custom_id="g1:notify:0:notify", values=["digest"])
            assert say("notify.level.digest") in shown.text
            await person.select(shown, custom_id="g1:notify:0:owntime", values=["12"])
            await person.select(shown, custom_id="g1:notify:0:digest", values=["9"])
            assert say("settings.saved") in shown.text
            found = await room.store.digest(person.id)
            assert found is not None
            due = found.due
            assert found.hour == (9 - 12 + room.now() // 3_600_000) % 24
        board = await challenge(alice, bob, lobby, clock="daily")
        (match,) = room.app.matches.live()
        (seat,) = match.awaited
        away = alice if match.seats[seat] == alice.id else bob
        room.pass_time(due / 1000 - room.now() / 1000 + LOOK_EVERY)
        await sandbox.wait_for(lambda: len(away.direct_messages.messages) == 1)
        told: MessageView = away.direct_messages.last
        assert f"https://discord.com/channels/{lobby.server_id}/{lobby.id}/{board.id}" in told.text
        assert say("games.group.waiting", n=1) in told.text

        async def noted() -> bool:
            return len(await room.store.shown_digests()) == 1

        await eventually(noted)
        listed = await away.press(told, label=say("digest.all"))
        assert (listed.visibility, say("games.title_everywhere") in listed.text) == ("ephemeral", True)
    async with cardroom(sandbox, tmp_path) as room:
        (match,) = room.app.matches.live()
        assert await room.store.notice_level(match.guild_id, away.id) is NoticeLevel.DIGEST
        hand = await hand_of(away, board)
        assert hand is not None
        room.pass_time(EDIT_AFTER + LOOK_EVERY)
        assert len(away.direct_messages.messages) == 1
        assert not told.deleted
        assert all(str(away.id) not in each.text for each in lobby.messages if each.id != board.id)
