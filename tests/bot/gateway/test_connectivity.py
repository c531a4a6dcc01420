"""The connection guard: clocks stand while nobody can press, and are credited with what was longer than a moment."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from bot.gateway.connectivity import (
    AGAIN_SECONDS,
    AWAY_SECONDS,
    BEAT_SECONDS,
    DRAINED_AFTER,
    HELD_UP,
    MEASURE_SECONDS,
    ConnectionGuard,
    LoopLag,
    Replays,
)
from bot.play.match_lifecycle import row_of
from bot.store.errors import NotSaved
from bot.store.queries.matches import Suspension
from bot.store.queries.play import Begun
from bot.telemetry import NO_TELEMETRY
from discord_sandbox.virtual_time import block, settle
from tests.bot.play.parts import ANN, BOB, CAT, CHANNEL, GUILD, Parts, an_act, on_turn
from tests.bot.store.memory_store import MemoryStore
from tests.failing_rules import raising
from tests.known import there
from tests.shared_deals import asked, save, sealed


@pytest.fixture
async def parts() -> AsyncIterator[Parts]:
    made = Parts.fresh()
    yield made
    await made.close()


async def beat() -> None:
    """Let a heartbeat pass, and what comes of it."""
    await asyncio.sleep(BEAT_SECONDS)
    await settle()


@pytest.fixture
async def guard(parts: Parts) -> AsyncIterator[ConnectionGuard]:
    made = ConnectionGuard(parts.store, parts.clock, parts.invitations, parts.scheduler)
    made.pause_clocks()
    await made.connection_restored()
    beats = asyncio.create_task(made.run_beats())
    yield made
    beats.cancel()
    with suppress(asyncio.CancelledError):
        await beats
    await made.close()


async def test_a_short_loss_pauses_the_clocks_and_credits_nothing(parts: Parts, guard: ConnectionGuard) -> None:
    match = await parts.opened()
    (before,) = match.position.timers
    guard.connection_lost()
    assert parts.clock.paused
    await asyncio.sleep(AWAY_SECONDS - 1)
    await guard.connection_restored()
    assert (parts.clock.paused, guard.is_away) == (False, False)
    assert match.position.timers == (before,)


async def test_a_long_loss_is_credited_since_the_last_heartbeat(parts: Parts, guard: ConnectionGuard) -> None:
    match = await parts.opened()
    (before,) = match.position.timers
    await asyncio.sleep(BEAT_SECONDS)
    guard.connection_lost()
    await asyncio.sleep(600)
    assert guard.is_away
    await guard.connection_restored()
    (after,) = match.position.timers
    credit = after.deadline - before.deadline
    assert 600_000 <= credit <= 600_000 + 1000 * BEAT_SECONDS
    assert (parts.clock.paused, guard.is_away) == (False, False)
    assert ("repaired", match) in parts.heard.take()


async def test_of_several_sessions_the_clocks_wait_for_the_last(parts: Parts, guard: ConnectionGuard) -> None:
    guard.connection_lost()
    await asyncio.sleep(60)
    await guard.connection_restored(whole=False)
    assert parts.clock.paused
    await guard.connection_restored()
    assert not parts.clock.paused


@pytest.mark.parametrize("error", [NotSaved("the disk failed"), RuntimeError("anything")])
async def test_a_store_that_fails_is_asked_again_until_the_clocks_run(
    parts: Parts, guard: ConnectionGuard, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    guard.connection_lost()
    await asyncio.sleep(60)
    with monkeypatch.context() as patched:
        patched.setattr(parts.store, "credit_downtime", raising(error))
        await guard.connection_restored()
        assert (parts.clock.paused, guard.is_away) == (True, True)
        await asyncio.sleep(3 * AGAIN_SECONDS)
        assert parts.clock.paused
    await asyncio.sleep(AGAIN_SECONDS)
    await settle()
    assert (parts.clock.paused, guard.is_away) == (False, False)


async def test_heartbeats_are_recorded_only_while_players_can_press(parts: Parts, guard: ConnectionGuard) -> None:
    await asyncio.sleep(10 * BEAT_SECONDS)
    await settle()
    assert await parts.store.last_heartbeat() == parts.now()
    guard.connection_lost()
    last = await parts.store.last_heartbeat()
    await asyncio.sleep(10 * BEAT_SECONDS)
    assert await parts.store.last_heartbeat() == last


async def test_a_process_that_stood_still_gives_the_time_back(
    parts: Parts, guard: ConnectionGuard, caplog: pytest.LogCaptureFixture
) -> None:
    match = await parts.opened()
    (before,) = match.position.timers
    await beat()
    block(3600)
    await beat()
    (after,) = match.position.timers
    assert after.deadline - before.deadline >= 3_600_000
    assert not match.over
    assert not guard.is_away
    assert "stood still" in caplog.text


async def test_a_standstill_while_a_heartbeat_is_recorded_is_given_back(
    parts: Parts, guard: ConnectionGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await parts.opened()
    (before,) = match.position.timers
    record = parts.store.record_heartbeat

    async def stand_still(now: int) -> None:
        await record(now)
        block(3600)

    with monkeypatch.context() as patched:
        patched.setattr(parts.store, "record_heartbeat", stand_still)
        await asyncio.sleep(BEAT_SECONDS + 1)
    await beat()
    (after,) = match.position.timers
    assert after.deadline - before.deadline >= 3_600_000
    assert not match.over


async def test_after_a_standstill_the_clocks_wait_until_the_time_could_be_given_back(
    parts: Parts, guard: ConnectionGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await parts.opened()
    (before,) = match.position.timers
    await beat()
    with monkeypatch.context() as patched:
        patched.setattr(parts.store, "credit_downtime", raising(NotSaved("the disk failed")))
        block(3600)
        await asyncio.sleep(BEAT_SECONDS)
        await settle()
        assert parts.clock.paused
        await asyncio.sleep(60)
    await asyncio.sleep(AGAIN_SECONDS)
    await settle()
    assert not parts.clock.paused
    (after,) = match.position.timers
    assert after.deadline - before.deadline >= 3_600_000
    assert not match.over


@pytest.mark.parametrize("begins", [ConnectionGuard.connection_lost, ConnectionGuard.fall_silent])
async def test_a_loss_or_a_silence_while_the_time_is_given_back_keeps_the_clocks_paused(
    parts: Parts, guard: ConnectionGuard, monkeypatch: pytest.MonkeyPatch, begins: Callable[[ConnectionGuard], None]
) -> None:
    guard.connection_lost()
    await asyncio.sleep(60)
    credit = parts.store.credit_downtime

    async def slowly(now: int) -> int:
        begins(guard)
        return await credit(now)

    monkeypatch.setattr(parts.store, "credit_downtime", slowly)
    await guard.connection_restored()
    assert parts.clock.paused


async def test_a_silence_is_credited_since_the_last_heartbeat(parts: Parts, guard: ConnectionGuard) -> None:
    """The data come back before it is known that nobody took the shards: that is no sign of play."""
    match, invitation = await parts.opened(), await parts.invited(host=3)
    (before,) = match.position.timers
    await beat()
    guard.fall_silent()
    assert (parts.clock.paused, guard.is_away) == (True, True)
    await asyncio.sleep(600)
    await guard.connection_restored()  # Discord can be reached, but nobody is answered yet
    assert parts.clock.paused
    parts.heard.take()
    guard.end_silence()
    await settle()
    assert (parts.clock.paused, guard.is_away) == (False, False)
    (after,) = match.position.timers
    (later,) = parts.invitations.open()
    for credit in (after.deadline - before.deadline, later.expires_at - invitation.expires_at):
        assert 600_000 <= credit <= 600_000 + 1000 * BEAT_SECONDS
    assert {("repaired", match), ("repaired", invitation.id)} <= set(parts.heard.take())


@pytest.mark.parametrize("silent_first", [True, False])
async def test_after_a_silence_and_a_loss_the_clocks_wait_for_the_end_of_both(
    parts: Parts, guard: ConnectionGuard, silent_first: bool
) -> None:
    guard.fall_silent()
    guard.connection_lost()
    await asyncio.sleep(60)
    for end_silence in (silent_first, not silent_first):
        assert parts.clock.paused
        if end_silence:
            guard.end_silence()
        else:
            await guard.connection_restored()
        await settle()
    assert not parts.clock.paused


async def test_a_credit_that_takes_long_is_given_back_too(
    parts: Parts, guard: ConnectionGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often: while the store is so slow, nobody can play."""
    match = await parts.opened()
    (before,) = match.position.timers
    read, waits = parts.store.open_invitations, [60.0] * 10

    async def slowly() -> Any:
        if waits:
            await asyncio.sleep(waits.pop())
        return await read()

    monkeypatch.setattr(parts.store, "open_invitations", slowly)
    guard.connection_lost()
    await asyncio.sleep(60)
    resuming = asyncio.create_task(guard.connection_restored())
    while waits:
        assert parts.clock.paused
        await asyncio.sleep(1)
    await resuming
    (after,) = match.position.timers
    assert after.deadline - before.deadline >= 660_000
    assert (parts.clock.paused, match.over) == (False, False)


