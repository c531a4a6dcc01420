"""The time of a match: when its question was asked and shown, and when its deadlines count.

Times of day are in ms UTC.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from bot.play.clocks.deadlines import GRACE, UNSEEN
from bot.play.match_state import MatchState
from bot.store.queries.matches import MatchRow, TimerRow
from engines.game import Seat

P = ParamSpec("P")
T = TypeVar("T")


def to_its_end(method: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Have a method finish its work even if its caller is cancelled. Otherwise a cancellation between commit and swap
    would leave the value behind the log."""

    @wraps(method)
    async def finished(*given: P.args, **named: P.kwargs) -> T:
        working = asyncio.ensure_future(method(*given, **named))
        working.add_done_callback(_heard)
        return await asyncio.shield(working)

    return finished


def _heard(working: asyncio.Future[Any]) -> None:
    """Read the exception of work whose caller was cancelled. Otherwise asyncio would log it as an error."""
    if not working.cancelled():
        working.exception()


class TimedMatch(MatchState):
    """A match with its queue: whatever changes it waits there."""

    __slots__ = ("_ahead", "_asked_at", "_logged_at", "_now", "_queue", "_shown")

    def __init__(self, row: MatchRow, now: Callable[[], int]) -> None:
        super().__init__(row)
        self._now = now
        self._queue = asyncio.Lock()
        self._asked_at = 0
        self._shown: tuple[int, int] | None = None
        self._ahead = 0
        self._logged_at = row.opened_at

    def mark_shown(self, window: int) -> bool:
        """Record that the board shows the question of this number. Returns whether this is the first time."""
        if window != self.window_number or (self._shown is not None and self._shown[0] == window):
            return False
        self._shown = (window, self._now())
        return True

    def deadline_with_grace(self, timer: TimerRow) -> int:
        """When the clock acts on a deadline.

        In a race that is the deadline. Otherwise a seat must not lose time through delays that are not its fault: a
        press at the last moment may be under way (GRACE), and the question may have been slow to appear.
        """
        if not self.awaited:
            return timer.deadline
        return timer.deadline + GRACE + self._unseen()

    @property
    def asked_at(self) -> int:
        """Since when its open question waits (ms UTC); since the start for one that was restored."""
        return self._asked_at

    @property
    def reading(self) -> list[Seat]:
        """The newcomers for whom the clock waits or has waited, at the open question, while they read (C-13)."""
        asked = [seat for seat in self.newcomers if seat in self.awaited]
        return [seat for seat in asked if (self.reads_until(seat) or 0) > self._asked_at]

    def _unseen(self) -> int:
        """How long (ms) the question took to appear on the board, or has taken so far; nothing in a race."""
        if not self.awaited:
            return 0
        shown_at = self._shown[1] if self._shown is not None and self._shown[0] == self.window_number else self._now()
        return min(max(0, shown_at - self._asked_at), UNSEEN)

    async def postpone(self, least: Callable[[TimerRow], int]) -> None:
        """Move each running deadline to `least(timer)` or later; none becomes earlier."""
        async with self._queue:
            timers = [replace(each, deadline=max(each.deadline, least(each))) for each in self._position.timers]
            self._position = replace(self._position, timers=tuple(timers))

    def kept_waiting(self) -> AbstractAsyncContextManager[None]:
        """Keep everything else in the queue waiting within the block."""
        return self._queue

    def credit(self, by: int) -> None:
        """Move what is to come, such as deadlines, by this many ms.

        Only while the match is `kept_waiting`; the store moves its rows itself.
        """
        timers = tuple(replace(timer, deadline=timer.deadline + by) for timer in self._position.timers)
        self._position = replace(self._position, timers=timers)

    def shift_time(self, by: int) -> None:
        """Move everything that was reckoned by the time of day, which is corrected by this many ms. Only as `credit`
        does."""
        self.credit(by)
        self._asked_at += by
        self._ahead += max(0, -by)
        if self._shown is not None:
            self._shown = self._shown[0], self._shown[1] + by

    def _logged_now(self) -> int:
        """The time for the next record (ms UTC). In a log time never runs backwards, and whose time runs out had all of
        it. So after the time of day was set back, the log stays as far ahead."""
        return max(self._logged_at, self._now() + self._ahead)

    def _continue_time(self, logged_at: int) -> None:
        """Take a log up whose last record is of this time. If that is yet to come, the time of day was set back."""
        self._logged_at = logged_at
        window, now = self._position.window, self._now()
        if window is None or logged_at <= now:
            return
        lengths = {(timer.name, timer.key): self._length(timer, window) for timer in window.timers}
        due = [row.deadline - lengths[row.name, row.key] for row in self._position.timers]
        self._ahead = logged_at - min([now, *due])

    def _half_first_time_passed(self, now: int) -> bool:
        """Whether half of the open question's time has passed. It starts when the question appeared on the board."""
        own = self._question_timer()
        if own is None:
            return False
        timer, length = own
        return 2 * (timer.deadline + self._unseen() - now) <= length

    def _question_timer(self) -> tuple[TimerRow, int] | None:
        """The deadline that is the open question's own, and its whole length (ms); None if the question has none.

        If there are several, the shortest is: the others limit more than this question.
        """
        window = self._position.window
        if window is None:
            return None
        lengths = {(timer.name, timer.key): self._length(timer, window) for timer in window.timers}
        own = [(row, lengths[row.name, row.key]) for row in self._position.timers if (row.name, row.key) in lengths]
        return min(own, key=lambda each: each[1], default=None)
