"""Deadlines as wake-up calls: at their moment, none while paused, and none on top of a blocked loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from bot.play.clocks.deadlines import GRACE, STOOD_STILL, Deadlines
from bot.scheduler import LoopScheduler
from bot.store.queries.matches import TimerRow
from discord_sandbox.virtual_time import block, settle
from tests.bot.play.parts import BEGUN


class Alarms:
    """Deadlines, and what has rung: each timer's name with the seconds since the beginning."""

    def __init__(self) -> None:
        self.scheduler = LoopScheduler(BEGUN)
        self.deadlines = Deadlines(self.scheduler)
        self.rung: list[tuple[str, float]] = []

    def set(self, owner: str, *seconds: float, due: Callable[[TimerRow], int] | None = None) -> None:
        """Set an owner's deadlines, so many seconds after the beginning."""
        timers = [TimerRow(owner, f"{owner}{each}", "", BEGUN + int(each * 1000)) for each in seconds]
        if due is None:
            self.deadlines.set(owner, timers, self._ring)
        else:
            self.deadlines.set(owner, timers, self._ring, due)

    def _ring(self, timer: TimerRow) -> None:
        self.rung.append((timer.name, (self.scheduler.now() - BEGUN) / 1000))


@pytest.fixture
async def alarms() -> Alarms:
    return Alarms()


async def test_each_rings_once_at_its_moment_and_an_overdue_one_at_once(alarms: Alarms) -> None:
    alarms.set("a", 10, 20)
    alarms.set("b", -5)
    await asyncio.sleep(30)
    assert alarms.rung == [("b-5", 0), ("a10", 10), ("a20", 20)]


async def test_an_owners_new_deadlines_take_the_place_of_its_former_ones(alarms: Alarms) -> None:
    alarms.set("a", 10, 20)
    alarms.set("b", 15)
    alarms.set("a", 30)
    alarms.deadlines.clear("b")
    await asyncio.sleep(40)
    assert alarms.rung == [("a30", 30)]
    alarms.deadlines.clear("a")
    assert alarms.deadlines.idle


async def test_what_is_due_later_than_its_deadline_rings_then(alarms: Alarms) -> None:
    alarms.set("a", 10, due=lambda timer: timer.deadline + 2500)
    await asyncio.sleep(20)
    assert alarms.rung == [("a10", 12.5)]


async def test_while_they_are_paused_nothing_rings_and_afterwards_what_is_overdue_does(alarms: Alarms) -> None:
    alarms.set("a", 10)
    alarms.deadlines.pause()
    alarms.set("b", 50)
    await asyncio.sleep(40)
    assert (alarms.rung, alarms.deadlines.paused) == ([], True)
    alarms.deadlines.resume()
    await asyncio.sleep(20)
    assert alarms.rung == [("a10", 40), ("b50", 50)]


async def test_after_a_blocked_loop_it_waits_for_those_who_could_not_press(alarms: Alarms) -> None:
    alarms.set("a", 10)
    await asyncio.sleep(9)
    blocked = 6.0
    block(blocked)
    await settle()
    assert alarms.rung == []
    late = blocked - 1
    await asyncio.sleep(late + GRACE / 1000)
    await settle()
    assert alarms.rung == [("a10", 9 + blocked + late + GRACE / 1000)]


async def test_a_loop_that_is_a_little_late_is_not_blocked(alarms: Alarms) -> None:
    alarms.set("a", 10)
    await asyncio.sleep(9.5)
    block(0.5 + STOOD_STILL)
    await settle()
    assert [name for name, _ in alarms.rung] == ["a10"]


async def test_once_they_are_closed_nothing_rings_and_none_is_set(alarms: Alarms) -> None:
    alarms.set("a", 10)
    alarms.set("b", 20)
    alarms.deadlines.close()
    alarms.set("c", 25)
    assert alarms.deadlines.idle
    await asyncio.sleep(30)
    assert alarms.rung == []
