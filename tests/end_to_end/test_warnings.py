"""Warnings before the end of a player's time: once a question, as loud as they choose, over restarts and outages."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.play.live_match import LiveMatch
from bot.store.queries.people import NoticeLevel
from bot.time_controls import TIME_CONTROLS, warning_lead
from bot.ui import isolation
from bot.ui.catalogue import translations
from cogs.updates.match_notices import MatchNotices
from discord_sandbox import DrivenChannel, MessageView, Person, Sandbox
from engines.game import Seat, Timer, Turn
from tests.end_to_end.cardroom import Cardroom, cardroom, eventually
from tests.end_to_end.players import challenge, hand_of, move
from tests.end_to_end.racers import make_ready
from tests.end_to_end.test_notify import NAMES, SUPPRESS_NOTIFICATIONS, awaited, choose
from tests.failing_rules import fail_rules

say = translations("en")
NEVER = "3600"
"""Seconds of silence before a mention, so that none comes into a warning's way."""
BEFORE, WITHIN = 89, 2
"""Seconds of a normal clock's 120 that pass before its player is warned, and from there on until they are."""


async def start(
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


def hidden(window: int) -> Timer:
    """A turn's timer, as one that players may not know of."""
    return Timer("turn", str(window), Turn(), shown=False)


async def settled(sandbox: Sandbox, room: Cardroom) -> None:
    """Let everything be posted and removed that is going to be."""
    for _ in range(5):  # what is due rings, and its wish reaches the easel
        await asyncio.sleep(0)
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)


