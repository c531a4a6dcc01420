"""A slow match whose clock stands while somebody is away whom it waits for, or while its players pause (C-14).

A deadline says when the time runs out if nothing changes. So it has in it what the clock still stands; when that
becomes more or less, the deadline moves with it. What is left of a player's own time stays the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

from bot.play.clocks.banks import Banks
from bot.play.clocks.timed_match import TimedMatch, to_its_end
from bot.play.refusals import translate_errors
from bot.scheduler import DAY
from bot.store.queries.matches import MatchRow, TimerRow
from bot.store.special_ids import is_computer
from bot.store.store import Store
from engines.game import Seat, Window

REST: Final = 3 * DAY
"""For how long (ms) a match stands once its players have agreed to pause, unless one of them lets it go on."""

NOBODY_WANTS: Final[tuple[int, frozenset[Seat]]] = (0, frozenset())
"""The number of a question, and the seats that would like to pause before it is answered."""


@dataclass(frozen=True, slots=True)
class Stops:
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

    def with_away(self, seat: Seat, until: int | None, seats: int) -> Stops:
        """The same, with a seat's player away until another moment, in a match of this many seats."""
        return replace(self, away=tuple(until if each == seat else self.away_until(each) for each in range(seats)))


def later(timers: Iterable[TimerRow], by: int) -> tuple[TimerRow, ...]:
    """These deadlines, this many ms later."""
    return tuple(replace(timer, deadline=timer.deadline + by) for timer in timers) if by else tuple(timers)


