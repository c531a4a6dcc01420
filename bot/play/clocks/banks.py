"""The time that each player of a match has for all questions together (ruling C-15), and what each answer does to it.

While the match waits for a seat, its time runs; with the answer it gets some back, or with each day. The clock of a
question is due when the first of those whom it waits for has nothing left. How much of it was used follows from the
deadline and from what they had when it began. So whatever moves the deadline (an outage, a pause, a corrected clock,
somebody who reads) costs nobody anything, and the banks change only with acts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

from bot.play.computers.stand_ins import TakenBack, TakenOver
from bot.time_controls import TimeControl
from engines.game import Resign, Seat, Timer, TimeUp, Window


@dataclass(frozen=True, slots=True)
class Banks:
    """What the seats have left, in ms, on a clock with a bank.

    Seats `by_computers` have the whole time for each question. If not `each`, the game can't take the time of one seat
    alone: then those whom a question waits for share what the one with the most has.
    """

    clock: TimeControl
    left: tuple[int, ...]
    by_computers: frozenset[Seat] = frozenset()
    each: bool = True

    @property
    def whole(self) -> int:
        """The most that a bank holds, which is what it has at the beginning."""
        return 1000 * self.clock.turn

    def of(self, seat: Seat) -> int:
        """What a seat has for a question."""
        return self.whole if seat in self.by_computers else self.left[seat]

    def lasts(self, asked: Iterable[Seat]) -> int:
        """How long a question lasts that waits for these seats."""
        first = min if self.each else max
        return first(map(self.of, asked), default=self.whole)

    def late(self, asked: Collection[Seat]) -> tuple[Seat, ...]:
        """Those of the seats whose time is up with the question's; empty for all, in a game that can't take some."""
        lasts = self.lasts(asked)
        return tuple([seat for seat in sorted(asked) if self.of(seat) == lasts]) if self.each else ()

    def differing(self, before: Banks) -> dict[Seat, int]:
        """What the seats have left that had more or less before."""
        return {seat: left for seat, left in enumerate(self.left) if left != before.left[seat]}

    def runs(self, timers: Iterable[Timer]) -> Timer | None:
        """The one of a question's timers that runs as long as the banks last; None if none does."""
        return next((timer for timer in timers if self.clock.runs_bank(timer.length)), None)

    def after(  # noqa: PLR0917  a question, and the act that answers it
        self, asked: Window, then: Window | None, actor: Seat | None, action: Any, used: int, days: int
    ) -> Banks:
        """After an act at a question, to which `then` follows. It had taken `used` ms; as many `days` began since the
        act before it."""
        bank = self.clock.bank
        if bank is None:
            return self
        who = self._answered(asked, then, actor, action) if self.runs(asked.timers) else ()
        gets, daily = 1000 * bank.more, 1000 * bank.more * days if bank.by_day else 0
        left = list(self.left)
        for seat in asked.awaited.intersection(who) - self.by_computers:
            rest = max(0, left[seat] - used)
            answered = rest if bank.by_day else rest + gets
            left[seat] = min(self.whole, gets if actor is None else answered)
        return replace(self, left=tuple([min(self.whole, each + daily) if daily else each for each in left]))

    def _answered(self, asked: Window, then: Window | None, actor: Seat | None, action: Any) -> tuple[Seat, ...]:
        """The seats that an act answers for: none that only leaves, or whom the question still waits for."""
        match action:
            case TimeUp(seats=seats):
                return seats or tuple(asked.awaited)
            case TakenOver(seats) if actor is None:
                return seats
            case TakenOver() | TakenBack() | Resign():
                return ()
        still = then is not None and then.number == asked.number and actor in then.awaited
        return () if actor is None or still else (actor,)
