"""A scheduler whose time a test moves on, while the loop's own time, which the sandbox goes by, stays as it is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import count
from typing import Any, TypeVarTuple

from bot.scheduler import LoopScheduler, ScheduledCall

_Ts = TypeVarTuple("_Ts")


class MovableScheduler:
    """A `bot.scheduler.Scheduler`: real time, and what a test added to it."""

    def __init__(self, ahead: float = 0.0) -> None:
        """Begin `ahead` seconds before the machine's time of day."""
        self._real = LoopScheduler()
        self._ahead = ahead
        self._order = count()
        self._calls: dict[int, _Call] = {}

    def now(self) -> int:
        return self._real.now() + round(self._ahead * 1000)

    def drift(self) -> int:
        return self._real.drift()

    def correct(self, by: int) -> None:
        self._real.correct(by)

    def monotonic(self) -> float:
        return self._real.monotonic() + self._ahead

    def call_later(self, seconds: float, callback: Callable[[*_Ts], object], *args: *_Ts) -> ScheduledCall:
        number = next(self._order)
        call = _Call(self.monotonic() + seconds, lambda: callback(*args), lambda: self._calls.pop(number, None))
        self._calls[number] = call
        self._set(call)
        return call

    async def sleep(self, seconds: float) -> None:
        over = asyncio.Event()
        call = self.call_later(seconds, over.set)
        try:
            await over.wait()
        finally:
            call.cancel()

    def jump(self, seconds: float) -> None:
        """Let time pass without calling what is due meanwhile, as in a process that was put to sleep.

        It is called when its real time has come, or by the next `advance`.
        """
        self._ahead += seconds

    def advance(self, seconds: float) -> None:
        """Let time pass at once. What is due meanwhile is called in its order, each at its own moment."""
        end = self.monotonic() + seconds
        while self._calls:
            call = min(self._calls.values(), key=lambda each: each.due)
            if call.due > end:
                break
            self._ahead += max(0.0, call.due - self.monotonic())
            call.make()
        self._ahead += max(0.0, end - self.monotonic())
        for call in self._calls.values():
            self._set(call)

    def _set(self, call: _Call) -> None:
        """Have the loop make a call once the rest of its time has passed."""
        if call.handle is not None:
            call.handle.cancel()
        call.handle = self._real.call_later(max(0.0, call.due - self.monotonic()), call.make)


class _Call:
    """A call that waits; it is made once, by the loop or by the test, whichever comes first."""

    def __init__(self, due: float, callback: Callable[[], object], forget: Callable[[], Any]) -> None:
        self.due = due
        self.handle: ScheduledCall | None = None
        self._callback = callback
        self._forget = forget

    def make(self) -> None:
        self.cancel()
        self._callback()

    def cancel(self) -> None:
        self._forget()
        if self.handle is not None:
            self.handle.cancel()
