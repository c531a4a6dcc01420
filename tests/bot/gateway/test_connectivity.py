"""The connection guard: clocks stand while nobody can press, and are credited with what was longer than a moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import pytest

from bot.gateway.connectivity import AGAIN_SECONDS, AWAY_SECONDS, BEAT_SECONDS, ConnectionGuard
from bot.store.errors import NotSaved
from tests.bot.play.parts import Parts
from tests.virtual_time import block, settle


@pytest.fixture
async def parts() -> AsyncIterator[Parts]:
    made = Parts.fresh()
    yield made
    await made.close()


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
    async def broken(*_: object) -> None:
        raise error

    guard.connection_lost()
    await asyncio.sleep(60)
    with monkeypatch.context() as patched:
        patched.setattr(parts.store, "credit_downtime", broken)
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
    await asyncio.sleep(BEAT_SECONDS)
    await settle()
    block(3600)
    await asyncio.sleep(BEAT_SECONDS)
    await settle()
    (after,) = match.position.timers
    assert after.deadline - before.deadline >= 3_600_000
    assert not match.over
    assert not guard.is_away
    assert "stood still" in caplog.text


async def test_after_a_standstill_the_clocks_wait_until_the_time_could_be_given_back(
    parts: Parts, guard: ConnectionGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await parts.opened()
    (before,) = match.position.timers
    await asyncio.sleep(BEAT_SECONDS)
    await settle()

    async def broken(*_: object) -> None:
        raise NotSaved("the disk failed")

    with monkeypatch.context() as patched:
        patched.setattr(parts.store, "all_timers", broken)
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


async def test_discord_lost_again_while_the_time_is_given_back_keeps_the_clocks_paused(
    parts: Parts, guard: ConnectionGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    guard.connection_lost()
    await asyncio.sleep(60)
    read = parts.store.all_timers

    async def slowly() -> Any:
        guard.connection_lost()
        return await read()

    monkeypatch.setattr(parts.store, "all_timers", slowly)
    await guard.connection_restored()
    assert parts.clock.paused


async def test_a_heartbeat_that_cannot_be_recorded_ends_nothing(
    parts: Parts, guard: ConnectionGuard, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("anything")

    with monkeypatch.context() as patched:
        patched.setattr(parts.store, "record_heartbeat", broken)
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
