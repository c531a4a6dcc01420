"""Time goes wrong: F-19 dead tokens, F-20 a blocked loop, F-21 and F-31 jumps, F-22 hours away, F-42 a failed clock."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
import random
import re
import time
from pathlib import Path

import pytest

from bot.scheduler import LoopScheduler
from bot.store.errors import Conflict, Damaged
from cogs.updates import open_hands
from discord_sandbox import MessageView, Sandbox
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.players import asked_first, challenge, hand_of, move, picks

_SHOWN = re.compile(r"<t:(-?\d+):R>")
STOOD_STILL = re.compile(r"the event loop stood still for (\d+\.\d) s")


def shown_time(message: MessageView) -> int:
    """The time that a message counts down to, in seconds since 1970."""
    (found,) = _SHOWN.findall(message.text)
    return int(found)


def jump(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Set this machine's time of day, while Discord's goes on as it did."""
    real, real_ns = time.time, time.time_ns
    monkeypatch.setattr(time, "time", lambda: real() + seconds)
    monkeypatch.setattr(time, "time_ns", lambda: real_ns() + int(seconds * 1e9))


async def test_F_19_a_hand_with_a_dead_token_is_dropped_and_the_next_press_refreshes(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby, clock="daily")
    attacker, hand, other, waiting = await asked_first([alice, bob], board)
    await asyncio.sleep(2)  # hands that were just opened are edited once
    sandbox.advance(15 * 60 + 1)
    monkeypatch.setattr(open_hands, "TOKEN_SECONDS", -1.0)
    sandbox.transcript.clear()
    assert await move(attacker, hand, random.Random(1)) is not None
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
    assert not any("/webhooks/" in each.path for each in sandbox.transcript.requests)
    assert waiting.find_button("Take the hit") is None
    assert (await hand_of(other, board)).find_button("Take the hit")


async def test_F_20_a_blocked_loop_loses_nothing_and_late_presses_are_dropped(
    sandbox: Sandbox, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path) as room:
        board = await challenge(alice, bob, lobby)
        attacker, hand, _, _ = await asked_first([alice, bob], board)
        await attacker.press(hand, custom_id=picks(hand)[0].custom_id)
        pressing = asyncio.create_task(attacker.press(hand, label="Attack"))
        await asyncio.sleep(0)
        time.sleep(5)  # noqa: ASYNC251  the fault itself
        assert (await pressing).failed
        (match,) = room.app.matches.live()
        assert match.position.acts == 0
        await sandbox.wait_for(lambda: "dropped a press" in caplog.text)
        await sandbox.wait_for(lambda: STOOD_STILL.search(caplog.text))
        assert [float(told) >= 4.0 for told in STOOD_STILL.findall(caplog.text)].count(True) == 1
        assert not any(button.label in caplog.text for button in picks(hand))
        assert not (await attacker.press(hand, label="Attack")).failed
        assert match.position.acts == 1


@pytest.mark.parametrize("jump", [-86_400.0, 86_400.0])
async def test_F_21_a_jump_of_the_machines_clock_moves_no_deadline(
    monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    scheduler = LoopScheduler()
    before = scheduler.now()
    real, real_ns = time.time, time.time_ns
    monkeypatch.setattr(time, "time", lambda: real() + jump)
    monkeypatch.setattr(time, "time_ns", lambda: real_ns() + int(jump * 1e9))
    assert 0 <= scheduler.now() - before < 1000


@pytest.mark.parametrize("seconds", [-86_400.0, 86_400.0])
async def test_F_21_a_clock_set_right_between_two_starts_ends_no_match(
    sandbox: Sandbox, tmp_path: Path, seconds: float
) -> None:
    people, lobby = [sandbox.user("Alice"), sandbox.user("Bob")], sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path) as room:
        await challenge(people[0], people[1], lobby, clock="blitz")
        invited = await sandbox.user("Carol").slash(lobby, "haymaker open")
    async with cardroom(sandbox, tmp_path, ahead=seconds) as room:
        (match,) = room.app.matches.live()
        (timer,) = match.position.timers
        assert timer.deadline > room.app.clock.now()
        await sandbox.wait_for(
            lambda: room.app.updates.edit_queue.idle
        )  # on the other day the board is an old one: posted anew
        board = next(message for message in lobby.messages if "My cards" in message.labels)
        attacker, hand, _, _ = await asked_first(people, board)
        assert await move(attacker, hand, random.Random(1)) is not None
        assert match.position.acts == 1
        assert (await people[0].press(invited.message, label="Join")).kind == "update"


async def test_F_22_hours_away_cost_nobody_time(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path) as room:
        await challenge(alice, bob, lobby, clock="blitz")
        (before,) = await room.store.all_timers()
    away = 7 * 3600
    async with cardroom(sandbox, tmp_path, ahead=away) as room:
        (match,) = room.app.matches.live()
        (after,) = match.position.timers
        assert away * 1000 <= after.deadline - before.deadline < away * 1000 + 30_000
        assert not match.over


@pytest.mark.parametrize("seconds", [3_600.0, 8 * 3_600.0, 40 * 86_400.0])
async def test_F_31_shown_times_follow_discords_clock_and_nobody_wins_or_loses_time(
    sandbox: Sandbox, tmp_path: Path, seconds: float
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    by = round(seconds)
    async with cardroom(sandbox, tmp_path) as room:
        board = await challenge(alice, bob, lobby)
        invited = (await alice.slash(lobby, "haymaker challenge", opponent=sandbox.user("Carol"))).message
        (match,) = room.app.matches.live()
        (invitation,) = room.app.invitations.open()
        (timer,) = match.position.timers
        room.pass_time(95)  # past the warning
        await sandbox.wait_for(lambda: any("<t:" in message.content for message in lobby.messages))
        (warning,) = [message for message in lobby.messages if "<t:" in message.content]
        shown = [shown_time(message) for message in (board, invited, warning)]
        sandbox.advance(seconds)
        for _ in range(2):  # one alone is not believed
            await asyncio.sleep(6)
            assert not (await alice.slash(lobby, "games")).failed
        await sandbox.wait_for(lambda: abs(shown_time(board) - shown[0] - by) <= 1)
        await sandbox.wait_for(lambda: abs(shown_time(invited) - shown[1] - by) <= 1)
        await sandbox.wait_for(lambda: abs(shown_time(warning) - shown[2] - by) <= 1)
        (moved,) = match.position.timers
        shift = moved.deadline - timer.deadline
        assert abs(shift - 1000 * by) <= 1000
        assert await room.store.timers(match.id) == [moved]
        (stored,) = await room.store.open_invitations()
        assert stored.expires_at == invitation.expires_at + shift
        room.pass_time(1)
        assert not match.over
        room.pass_time(30)
        await sandbox.wait_for(lambda: match.over)


@pytest.mark.parametrize(
    "error", [Damaged("the database cannot be read"), Conflict("another seq is next"), KeyError(1)]
)
async def test_F_42_after_any_failure_of_the_store_the_clock_tries_again(
    sandbox: Sandbox,
    room: Cardroom,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    await challenge(alice, bob, lobby, clock="blitz")
    (match,) = room.app.matches.live()

    async def fail(*_: object) -> None:
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(room.store, "append", fail)
        room.pass_time(34)
        await sandbox.wait_for(lambda: not room.app.clock.acting)
    assert not match.over
    assert type(error).__name__ in caplog.text
    room.pass_time(34)
    await sandbox.wait_for(lambda: match.over)