@pytest.fixture
async def room(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[Cardroom]:
    async with cardroom(sandbox, tmp_path, CARDROOM_NOTICE_AFTER_SECONDS=NEVER) as running:
        yield running


@pytest.fixture
async def attentive(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[Cardroom]:
    """A bot that also mentions players, long before it warns them."""
    async with cardroom(sandbox, tmp_path) as running:
        yield running


async def test_a_player_is_warned_once_and_the_warning_goes_when_they_act(sandbox: Sandbox, room: Cardroom) -> None:
    board, away, lobby = await start(sandbox, room, NoticeLevel.PING)
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


async def test_the_warning_takes_the_mentions_place(sandbox: Sandbox, attentive: Cardroom) -> None:
    room, after = attentive, attentive.app.settings.notice_after_seconds
    board, away, lobby = await start(sandbox, room, NoticeLevel.PING)
    room.pass_time(after)
    await sandbox.wait_for(lambda: len(lobby.messages) == 2)
    mention = lobby.last
    assert say("notice.your_turn", player=isolation.mention(away.id), game="Haymaker") in mention.text
    sandbox.transcript.clear()
    room.pass_time(BEFORE + WITHIN - after)
    await sandbox.wait_for(lambda: mention.deleted and len(lobby.messages) == 2)
    assert warning(room, away) in lobby.last.text
    asked = [each.method for each in sandbox.transcript.requests if f"/channels/{lobby.id}/messages" in each.path]
    assert asked == ["DELETE", "POST"]

    async def noted() -> bool:
        return [notice.message_id for notice in await room.store.notices()] == [lobby.last.id]

    await eventually(noted)
    assert lobby.messages == [board, lobby.last]


async def test_who_pressed_something_lately_is_warned_all_the_same(sandbox: Sandbox, room: Cardroom) -> None:
    board, here, lobby = await start(sandbox, room, NoticeLevel.PING)
    room.pass_time(BEFORE)
    await hand_of(here, board)
    room.pass_time(WITHIN)
    await sandbox.wait_for(lambda: len(lobby.messages) == 2)
    assert warning(room, here) in lobby.last.text


async def test_quiet_is_warned_without_a_sound(sandbox: Sandbox, room: Cardroom) -> None:
    _, away, lobby = await start(sandbox, room, NoticeLevel.QUIET)
    room.pass_time(BEFORE + WITHIN)
    await sandbox.wait_for(lambda: len(lobby.messages) == 2)
    assert warning(room, away) in lobby.last.text
    assert lobby.last.flags & SUPPRESS_NOTIFICATIONS
    bodies = [request.body for request in sandbox.transcript.requests if isinstance(request.body, dict)]
    (sent,) = [body for body in bodies if body.get("content") == lobby.last.content]
    assert sent["allowed_mentions"] == {"parse": []}


async def test_a_warning_comes_by_direct_message_to_who_wants_it_so(sandbox: Sandbox, room: Cardroom) -> None:
    board, away, lobby = await start(sandbox, room, NoticeLevel.DIRECT)
    (match,) = room.app.matches.live()
    room.pass_time(BEFORE + WITHIN)
    await sandbox.wait_for(lambda: len(away.direct_messages.messages) == 1)
    told = away.direct_messages.last
    server = lobby.record.server
    assert server is not None
    when = f"<t:{match.position.timers[0].deadline // 1000}:R>"
    assert say("notice.time_short_there", game="Haymaker", server=server.name, when=when) in told.text
    assert lobby.messages == [board]
    await hand_of(away, board)
    await sandbox.wait_for(lambda: told.deleted)


async def test_none_is_not_warned(sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch) -> None:
    board, away, lobby = await start(sandbox, room, NoticeLevel.NONE)
    due: list[str] = []
    warn = MatchNotices.warn

    def noting(notices: MatchNotices, match: LiveMatch, seat: Seat) -> None:
        due.append(match.id)
        warn(notices, match, seat)

    monkeypatch.setattr(MatchNotices, "warn", noting)
    room.pass_time(BEFORE + WITHIN)
    await settled(sandbox, room)
    assert len(due) == 1
    assert lobby.messages == [board]
    assert not away.direct_messages.messages


async def test_short_clocks_and_races_have_no_warning(sandbox: Sandbox, room: Cardroom) -> None:
    assert [warning_lead(pace.turn) for pace in TIME_CONTROLS.values()] == [None, 30, 225, 3600]
    assert [warning_lead(119), warning_lead(7 * 24 * 3600)] == [None, 3600]
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    notices, warnings = room.app.updates.notices, room.app.updates.time_warnings
    await make_ready([alice, bob], await challenge(alice, bob, lobby, "tivmiv", ready_seconds=600))
    await settled(sandbox, room)
    assert notices.idle
    assert warnings.idle
    await challenge(alice, bob, lobby, clock="blitz")
    await sandbox.wait_for(lambda: not notices.idle)
    await settled(sandbox, room)
    assert warnings.idle
    await challenge(alice, bob, lobby, clock="2m")
    await sandbox.wait_for(lambda: not warnings.idle)


async def test_a_deadline_that_is_not_shown_is_not_warned_of(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    with monkeypatch.context() as patch:
        patch.setattr(Timer, "of_turn", hidden)
        board = await challenge(alice, bob, lobby)
        await sandbox.wait_for(lambda: not room.app.updates.notices.idle)
        (match,) = room.app.matches.live()
        assert match.position.timers
        assert room.app.updates.time_warnings.idle
        room.pass_time(BEFORE + WITHIN)
        await settled(sandbox, room)
        assert lobby.messages == [board]


async def test_a_match_stopped_by_a_failed_rule_warns_nobody(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    board, asked, lobby = await start(sandbox, room, NoticeLevel.PING)
    (match,) = room.app.matches.live()
    fail_rules(monkeypatch, match, KeyError("a card"))
    await move(asked, await hand_of(asked, board), random.Random(1))
    assert match.failed is not None
    room.pass_time(BEFORE + WITHIN)
    await settled(sandbox, room)
    assert lobby.messages == [board]


async def test_after_a_restart_the_warning_is_still_to_come(sandbox: Sandbox, tmp_path: Path) -> None:
    async with cardroom(sandbox, tmp_path, CARDROOM_NOTICE_AFTER_SECONDS=NEVER) as room:
        _, away, lobby = await start(sandbox, room, NoticeLevel.PING)
    async with cardroom(sandbox, tmp_path, ahead=7200, CARDROOM_NOTICE_AFTER_SECONDS=NEVER) as room:
        await settled(sandbox, room)
        before = lobby.messages
        room.pass_time(BEFORE + WITHIN)
        await sandbox.wait_for(lambda: len(lobby.messages) == len(before) + 1)
        assert warning(room, away) in lobby.last.text


@pytest.mark.parametrize("pressed", [False, True])
async def test_after_a_restart_nobody_is_warned_again(sandbox: Sandbox, tmp_path: Path, pressed: bool) -> None:
    async with cardroom(sandbox, tmp_path, CARDROOM_NOTICE_AFTER_SECONDS=NEVER) as room:
        board, away, lobby = await start(sandbox, room, NoticeLevel.PING)
        room.pass_time(BEFORE + WITHIN)
        await sandbox.wait_for(lambda: len(lobby.messages) == 2)
        told = lobby.last
        if pressed:
            await hand_of(away, board)
            await sandbox.wait_for(lambda: told.deleted)
        await settled(sandbox, room)
        await room.store.record_heartbeat(room.app.clock.now())
    passed = BEFORE + WITHIN
    async with cardroom(sandbox, tmp_path, ahead=passed + 1800, CARDROOM_NOTICE_AFTER_SECONDS=NEVER) as room:
        await settled(sandbox, room)
        room.pass_time(5)
        await settled(sandbox, room)
        assert lobby.messages == ([board] if pressed else [board, told])
        if not pressed:
            await sandbox.wait_for(lambda: warning(room, away) in told.text)


async def test_a_warning_waits_for_an_outage_to_end_and_for_the_time_that_is_given_back(
    sandbox: Sandbox, room: Cardroom
) -> None:
    board, away, lobby = await start(sandbox, room, NoticeLevel.PING)
    await room.client.on_shard_disconnect(0)
    room.client.connection_guard.mark_away()
    room.pass_time(600)
    await settled(sandbox, room)
    assert lobby.messages == [board]
    await room.client.connection_guard.connection_restored()
    await settled(sandbox, room)
    assert lobby.messages == [board]
    room.pass_time(BEFORE + WITHIN)
    await sandbox.wait_for(lambda: len(lobby.messages) == 2)
    assert warning(room, away) in lobby.last.text