async def test_a_loss_that_is_over_before_the_credit_is_lets_no_clock_go(
    parts: Parts, guard: ConnectionGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await parts.opened()
    credit, last = parts.store.credit_downtime, await parts.store.last_heartbeat()

    async def slowly(now: int) -> int:
        guard.connection_lost()
        await guard.connection_restored()
        assert parts.clock.paused
        await asyncio.sleep(AWAY_SECONDS - 1)
        assert await parts.store.last_heartbeat() == last, "it would be credited from then on only"
        return await credit(now)

    guard.connection_lost()
    await asyncio.sleep(60)
    with monkeypatch.context() as patched:
        patched.setattr(parts.store, "credit_downtime", slowly)
        await guard.connection_restored()
    assert (parts.clock.paused, match.over) == (False, False)


async def test_a_loss_while_invitations_are_read_keeps_the_clocks_paused(
    parts: Parts, guard: ConnectionGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The matches' clocks are credited by then, and wait for them."""
    credit, read = parts.store.credit_downtime, parts.store.open_invitations

    async def credited(now: int) -> int:
        guard.connection_lost()
        return await credit(now)

    async def open_invitations() -> Any:
        assert parts.clock.paused
        return await read()

    guard.connection_lost()
    await asyncio.sleep(60)
    with monkeypatch.context() as patched:
        patched.setattr(parts.store, "credit_downtime", credited)
        patched.setattr(parts.store, "open_invitations", open_invitations)
        await guard.connection_restored()
    assert (parts.clock.paused, guard.is_away) == (True, True)
    await guard.connection_restored()
    assert not parts.clock.paused


async def test_a_silence_before_the_first_connection_lets_no_clock_go(parts: Parts) -> None:
    starting = ConnectionGuard(parts.store, parts.clock, parts.invitations, parts.scheduler)
    starting.pause_clocks()
    starting.fall_silent()
    starting.end_silence()
    await settle()
    assert parts.clock.paused
    await starting.connection_restored()
    assert not parts.clock.paused


async def test_a_credit_is_not_tried_again_while_discord_is_lost(
    parts: Parts, guard: ConnectionGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    guard.connection_lost()
    await asyncio.sleep(60)
    with monkeypatch.context() as patched:
        patched.setattr(parts.store, "credit_downtime", raising(NotSaved("the disk failed")))
        await guard.connection_restored()
        guard.connection_lost()
    await asyncio.sleep(3 * AGAIN_SECONDS)
    assert parts.clock.paused
    await guard.connection_restored()
    assert not parts.clock.paused


async def test_a_loss_while_a_credit_fails_is_over_when_discord_is_back(
    parts: Parts, guard: ConnectionGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        guard.connection_lost()
        raise NotSaved("the disk failed")

    guard.connection_lost()
    await asyncio.sleep(60)
    with monkeypatch.context() as patched:
        patched.setattr(parts.store, "credit_downtime", broken)
        await guard.connection_restored()
    await guard.connection_restored()
    await asyncio.sleep(2 * AWAY_SECONDS)
    assert (parts.clock.paused, guard.is_away) == (False, False)


async def test_a_heartbeat_that_cannot_be_recorded_ends_nothing(
    parts: Parts, guard: ConnectionGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(parts.store, "record_heartbeat", raising(RuntimeError("anything")))
        await asyncio.sleep(5 * BEAT_SECONDS)
    await asyncio.sleep(2 * BEAT_SECONDS)
    await settle()
    assert await parts.store.last_heartbeat() == parts.now()
    assert not guard.is_away


async def test_after_closing_nothing_is_tried_again(parts: Parts, guard: ConnectionGuard) -> None:
    guard.connection_lost()
    await guard.close()
    await asyncio.sleep(10 * AWAY_SECONDS)
    assert not guard.is_away


# ---------------------------------------------------------------------------------------------- the time of day


def hold_up(monkeypatch: pytest.MonkeyPatch, parts: Parts, name: str, go: asyncio.Event, *, done: bool = False) -> None:
    """Have what the store is asked by this name wait until it may go, before it is done or after."""
    ask = getattr(parts.store, name)

    async def slowly(*given: Any) -> Any:
        if not done:
            await go.wait()
        answer = await ask(*given)
        await go.wait()
        return answer

    monkeypatch.setattr(parts.store, name, slowly)


def set_clock(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Set the machine's time of day so much later."""
    real = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: real() + int(seconds * 1e9))


@pytest.mark.parametrize("seconds", [3600, -3600, -50 * 365 * 86_400])
async def test_a_corrected_clock_moves_every_deadline_and_ends_nothing(
    parts: Parts, guard: ConnectionGuard, monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    match, invitation = await parts.opened(), await parts.invited(host=3)
    (before,) = match.position.timers
    begun = parts.now()
    set_clock(monkeypatch, seconds)
    await beat()
    by = 1000 * seconds
    (after,) = match.position.timers
    assert after == replace(before, deadline=before.deadline + by)
    assert await parts.store.all_timers() == [after]
    (later,) = parts.invitations.open()
    assert later == replace(invitation, expires_at=invitation.expires_at + by)
    assert parts.now() == begun + by + 1000 * BEAT_SECONDS
    assert await parts.store.last_heartbeat() == parts.now()
    assert parts.heard.take() == [("repaired", match), ("repaired", invitation.id)]
    await asyncio.sleep(25)
    assert not match.over
    await asyncio.sleep(5)
    await settle()
    assert match.over


async def test_a_clock_that_is_a_little_off_is_left_alone(
    parts: Parts, guard: ConnectionGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await parts.opened()
    before = match.position.timers
    set_clock(monkeypatch, 0.9)
    await asyncio.sleep(2 * BEAT_SECONDS)
    assert match.position.timers == before
    assert parts.heard.take() == []


async def test_a_correction_that_cannot_be_saved_changes_nothing_and_is_tried_again(
    parts: Parts, guard: ConnectionGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await parts.opened()
    (before,) = match.position.timers
    begun = parts.now()
    set_clock(monkeypatch, 3600)
    assert isinstance(parts.store, MemoryStore)
    parts.store.fail_next_write(NotSaved("the disk failed"))
    await beat()
    assert match.position.timers == (before,)
    assert parts.now() == begun + 1000 * BEAT_SECONDS
    await beat()
    assert match.position.timers == (replace(before, deadline=before.deadline + 3_600_000),)


async def test_a_correction_waits_for_moves_and_invitations_that_are_being_saved(
    parts: Parts, guard: ConnectionGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await parts.opened()
    go = asyncio.Event()
    hold_up(monkeypatch, parts, "append", go)
    hold_up(monkeypatch, parts, "add_invitation", go, done=True)
    begun = parts.now()
    moving = asyncio.create_task(match.act(on_turn(match), an_act(match)))
    inviting = asyncio.create_task(parts.invited(host=3))
    await settle()
    set_clock(monkeypatch, 3600)
    await asyncio.sleep(2 * BEAT_SECONDS)
    assert parts.now() < begun + 60_000
    go.set()
    await moving
    invitation = await inviting
    await settle()
    assert parts.now() > begun + 3_600_000
    (timer,) = match.position.timers
    assert timer.deadline == begun + 30_000 + 3_600_000
    assert await parts.store.all_timers() == [timer]
    (later,) = parts.invitations.open()
    assert (later.id, later.expires_at) == (invitation.id, begun + 15 * 60_000 + 3_600_000)
    assert await parts.store.open_invitations() == [later]


async def test_a_correction_waits_for_a_match_that_begins_by_itself(
    parts: Parts, guard: ConnectionGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when a machine wakes up: the round of a tournament begins, and the time of day is put right."""
    invitation, go = asked(sealed(), (ANN, BOB), (GUILD, CHANNEL), parts.now()), asyncio.Event()

    async def slowly(begun: Begun) -> None:
        await save(parts.store, begun)
        await go.wait()

    opening = asyncio.create_task(parts.lifecycle.open_now(invitation, row_of(invitation, parts.now()), slowly))
    await settle()
    set_clock(monkeypatch, 3600)
    await asyncio.sleep(2 * BEAT_SECONDS)
    go.set()
    match = await opening
    await beat()
    assert not match.over
    assert list(match.position.timers) == await parts.store.all_timers()


async def test_a_match_that_loses_its_place_during_a_correction_keeps_the_time_that_was_left(
    parts: Parts, guard: ConnectionGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The correction keeps it waiting already, and waits for a move in another match itself."""
    match, other = await parts.opened(), await parts.opened(3, 4)
    go = asyncio.Event()
    hold_up(monkeypatch, parts, "append", go)
    moving = asyncio.create_task(other.act(on_turn(other), an_act(other)))
    set_clock(monkeypatch, -3600)
    await beat()
    suspending = asyncio.create_task(parts.lifecycle.suspend(match, Suspension.CHANNEL_GONE))
    await settle()
    go.set()
    await asyncio.gather(moving, suspending)
    row = there(await parts.store.match(match.id))
    assert [each.left for each in row.lost_places.left] == [25_000]


async def test_an_invitation_is_saved_with_the_deadline_that_a_correction_moved(
    parts: Parts, guard: ConnectionGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = asyncio.Event()
    hold_up(monkeypatch, parts, "head_to_head", go)
    inviting = asyncio.create_task(parts.invited())
    await settle()
    set_clock(monkeypatch, 3600)
    await beat()
    go.set()
    opened = await inviting
    assert parts.invitations.open() == (opened,)
    assert await parts.store.open_invitations() == [opened]


async def test_an_invitation_that_is_changed_during_an_outage_keeps_its_credit(
    parts: Parts, guard: ConnectionGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, go = await parts.readying(), asyncio.Event()
    hold_up(monkeypatch, parts, "reseat_invitation", go, done=True)
    guard.connection_lost()
    leaving = asyncio.create_task(parts.seating.leave(table.id, CAT))
    await asyncio.sleep(600)
    restored = asyncio.create_task(guard.connection_restored())
    await settle()
    go.set()
    await asyncio.gather(leaving, restored)
    (later,) = parts.invitations.open()
    assert later.expires_at > table.expires_at
    assert await parts.store.open_invitations() == [later]


async def test_while_discord_is_out_of_reach_the_clock_is_corrected_and_the_outage_credited(
    parts: Parts, guard: ConnectionGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await parts.opened()
    (before,) = match.position.timers
    await beat()
    guard.connection_lost()
    set_clock(monkeypatch, -3600)
    await asyncio.sleep(600)
    await guard.connection_restored()
    (after,) = match.position.timers
    assert 600_000 <= after.deadline - before.deadline + 3_600_000 <= 600_000 + 1000 * BEAT_SECONDS
    assert not parts.clock.paused


@pytest.fixture
async def lag() -> LoopLag:
    return LoopLag(NO_TELEMETRY)


async def test_a_standstill_is_seen_before_and_after_it_is_measured_until_all_that_waited_is_read(
    lag: LoopLag,
) -> None:
    watching = asyncio.create_task(lag.watch())
    await asyncio.sleep(10 * MEASURE_SECONDS + 0.1)
    assert not lag.stood_still()
    block(MEASURE_SECONDS + HELD_UP)
    assert lag.stood_still()
    await settle()
    assert lag.stood_still()
    await asyncio.sleep(DRAINED_AFTER)
    assert not lag.stood_still()
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)
    block(60)
    assert not lag.stood_still()


async def test_a_short_lag_is_no_standstill(lag: LoopLag) -> None:
    watching = asyncio.create_task(lag.watch())
    await settle()
    block(HELD_UP - 0.1)
    assert not lag.stood_still()
    await settle()
    assert not lag.stood_still()
    watching.cancel()


def server_of(shard: int, shards: int) -> int:
    """The id of a server that belongs to a shard."""
    return (7 * shards + shard) << 22


def test_events_are_replayed_from_the_loss_of_the_connection_to_resumed() -> None:
    replays = Replays()
    server = server_of(0, 1)
    assert not replays.include(server, 1)
    replays.connection_lost(0)
    replays.connection_lost(0)
    assert replays.include(server, 1)
    assert replays.include(None, 1)
    replays.caught_up(0)
    assert not replays.include(server, 1)


def test_a_shard_that_lost_its_connection_says_nothing_of_the_others() -> None:
    replays = Replays()
    replays.connection_lost(1)
    assert [replays.include(server_of(shard, 3), 3) for shard in range(3)] == [False, True, False]
    assert not replays.include(None, 3)
    replays.caught_up(0)
    assert replays.include(server_of(1, 3), 3)