class StoppableMatch(TimedMatch):
    """A match with the methods that make its clock stand and go on. The deadlines move in the same transaction."""

    __slots__ = ("_rest_wanted", "_store")

    def __init__(self, row: MatchRow, store: Store, now: Callable[[], int]) -> None:
        super().__init__(row, now)
        self._store = store
        self._rest_wanted = NOBODY_WANTS

    @property
    def can_stand(self) -> bool:
        """Whether its clock may stand: in slow play alone, and not in a race."""
        return not self.over and self.has_clock and self.time_control.slow and self.game.info.turn_clock

    @property
    def away(self) -> dict[Seat, int]:
        """The seats whose players are away, each with until when (ms UTC)."""
        if not any(self._row.away_until) or not self.can_stand:
            return {}
        now, each = self._now(), enumerate(self._row.away_until)
        return {seat: until for seat, until in each if until is not None and until > now and self.is_in(seat)}

    @property
    def rests_until(self) -> int | None:
        """Until when its players pause (ms UTC); None if they don't."""
        until = self._row.rests_until
        return until if until is not None and until > self._now() and self.can_stand else None

    @property
    def want_rest(self) -> frozenset[Seat]:
        """The seats that would like to pause at the open question."""
        window, seats = self._rest_wanted
        return seats if window == self.window_number and self.can_stand else frozenset()

    def away_until(self, seat: Seat) -> int:
        """Until when a seat's player is away (ms UTC) as the match knows it, which may be past; 0 if they aren't."""
        return self._stops.away_until(seat) or 0

    @to_its_end
    async def set_away(self, seat: Seat, until: int) -> bool:
        """Have the clock stand while it waits for a seat, whose player is away until then (ms UTC); a moment that is
        past ends that. Returns whether anything changed. Raises Unsaved and StoreError."""
        async with self._queue:
            known, wanted = self._stops.away_until(seat), until if until > self._now() else None
            if not self.can_stand or wanted == known:
                return False
            stops = self._stops.with_away(seat, wanted, len(self.seats))
            timers = self._moved_by(stops)
            await translate_errors(self._store.set_away(self.id, seat, wanted, timers))
            self._row = replace(self._row, away_until=stops.away)
            self._position = replace(self._position, timers=timers)
            return True

    @to_its_end
    async def agree_to_rest(self, seat: Seat) -> bool:
        """Agree to pause, or pause for `REST` if all who are still in have agreed; computers do. Returns whether it
        pauses now. Raises Unsaved and StoreError."""
        async with self._queue:
            if not self.can_stand or self.inactive or self.rests_until is not None:
                return self.rests_until is not None
            wanted = self.want_rest | {seat}
            asked = (each for each, user in enumerate(self.seats) if not is_computer(user) and self.is_in(each))
            if not wanted.issuperset(asked):
                self._rest_wanted = self.window_number, wanted
                return False
            await self._rest(self._now() + REST)
            return True

    @to_its_end
    async def end_rest(self) -> bool:
        """Let the clock go on. Returns whether it rested, or would have until lately. Raises Unsaved and StoreError."""
        async with self._queue:
            if self._row.rests_until is None or not self.can_stand:
                return False
            await self._rest(None)
            return True

    async def _rest(self, until: int | None) -> None:
        timers = self._moved_by(replace(self._stops, rests=until))
        await translate_errors(self._store.set_rest(self.id, until, timers))
        self._rest_wanted = NOBODY_WANTS
        self._row = replace(self._row, rests_until=until)
        self._position = replace(self._position, timers=timers)

    @property
    def rest_is_over(self) -> bool:
        """Whether a pause has ended by itself, and nobody has said so yet."""
        return self._row.rests_until is not None and self.rests_until is None and self.can_stand

    def credit(self, by: int) -> None:
        super().credit(by)
        moved = tuple(until if until is None else until + by for until in self._row.away_until)
        rests = self._row.rests_until
        self._row = replace(self._row, away_until=moved, rests_until=None if rests is None else rests + by)

    @property
    def _stops(self) -> Stops:
        return Stops(self._row.away_until, self._row.rests_until)

    def _stands(self, window: Window | None, now: int, stops: Stops | None = None) -> int:
        """For how long (ms) the clock is still stopped at a question."""
        row = self._row
        if stops is None and not row.away_until and row.rests_until is None:
            return 0  # nearly always
        stops = self._stops if stops is None else stops
        return stops.left(window.awaited, now) if window is not None and self.can_stand else 0

    def _bank_row(self, timers: Iterable[TimerRow], window: Window | None) -> TimerRow | None:
        """The one of these deadlines that a question's banks make; None if it has none."""
        banks = self.banks
        bank = None if banks is None or window is None else banks.runs(window.timers)
        if bank is None:
            return None
        return next((row for row in timers if (row.name, row.key) == (bank.name, bank.key)), None)

    def _used(self, now: int) -> int:
        """How much (ms) the open question has taken so far of the banks of those whom it waits for: nothing before it
        appeared on the board, nor while the clock stood."""
        banks, window = self.banks, self._position.window
        row = self._bank_row(self._position.timers, window)
        if banks is None or window is None or row is None:
            return 0
        left = row.deadline + self._unseen() - now - self._stands(window, now)
        return max(0, banks.lasts(window.awaited) - left)

    def _lasting(self, running: Iterable[TimerRow], then: Window | None, banks: Banks) -> tuple[TimerRow, ...]:
        """These deadlines of the open question, as they are if it goes on with other banks, or with fewer seats that it
        waits for."""
        before, asked, running = self.banks, self._position.window, tuple(running)
        row = self._bank_row(running, asked)
        if before is None or asked is None or then is None or row is None:
            return running
        by = banks.lasts(then.awaited) - before.lasts(asked.awaited)
        return tuple([replace(each, deadline=each.deadline + by) if each is row else each for each in running])

    def due_for(self, seat: Seat) -> int | None:
        """When the open question is due for a seat that it waits for (ms UTC), by its bank; None if no bank runs."""
        banks, window = self.banks, self._position.window
        row = self._bank_row(self._position.timers, window)
        if banks is None or window is None or row is None or seat not in window.awaited:
            return None
        return row.deadline + (banks.of(seat) - banks.lasts(window.awaited) if banks.each else 0)

    def _with_stops(self, timers: Iterable[TimerRow]) -> tuple[TimerRow, ...]:
        """Deadlines of the open question that leave out for how long the clock stands, with that."""
        return later(timers, self._stands(self._position.window, self._now()))

    def _moved_by(self, stops: Stops) -> tuple[TimerRow, ...]:
        """The deadlines if the clock stands so from now on."""
        now, window = self._now(), self._position.window
        return later(self._position.timers, self._stands(window, now, stops) - self._stands(window, now))
