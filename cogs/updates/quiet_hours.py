"""The hours in which somebody is notified of nothing, by their own clock. What can wait comes when they end.

Discord does not say where somebody lives. So people say what time it is for them, to the hour, and what is kept is
how many hours they are ahead of UTC. Where clocks are put forward and back, or differ from UTC by half an hour, the
hours are off by as much. The screen shows them as timestamps of Discord's, which everybody reads in their own time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

QUIET_HOURS: Final = "quiet_hours"
UTC_OFFSET: Final = "utc_offset"
"""The names under which the store has them as preferences."""

HOUR: Final = 3_600_000
"""Milliseconds."""
DAY: Final = 24 * HOUR
_HOURS: Final = re.compile(r"([0-9]|1[0-9]|2[0-3])-([0-9]|1[0-9]|2[0-3])", re.ASCII)
_OFFSET: Final = re.compile(r"-?([0-9]|1[0-2])", re.ASCII)


@dataclass(frozen=True, slots=True)
class Hours:
    """From one full hour of a day to another, perhaps past midnight; the last one is not among them."""

    start: int
    end: int

    @classmethod
    def read(cls, text: str) -> Hours | None:
        """The hours that `write` wrote; None for any other text."""
        found = _HOURS.fullmatch(text)
        return None if found is None or found[1] == found[2] else cls(int(found[1]), int(found[2]))

    def write(self) -> str:
        """The hours as a text."""
        return f"{self.start}-{self.end}"

    def has(self, hour: int) -> bool:
        """Whether an hour of the day is among them."""
        return (hour - self.start) % 24 < (self.end - self.start) % 24


@dataclass(frozen=True, slots=True)
class QuietHours:
    """What somebody chose: the hours, and how many hours their clock is ahead of UTC. Either may be missing."""

    hours: Hours | None = None
    ahead: int | None = None

    @classmethod
    def of(cls, preferences: Mapping[str, str]) -> QuietHours:
        """What somebody's preferences say. What this program cannot read counts as not chosen."""
        offset = preferences.get(UTC_OFFSET, "")
        return cls(Hours.read(preferences.get(QUIET_HOURS, "")), int(offset) if _OFFSET.fullmatch(offset) else None)

    def hour(self, now: int) -> int | None:
        """The hour that their owner's clock shows at a moment (ms UTC); None if that is not known."""
        return None if self.ahead is None else (now // HOUR + self.ahead) % 24

    def are_now(self, now: int) -> bool:
        """Whether a moment (ms UTC) is in them. Without the time of their owner, none is."""
        hour = self.hour(now)
        return self.hours is not None and hour is not None and self.hours.has(hour)

    def until(self, now: int) -> int | None:
        """When they end (ms UTC) if a moment is in them; None if it isn't."""
        following = self.next(now)
        return following[1] if following is not None and self.are_now(now) else None

    def next(self, now: int) -> tuple[int, int] | None:
        """When they begin and end next (ms UTC), or began if they run now; None if they are not chosen."""
        if self.hours is None or self.ahead is None:
            return None
        end = _next(self.hours.end - self.ahead, now)
        return end - (self.hours.end - self.hours.start) % 24 * HOUR, end


def _next(hour: int, now: int) -> int:
    """When an hour of the day in UTC begins next, in ms UTC."""
    today = now - now % DAY + hour % 24 * HOUR
    return today if today > now else today + DAY


def offset_of(hour: int, now: int) -> int:
    """How many hours somebody's clock is ahead of UTC, from -11 to 12, if it shows this hour now (ms UTC)."""
    return (hour - now // HOUR + 11) % 24 - 11
