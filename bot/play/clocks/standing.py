"""The time for which the clock of a slow match stands: while somebody is away whom it waits for, and in a pause.

A deadline says when the time runs out if nothing changes. So it has in it what the clock still stands; when that
becomes more or less, the deadline moves with it. What is left of a player's own time stays the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from bot.store.queries.matches import TimerRow
from engines.game import Seat


@dataclass(frozen=True, slots=True)
class Standing:
    """Until when the clock stands (ms UTC): `away` for each seat while it is asked, `rests` for all."""

    away: tuple[int | None, ...] = ()
    rests: int | None = None

    def left(self, asked: Iterable[Seat], now: int) -> int:
        """For how long (ms) the clock still stands if these seats are asked."""
        ends = [self.rests, *(self.away_until(seat) for seat in asked)]
        return max(0, *(end - now for end in ends if end is not None), 0)

    def away_until(self, seat: Seat) -> int | None:
        """Until when a seat's player is or was away; None if they were not."""
        return self.away[seat] if seat < len(self.away) else None

    def with_away(self, seat: Seat, until: int | None, seats: int) -> Standing:
        """The same, with a seat's player away until another moment, in a match of this many seats."""
        return replace(self, away=tuple(until if each == seat else self.away_until(each) for each in range(seats)))


def later(timers: Iterable[TimerRow], by: int) -> tuple[TimerRow, ...]:
    """These deadlines, this many ms later."""
    return tuple(replace(timer, deadline=timer.deadline + by) for timer in timers) if by else tuple(timers)
