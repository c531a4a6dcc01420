"""Clocks are fair: the one who stays away loses, nobody else does, and nobody by what is not their own."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from bot.play.clocks.deadlines import GRACE, UNSEEN
from bot.ui.catalogue import translations
from discord_sandbox import MessageView, Person, Sandbox
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.players import asked_first, challenge, hand_of, move, picks, resign, sit_down
from tests.end_to_end.racers import make_ready

say = translations("en")
GRACE_SECONDS = GRACE / 1000
BOARDS = ("PATCH", "/channels/*/messages/*")
MOST_ACTS = 60


async def run_out(sandbox: Sandbox, room: Cardroom) -> None:
    """Let the time of whoever is asked in the one match run out, and the clock act."""
    (match,) = room.app.matches.live()
    before = match.position.acts
    room.pass_time(match.time_control.turn + GRACE_SECONDS)
    await sandbox.wait_for(lambda: match.position.acts > before)


async def without(sandbox: Sandbox, room: Cardroom, people: list[Person], board: MessageView, away: int) -> None:
    """One act: of somebody who is there, or where only the one at seat `away` is asked, of the clock."""
    (match,) = room.app.matches.live()
    present = sorted(match.awaited - {away})
    if present:
        person = people[present[0]]
        moved = await move(person, await hand_of(person, board), random.Random(match.position.acts))
        assert moved is not None
    else:
        await run_out(sandbox, room)


# ---------------------------------------------------------------------------------------------- who is away loses


async def test_of_three_the_absent_seat_leaves_and_the_others_play_on(sandbox: Sandbox, room: Cardroom) -> None:
    people, lobby = sandbox.people[:3], sandbox.channel("lobby")
    board = await sit_down(people, lobby, "ciq", clock="9m")
    (match,) = room.app.matches.live()
    for _ in range(MOST_ACTS):
        if match.position.state.staying == (0, 1):
            break
        await without(sandbox, room, people, board, away=2)
    assert match.position.state.staying == (0, 1)
    for _ in range(4):
        await without(sandbox, room, people, board, away=2)
    assert not match.over
    await resign(people[0], board)
    assert match.result is not None
    assert (match.result.kind, match.result.ranks) == ("resignation", (2, 1, 3))


# ---------------------------------------------------------------------------------------------- the last moment


async def test_nobody_loses_by_a_late_press_by_discord_or_by_a_question_that_is_not_shown(
    sandbox: Sandbox, room: Cardroom
) -> None:
    # A press of the last moment counts though it arrives after the deadline.
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby, clock="blitz")
    attacker, hand, _, _ = await asked_first([alice, bob], board)
    await attacker.press(hand, custom_id=picks(hand)[0].custom_id)
    (match,) = room.app.matches.live()
    (timer,) = match.position.timers
    room.pass_time(29.5)
    sandbox.faults.on_event("INTERACTION_CREATE", delay=1)
    pressing = asyncio.create_task(attacker.press(hand, label="Attack"))
    room.pass_time(0.6 + (timer.deadline - room.app.clock.now()) / 1000)
    sandbox.advance(1)
    assert not (await pressing).failed
    _, record = await room.store.records(match.id)
    assert record.actor is not None
    assert record.at > timer.deadline
    assert not match.over

    # In a race the clock does not wait.
    await room.clear()
    await make_ready([alice, bob], await challenge(alice, bob, lobby, "tivmiv"))
    (match,) = room.app.matches.live()
    assert not match.awaited
    assert [match.deadline_with_grace(timer) for timer in match.position.timers] == [
        timer.deadline for timer in match.position.timers
    ]

    # While Discord is out of reach nobody runs out of time.
    await room.clear()
    board = await challenge(alice, bob, lobby, clock="blitz")
    attacker, hand, _, _ = await asked_first([alice, bob], board)
    clock = room.app.clock
    (match,) = room.app.matches.live()
    room.pass_time(29 + GRACE_SECONDS)
    sandbox.faults.on("CONNECT", "/gateway", delay=1)
    sandbox.drop_gateway()
    await sandbox.wait_for(lambda: clock.paused)
    room.pass_time(8)
    sandbox.advance(1)
    await sandbox.wait_for(lambda: not clock.paused)
    assert match.position.timers[0].deadline < clock.now() - GRACE
    assert await move(attacker, hand, random.Random(1)) is not None
    assert not match.over

    # A question that is never shown does not stop the clock for good.
    await room.clear()
    board = await challenge(alice, bob, lobby, clock="blitz")
    attacker, hand, _, _ = await asked_first([alice, bob], board)
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
    sandbox.faults.on(*BOARDS, status=400, code=50035, times=None)
    assert await move(attacker, hand, random.Random(1)) is not None
    (match,) = room.app.matches.live()
    room.pass_time(30 + GRACE_SECONDS + UNSEEN / 1000, shown=False)
    await sandbox.wait_for(lambda: match.over)


async def test_a_press_that_waits_for_the_database_comes_before_the_clock(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby, clock="blitz")
    attacker, hand, _, _ = await asked_first([alice, bob], board)
    await attacker.press(hand, custom_id=picks(hand)[0].custom_id)
    (match,) = room.app.matches.live()
    writing, go_on = asyncio.Event(), asyncio.Event()

    async def slowly(*_: object) -> None:
        writing.set()
        await go_on.wait()

    monkeypatch.setattr(room.store, "set_name", slowly)
    room.app.display_names.forget(match.guild_id, attacker.id)
    pressing = asyncio.create_task(attacker.press(hand, label="Attack"))
    await writing.wait()
    room.pass_time(31 + GRACE_SECONDS)
    await sandbox.wait_for(lambda: room.app.clock.acting)
    for _ in range(5):  # were the clock to act, it would be at it by now
        await asyncio.sleep(0)
    go_on.set()
    assert not (await pressing).failed
    await sandbox.wait_for(lambda: not room.app.clock.acting)
    assert (match.position.acts, match.over) == (1, False)
    await resign(alice, board)
    await sandbox.wait_for(lambda: room.app.clock.idle)  # it waits for no press any more


async def test_c_10_a_restart_does_not_let_anybody_throw_a_hand_away(sandbox: Sandbox, tmp_path: Path) -> None:
    """C-10: who has opened their hand before a restart and resigns after it has a result that counts."""
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path) as room:
        board = await challenge(alice, bob, lobby)
        await hand_of(alice, board)
    async with cardroom(sandbox, tmp_path) as room:
        (match,) = room.app.matches.live()
        await resign(alice, board)
        result = await room.store.result(match.id)
        assert result is not None
        assert (result.ranks, result.counted) == ((2, 1), True)


# ---------------------------------------------------------------------------------------------- what is not one's own
