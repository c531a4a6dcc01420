"""Running deadlines, as timers of the event loop.

A deadline is a row in the store. The timers end with the process and are set again at the next start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from bot.scheduler import ScheduledCall, Scheduler
from bot.store.queries.matches import TimerRow

GRACE: Final = 3500
"""How long after a deadline the clock acts (ms). A press at the last moment may take three seconds to arrive. Later
ones are dropped, because Discord told their sender that they failed. The rest is for its way to the match's queue."""
UNSEEN: Final = 60_000
"""The most time to add if a question was slow to appear (ms)."""
STOOD_STILL: Final = 1.0
"""If a timer is this late (seconds), the event loop was blocked."""


def _deadline(timer: TimerRow) -> int:
    return timer.deadline


@dataclass(frozen=True, slots=True)
class _Call:
    """The deadlines of one owner, and what to call when they are due."""

    timers: tuple[TimerRow, ...]
    ring: Callable[[TimerRow], object]
    due: Callable[[TimerRow], int]


class Deadlines:
    """Timers for deadlines, by owner (such as a match's or an invitation's id) and name."""

    def __init__(self, scheduler: Scheduler) -> None:
        self.paused = False
        self._closed = False
        self._scheduler = scheduler
        self._set: dict[str, _Call] = {}
        self._calls: dict[str, list[ScheduledCall]] = {}

    def set(
        self,
        owner: str,
        timers: Iterable[TimerRow],
        ring: Callable[[TimerRow], object],
        due: Callable[[TimerRow], int] = _deadline,
    ) -> None:
        """Replace the owner's deadlines: each rings when it is `due` (ms UTC), at once if it is overdue.

        While the deadlines are paused, nothing rings. Once they are closed, this does nothing.
        """
        if self._closed:
            return
        self.clear(owner)
        self._set[owner] = _Call(tuple(timers), ring, due)
        self._start(owner)

    def clear(self, owner: str) -> None:
        """Clear the owner's deadlines."""
        self._set.pop(owner, None)
        self._stop(owner)

    def close(self) -> None:
        """Clear all deadlines, and take no more: while a process ends, acts and edits under way would set new ones."""
        self._closed = True
        for owner in tuple(self._set):
            self.clear(owner)

    @property
    def idle(self) -> bool:
        """Whether nobody has a deadline that would ring, now or after `resume`."""
        return not self._set and not self._calls

    def pause(self) -> None:
        """Ring nothing until `resume`."""
        self.paused = True
        for owner in self._set:
            self._stop(owner)

    def resume(self) -> None:
        """Ring deadlines again, at once those that are due by now."""
        self.paused = False
        for owner in self._set:
            self._start(owner)

    def _start(self, owner: str) -> None:
        self._stop(owner)
        call = self._set[owner]
        if not self.paused:
            for timer in call.timers:
                self._begin(owner, max(0, call.due(timer) - self._scheduler.now()) / 1000, call.ring, timer)

    def _stop(self, owner: str) -> None:
        for handle in self._calls.pop(owner, ()):
            handle.cancel()

    def _begin(self, owner: str, delay: float, ring: Callable[[TimerRow], object], timer: TimerRow) -> None:
        at = self._scheduler.monotonic() + delay
        call = self._scheduler.call_later(delay, self._ring, owner, at, ring, timer)
        self._calls.setdefault(owner, []).append(call)

    def _ring(self, owner: str, at: float, ring: Callable[[TimerRow], object], timer: TimerRow) -> None:
        """Ring, unless the event loop was blocked: then nobody got an answer, and presses may still wait to be read."""
        late = self._scheduler.monotonic() - at
        if late > STOOD_STILL:
            self._begin(owner, late + GRACE / 1000, ring, timer)
        else:
            ring(timer)
