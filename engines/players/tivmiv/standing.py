"""Who is busy in Tiv-Miv and who is ahead, by what everybody may know."""

from __future__ import annotations

from statistics import NormalDist
from typing import Final

from engines.game import Seat
from engines.tivmiv import MOST_SEATS, PACK, Public, Stage

USUAL_VALUE: Final = 5.5
"""The mean main value of a card."""
SPEED_IN_POINTS: Final = 7.0
"""A seat that is 1 % faster gains 0.07 points in a phase for each card it was dealt (measured for two)."""
CATCH_UP: Final = 3.0
"""How much sooner the seats are level again than at the end of the match."""
LEAST_LEFT: Final = 0.3
"""The part of a phase that counts as left at its end."""
LAST_POINTS: Final = 17.0
"""About the standard deviation of the difference in points at the end, if one of two keeps level."""

_BEHIND: Final = {seats: NormalDist().inv_cdf(1 - 1 / seats) for seats in range(2, MOST_SEATS + 1)}
"""By how many standard deviations one stays behind to win its share of the matches."""


def busy(public: Public) -> frozenset[Seat]:
    """The seats that surely have something to do: in the race a deck can be drawn from. Whether a seat without a deck
    could place a card is hidden."""
    if public.stage is not Stage.RACE:
        return frozenset()
    return frozenset([seat for seat, deck in enumerate(public.decks) if deck and seat not in public.out])


def ahead(public: Public, seat: Seat) -> float:
    """How much slower the seat would have to be for the race to stay even, as a logarithm; negative if it is behind.

    It is compared with the best of the others, by points and by cards left. What it gained in scored phases tells how
    much too fast it is for a whole phase; what it is ahead now would have to be lost in what is left of the match.
    Of several others it stays a few points behind the best, so that it wins one match in three against two of its
    speed, and not every second one.
    """
    others = [other for other in range(len(public.hands)) if other != seat and other not in public.out]
    if public.stage is not Stage.RACE or not others:
        return 0.0
    seats = len(others) + 1
    dealt = (len(PACK.cards) - 1) // seats
    left = [hand + deck for hand, deck in zip(public.hands, public.decks, strict=True)]
    costs = [total + USUAL_VALUE * cards for total, cards in zip(public.totals, left, strict=True)]
    scored = min([public.totals[other] for other in others]) - public.totals[seat]
    now = min([costs[other] for other in others]) - costs[seat] + LAST_POINTS * _BEHIND[seats]
    phases_left = public.phases - public.phase + min([left[seat], *[left[other] for other in others]]) / dealt
    return (scored + CATCH_UP * now / max(LEAST_LEFT, phases_left)) / (SPEED_IN_POINTS * dealt)
