"""When the event loop stood still."""

from __future__ import annotations

import asyncio

import pytest

from bot.ops.loop_lag import DRAINED_AFTER, EVERY, HELD_UP, LoopLag
from bot.telemetry import NO_TELEMETRY
from tests.virtual_time import block, settle


@pytest.fixture
async def lag() -> LoopLag:
    return LoopLag(NO_TELEMETRY)


async def test_a_standstill_is_seen_before_and_after_it_is_measured_until_all_that_waited_is_read(
    lag: LoopLag,
) -> None:
    watching = asyncio.create_task(lag.watch())
    await asyncio.sleep(10 * EVERY + 0.1)
    assert not lag.stood_still()
    block(EVERY + HELD_UP)
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
