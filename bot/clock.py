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

from bot.store.base import TimerRow
from bot.typed_time import PRESETS, key_of, turn_of
from engines.game import Length, Reply, Seconds, Turn

SLOW_FROM: Final = 10 * 60
"""From so many seconds a turn on, play is slow."""


@dataclass(frozen=True, slots=True)
class Pace:
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


def pace(key: str) -> Pace:
    """The clock of a key, a preset's wherever it has the same time. Raises ValueError for a key that is none."""
    turn = turn_of(key)
    return Pace(key_of(turn), turn, slow=turn >= SLOW_FROM)


PACES = MappingProxyType({key: pace(key) for key in PRESETS})
"""The clocks that have names."""


class WallClock:
    """The time of day in milliseconds UTC, read once and carried on by the monotonic clock.

    So a jump of the machine's clock (F21) neither ends matches nor gives anybody an hour.
    """

    def __init__(self) -> None:
        self._start = time.time_ns() // 1_000_000 - time.monotonic_ns() // 1_000_000

    def __call__(self) -> int:
        return self._start + time.monotonic_ns() // 1_000_000


class Alarms:
    """Wake-up calls for deadlines, by owner (a match's or an invitation's id) and name."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._calls: dict[str, list[asyncio.TimerHandle]] = {}

    def set(self, owner: str, timers: Iterable[TimerRow], ring: Callable[[TimerRow], None]) -> None:
        """Let the owner's deadlines, and only these, ring when they are due (at once when overdue)."""
        self.clear(owner)
        loop = asyncio.get_running_loop()
        calls = [loop.call_later(max(0, timer.deadline - self._now()) / 1000, ring, timer) for timer in timers]
        if calls:
            self._calls[owner] = calls

    def clear(self, owner: str) -> None:
        """Forget the owner's calls."""
        for call in self._calls.pop(owner, ()):
            call.cancel()

    def clear_all(self) -> None:
        """Forget every call."""
        for owner in tuple(self._calls):
            self.clear(owner)
