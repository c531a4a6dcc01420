"""Time: the match clocks players choose from, and the deadlines that are running.

A deadline is a row in the store; what runs here are only wake-up calls, lost with the process and set again at start.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from bot.durations import PRESETS, key_of, turn_of
from bot.store.rows import TimerRow
from engines.game import Length, Reply, Seconds, Turn

SLOW_FROM: Final = 10 * 60
"""From so many seconds a turn on, play is slow."""

GRACE: Final = 3500
"""How long after a deadline the clock acts (ms). A press of the last moment may take three seconds to reach us; what
comes later is dropped, its sender having been told that it failed. The rest is for its way to the match's queue."""
UNSEEN: Final = 60_000
"""How much time at most is given back for a question that was slow to be shown (ms)."""
STOOD_STILL: Final = 1.0
"""An alarm that is late by so many seconds tells that the loop stood still."""

WARNED_FROM: Final = 120
LONGEST_LEAD: Final = 3600


def warning_lead(length: int) -> int | None:
    """How long before the end of a question's time a player is warned, in seconds; None where the time (seconds) is so
    short that the mention of a turn is warning enough."""
    return None if length < WARNED_FROM else min(length // 4, LONGEST_LEAD)


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A match clock: its key in commands and rows, the time for a turn in seconds, and whether play is slow.

    The key is a preset's name, or for any other time its seconds: ``90s``. In slow play people are not expected to sit
    at the table: replies get a turn's time and invitations last a day.
    """

    key: str
    turn: int
    slow: bool

    def length(self, length: Length) -> int:
        """How long a timer of the rules runs at this pace, in seconds."""
        match length:
            case Turn():
                return self.turn
            case Seconds(seconds):
                return seconds
            case Reply(seconds):
                return self.turn if self.slow else seconds

    @property
    def invitation(self) -> int:
        """How long a challenge stands, in seconds."""
        return 24 * 3600 if self.slow else 15 * 60


def time_control(key: str) -> TimeControl:
    """The clock of a key, a preset's wherever it has the same time. Raises ValueError for a key that is none."""
    turn = turn_of(key)
    return TimeControl(key_of(turn), turn, slow=turn >= SLOW_FROM)


TIME_CONTROLS = MappingProxyType({key: time_control(key) for key in PRESETS})
"""The clocks that have names."""


class WallClock:
    """The time of day in milliseconds UTC, read once and carried on by the monotonic clock.

    So a jump of the machine's clock (F21) neither ends matches nor gives anybody an hour.
    """

    def __init__(self) -> None:
        self._start = time.time_ns() // 1_000_000 - time.monotonic_ns() // 1_000_000

    def __call__(self) -> int:
        return self._start + time.monotonic_ns() // 1_000_000


def _deadline(timer: TimerRow) -> int:
    return timer.deadline


@dataclass(frozen=True, slots=True)
class _Call:
    """What an owner had set."""

    timers: tuple[TimerRow, ...]
    ring: Callable[[TimerRow], None]
    due: Callable[[TimerRow], int]


class Deadlines:
    """Wake-up calls for deadlines, by owner (such as a match's or an invitation's id) and name."""

    def __init__(self, now: Callable[[], int]) -> None:
        self.paused = False
        self._now = now
        self._set: dict[str, _Call] = {}
        self._calls: dict[str, list[asyncio.TimerHandle]] = {}

    def set(
        self,
        owner: str,
        timers: Iterable[TimerRow],
        ring: Callable[[TimerRow], None],
        due: Callable[[TimerRow], int] = _deadline,
    ) -> None:
        """Let the owner's deadlines, and only these, ring when they are `due` (ms UTC; at once when overdue).

        While all is held, nothing rings.
        """
        self.clear(owner)
        self._set[owner] = _Call(tuple(timers), ring, due)
        self._start(owner)

    def clear(self, owner: str) -> None:
        """Forget what the owner had set."""
        self._set.pop(owner, None)
        self._stop(owner)

    def clear_all(self) -> None:
        """Forget everything."""
        for owner in tuple(self._set):
            self.clear(owner)

    def pause(self) -> None:
        """Let nothing ring until `go_on`."""
        self.paused = True
        for owner in self._set:
            self._stop(owner)

    def resume(self) -> None:
        """Let everything ring when it is due by now."""
        self.paused = False
        for owner in self._set:
            self._start(owner)

    def _start(self, owner: str) -> None:
        self._stop(owner)
        call = self._set[owner]
        if not self.paused:
            for timer in call.timers:
                self._begin(owner, max(0, call.due(timer) - self._now()) / 1000, call.ring, timer)

    def _stop(self, owner: str) -> None:
        for handle in self._calls.pop(owner, ()):
            handle.cancel()

    def _begin(self, owner: str, delay: float, ring: Callable[[TimerRow], None], timer: TimerRow) -> None:
        loop = asyncio.get_running_loop()
        at = loop.time() + delay
        self._calls.setdefault(owner, []).append(loop.call_at(at, self._ring, owner, at, ring, timer))

    def _ring(self, owner: str, at: float, ring: Callable[[TimerRow], None], timer: TimerRow) -> None:
        """Ring, unless the loop stood still: nobody was answered then, and what came in is still to be read."""
        late = asyncio.get_running_loop().time() - at
        if late > STOOD_STILL:
            self._begin(owner, late + GRACE / 1000, ring, timer)
        else:
            ring(timer)
