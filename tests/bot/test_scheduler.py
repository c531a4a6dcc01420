"""What every scheduler does: the bot's own, and the one whose time a test moves on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import pytest

from bot.scheduler import LoopScheduler, Scheduler
from discord_sandbox.virtual_time import settle
from tests.movable_scheduler import MovableScheduler

SCHEDULERS: list[Callable[[], Scheduler]] = [LoopScheduler, MovableScheduler]


@pytest.fixture(params=SCHEDULERS)
async def scheduler(request: pytest.FixtureRequest) -> Scheduler:
    made: Scheduler = request.param()
    return made


async def test_the_time_of_day_goes_as_the_monotonic_time_does(scheduler: Scheduler) -> None:
    now, moment = scheduler.now(), scheduler.monotonic()
    await asyncio.sleep(90_000.25)
    assert scheduler.now() == now + 90_000_250
    assert scheduler.monotonic() == moment + 90_000.25


async def test_the_time_of_day_goes_by_the_machines_clock_again_once_it_is_corrected(
    scheduler: Scheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, moment, real = scheduler.now(), scheduler.monotonic(), time.time_ns
    assert scheduler.drift() == 0
    monkeypatch.setattr(time, "time_ns", lambda: real() - 3_600_000_000_000)
    assert (scheduler.drift(), scheduler.now()) == (-3_600_000, now)
    scheduler.correct(scheduler.drift())
    assert (scheduler.drift(), scheduler.now()) == (0, now - 3_600_000)
    await asyncio.sleep(10)
    assert (scheduler.drift(), scheduler.now()) == (0, now - 3_590_000)
    assert scheduler.monotonic() == moment + 10


async def test_calls_are_made_with_their_arguments_each_at_its_moment(scheduler: Scheduler) -> None:
    begun, made = scheduler.monotonic(), list[tuple[str, float]]()

    def note(what: str) -> None:
        made.append((what, scheduler.monotonic() - begun))

    scheduler.call_later(20, note, "second")
    scheduler.call_later(10, note, "first")
    scheduler.call_later(0, note, "at once")
    assert made == [], "no call is made before the loop's next turn"
    await asyncio.sleep(30)
    assert made == [("at once", 0), ("first", 10), ("second", 20)]


async def test_a_cancelled_call_is_not_made_and_cancelling_again_does_nothing(scheduler: Scheduler) -> None:
    made: list[str] = []
    call = scheduler.call_later(10, made.append, "cancelled")
    done = scheduler.call_later(5, made.append, "made")
    call.cancel()
    await asyncio.sleep(20)
    call.cancel()
    done.cancel()
    assert made == ["made"]


async def test_who_sleeps_goes_on_when_the_time_has_passed(scheduler: Scheduler) -> None:
    sleeping = asyncio.create_task(scheduler.sleep(10))
    await asyncio.sleep(9.9)
    assert not sleeping.done()
    await asyncio.sleep(0.1)
    await settle()
    assert sleeping.done()
