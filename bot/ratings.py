"""Estimates players' strength, and updates the estimate after a result.

The model is Plackett and Luce's, updated as by Weng and Lin ("A Bayesian Approximation Method for Online Ranking",
Journal of Machine Learning Research 12, 2011), by the openskill library with its defaults. A belief is a normal
distribution: `mu` is the most likely strength, and `sigma` is the uncertainty.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from openskill.models import PlackettLuce

SCALE = 40
"""Players see the model's numbers times this, so that a new player has 1000."""

SURE = 3
"""Leaderboards rank by `mu` less this many sigmas: the real strength is almost certainly higher."""

SETTLED = 750
"""A rating is provisional while its uncertainty, as players read it, is larger than this: three quarters of a new
player's. About ten matches of two bring it there, if they weigh in full."""

_MODEL = PlackettLuce()


@dataclass(frozen=True, slots=True)
class Rating:
    """A belief about a player's strength, on the model's own scale (a new player: 25 and 25/3)."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """mu - 3 sigma. Leaderboards use this order, so that a few lucky matches do not beat many good ones."""
        return self.mu - SURE * self.sigma

    @property
    def shown(self) -> int:
        """The rating as players read it: 40 mu, rounded; 1000 for a new player."""
        return round(SCALE * self.mu)

    @property
    def uncertainty(self) -> int:
        """The uncertainty as players read it: 40 times 3 sigma, rounded; 1000 for a new player.

        So readers can follow a leaderboard: its order is that of `shown` less `uncertainty`.
        """
        return round(SCALE * SURE * self.sigma)

    @property
    def provisional(self) -> bool:
        """Whether it is too uncertain to say much."""
        return self.uncertainty > SETTLED


NEW = Rating(_MODEL.mu, _MODEL.sigma)
"""The belief about a new player."""


def rate(before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """The updated beliefs after a match, by seat.

    `ranks[seat]` counts from 1; seats with equal ranks shared a place (as in `engines.game.Outcome`). Raises ValueError
    unless there are at least two seats and one rank for each.
    """
    if len(before) < 2 or len(before) != len(ranks):
        raise ValueError("a match is rated by one rank for each of at least two seats")
    teams = [[_MODEL.create_rating([rating.mu, rating.sigma])] for rating in before]
    return [Rating(player.mu, player.sigma) for (player,) in _MODEL.rate(teams, ranks=[float(rank) for rank in ranks])]


def interpolated(before: Rating, after: Rating, weight: float) -> Rating:
    """What becomes of a belief by a match that weighs this much, from 0 to 1, if a whole one would make it `after`.

    Both numbers go that part of the way. The library has nothing for this: its `weights` are shares inside a team.
    """
    return Rating(
        before.mu + weight * (after.mu - before.mu),
        before.sigma + weight * (after.sigma - before.sigma),
    )


def chances(before: Sequence[Rating]) -> list[float]:
    """Each seat's chance of coming first, by the model and what was believed before the match. They add up to 1."""
    spread = math.sqrt(sum(rating.sigma**2 + _MODEL.beta**2 for rating in before))
    best = max(rating.mu for rating in before)
    strengths = [math.exp((rating.mu - best) / spread) for rating in before]
    return [strength / sum(strengths) for strength in strengths]


def expected(mine: float, theirs: float) -> float:
    """The chance to come before another, from 0 to 1, if both strengths (`mu`) were known for certain."""
    return 1 / (1 + math.exp((theirs - mine) / (math.sqrt(2) * _MODEL.beta)))
