"""Time as it passes for the bot: the time of day, calls at a later moment, and days by UTC, the same for everybody.

What has timers takes a `Scheduler`, and what only asks for the time of day takes its `now`. So a test can let days pass
for the bot alone. What is measured against Discord or against the event loop reads the loop's own time instead
(`docs/decisions/0012-two-kinds-of-time.md`).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any, Final, Protocol, TypeVarTuple

_Ts = TypeVarTuple("_Ts")

DAY: Final = 24 * 3600 * 1000
"""Milliseconds."""


class ScheduledCall(Protocol):
    """A call that will be made."""

    def cancel(self) -> None:
        """Do not make it. Once it was made or cancelled, this does nothing."""


class Scheduler(Protocol):
    """What tells the time and makes calls later. All calls are made in the event loop's thread."""

    def now(self) -> int:
        """The time of day in ms UTC. It goes as `monotonic` goes: a jump of the machine's clock does not move it by
        itself, only `correct` does."""

    def drift(self) -> int:
        """How far the machine's time of day is ahead of `now`, in ms; negative if it is behind.

        It changes when the machine's clock is put right, and when the machine slept: `monotonic` sleeps with it. `now`
        is by Discord's clock as soon as that is known (`bot.gateway.discord_time`).
        """

    def correct(self, by: int) -> None:
        """Move `now` by this many ms. Deadlines must be moved in the same step."""

    def monotonic(self) -> float:
        """Seconds since some moment; never goes back."""

    def call_later(self, seconds: float, callback: Callable[[*_Ts], object], *args: *_Ts) -> ScheduledCall:
        """Call `callback` with `args` once this many seconds have passed; in the loop's next turn for 0."""

    async def sleep(self, seconds: float) -> None:
        """Return once this many seconds have passed."""


class LoopScheduler:
    """The running event loop's time. No jump of the machine's clock ends a match: `now` moves only by `correct`."""

    def __init__(self, time_of_day: int | None = None) -> None:
        """`time_of_day` is what to take for now (ms UTC); without it the machine is asked."""
        self._loop = asyncio.get_running_loop()
        machine = _time_of_day()
        now = machine if time_of_day is None else time_of_day
        self._start = now - self._milliseconds()
        self._ahead = now - machine

    def now(self) -> int:
        return self._start + self._milliseconds()

    def drift(self) -> int:
        return _time_of_day() + self._ahead - self.now()

    def correct(self, by: int) -> None:
        self._start += by

    def monotonic(self) -> float:
        return self._loop.time()

    def call_later(self, seconds: float, callback: Callable[[*_Ts], object], *args: *_Ts) -> ScheduledCall:
        return self._loop.call_later(seconds, callback, *args)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def _milliseconds(self) -> int:
        """The loop's time. By way of whole microseconds: sums of floats may lie just below a whole millisecond."""
        return round(self._loop.time() * 1_000_000) // 1000


class Tasks(set[asyncio.Task[None]]):
    """Work that nobody waits for: the event loop alone would forget it before it has ended."""

    def begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Have this done in a task of its own."""
        task = asyncio.get_running_loop().create_task(work)
        self.add(task)
        task.add_done_callback(self.discard)
        return task

    async def ended(self, *, cancelled: bool = False) -> None:
        """Wait until all of it has ended, whether well or not; `cancelled` at once."""
        if cancelled:
            for task in self:
                task.cancel()
        await asyncio.gather(*self, return_exceptions=True)


def _time_of_day() -> int:
    """The machine's time of day in ms UTC."""
    return time.time_ns() // 1_000_000


def day_of(now: int) -> int:
    """The number of days from 1970-01-01 to a moment (ms UTC)."""
    return now // DAY


def begins_at(day: int) -> int:
    """When a day begins (ms UTC)."""
    return day * DAY


def ends_at(day: int) -> int:
    """When a day ends (ms UTC): the next one begins at this moment."""
    return begins_at(day + 1)
