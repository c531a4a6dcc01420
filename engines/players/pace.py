"""How fast a computer player is in a race: as fast as the people at its table, and no faster than they can see.

A racer who is a tenth faster wins nearly every match, so a computer of a fixed speed would be hopeless or unbeatable.
It takes its speed from the people instead.

*What a person's speed is.* A gap is the time from a moment at which a seat surely had something to do (GO, or its own
last act) to its next act, in milliseconds, by the times of the log's records. Whether it had something to do is taken
from what everybody may know: a computer's pace must not give hidden cards away. The few longest gaps are left out,
because people pause, and because plays that came too late aren't in the log. The median and the spread of the others
are the person's. If there are several people, the computer takes the fastest one's, because a slower one doesn't win.
Until there are gaps, it takes 1.5 seconds.

*What the caller has to do*, for each seat of a computer in a race:

1. Fold `Gaps` over the records, in their order: `gaps.after(at, actor, racer.busy(public))`, where `public` is what
   everybody observes after the record. After a restart fold them again. `Gaps.begin` can be given a person's gaps of an
   earlier match.
2. Have the seat *look* when a person in its seat could see something new: when Discord has acknowledged an edit of the
   board, or when an act of its own was taken or refused (a person gets the newest hand in answer). A look is at the
   facts that were shown: for an edit, those from which that board was drawn, even if more have happened since. If the
   seat has seen newer facts already, in answer to its own act, it keeps to those.
3. If the seat isn't about to act, and its choices at the look have offers: ask the `Question` of the facts looked at
   (`question_for` with their state). If there are no offers, wait for the next look. A question has no window and no
   timers, because one of Tiv-Miv's timers tells what nobody may know (T-7a).
4. Act at the time of the look plus `reaction_ms`, through the match's queue as presses do, whatever has been shown in
   the meantime. If the rules refuse the act, that is a look.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, log
from random import Random
from statistics import mean, median
from types import MappingProxyType
from typing import Final

from engines.game import Seat
from engines.values import put

FIRST_MS: Final = 1500
"""The median reaction as long as no gap of a person is known."""
FIRST_SPREAD: Final = 0.3
"""The spread until then: the standard deviation of a reaction's logarithm."""
WEIGHT_OF_FIRST: Final = 2
"""While there are fewer than `ENOUGH` gaps, the first median counts as much as this number of them."""
ENOUGH: Final = 8
LAST: Final = 200
"""Only a seat's last gaps count, because people get faster and tired."""
LONGEST_SPREADS: Final = 2.0
"""Gaps that are longer than the median by more than this many spreads are left out."""
LOWER_QUARTILE: Final = 0.6745
"""How many standard deviations a normal distribution's lower quartile is below its median."""
SPREADS: Final = (0.1, 0.6)
MEDIANS_MS: Final = (300, 20_000)
REACTIONS_MS: Final = (250, 30_000)
MOST_CHANGE: Final = log(1.4)
"""A computer that keeps level is at most 1.4 times as fast or slow for that."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a level is: its median reaction, as a multiple of the people's.

    If it `keeps_level`, it becomes slower when it is ahead on the board, and faster when it is behind.
    """

    factor: float
    keeps_level: bool = False


PACES: Final[Mapping[str, Pace]] = MappingProxyType(
    {"easy": Pace(1.25), "normal": Pace(1.0, keeps_level=True), "hard": Pace(0.85)}
)
"""The paces of a race's levels, weakest first."""


@dataclass(frozen=True, slots=True)
class Gaps:
    """Every seat's last gaps, in milliseconds, oldest first, and since when each seat has had something to do."""

    seats: tuple[tuple[int, ...], ...]
    since: Mapping[Seat, int] = field(default_factory=dict)

    @classmethod
    def begin(cls, seats: int, earlier: Mapping[Seat, Sequence[int]] = MappingProxyType({})) -> Gaps:
        """The gaps before the first record; `earlier` has those of earlier matches, for seats that have any."""
        return cls(tuple([tuple(earlier.get(seat, ()))[-LAST:] for seat in range(seats)]))

    def after(self, at: int, actor: Seat | None, busy: Collection[Seat]) -> Gaps:
        """The gaps after a record of the log made `at` a time in milliseconds; None is the clock's. `busy` are the
        seats that surely have something to do after it (`Racer.busy`)."""
        seats = self.seats
        if actor is not None and actor in self.since:
            gap = max(0, at - self.since[actor])
            seats = put(seats, actor, (*seats[actor], gap)[-LAST:])
        return Gaps(seats, {seat: at if seat == actor else self.since.get(seat, at) for seat in busy})


def reaction_ms(gaps: Gaps, people: Collection[Seat], pace: Pace, luck: int, ahead: float = 0.0) -> int:
    """How many milliseconds a computer takes from its look to its act, drawn lognormally by `luck`.

    `people` are the seats of people who are still in the match. `ahead` is from `Racer.ahead`, for the board as it was
    looked at. `luck` is the question's.
    """
    speeds = [_speed(gaps.seats[seat]) for seat in people if gaps.seats[seat]]
    middle, spread = min(speeds, default=(log(FIRST_MS), FIRST_SPREAD))
    held_back = max(-MOST_CHANGE, min(MOST_CHANGE, ahead)) if pace.keeps_level else 0.0
    # Luck chooses the card as well, so the time has a text of its own.
    drawn = Random(f"reaction {luck}").gauss(0, spread)
    return round(_within(REACTIONS_MS, exp(middle + held_back + drawn) * pace.factor))


def _speed(gaps: Sequence[int]) -> tuple[float, float]:
    """The median of a person's reactions, as a logarithm, and their spread, without the few longest gaps."""
    ordered = sorted(gaps)
    if len(ordered) < ENOUGH:
        known = [log(_within(MEDIANS_MS, gap)) for gap in ordered]
        return mean([log(FIRST_MS)] * WEIGHT_OF_FIRST + known), FIRST_SPREAD
    middle, spread = _median_and_spread(ordered)
    kept = bisect_right(ordered, exp(middle + LONGEST_SPREADS * spread))
    return _median_and_spread(ordered[: max(kept, ENOUGH)])


def _median_and_spread(ordered: Sequence[int]) -> tuple[float, float]:
    """Of logarithms; the spread by the lower half, which neither pauses nor refused plays reach."""
    middle = log(_within(MEDIANS_MS, median(ordered)))
    lower = log(_within(MEDIANS_MS, ordered[len(ordered) // 4]))
    return middle, _within(SPREADS, (middle - lower) / LOWER_QUARTILE)


def _within(bounds: tuple[float, float], value: float) -> float:
    return max(bounds[0], min(bounds[1], value))
