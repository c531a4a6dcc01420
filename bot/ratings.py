"""How strong a player is believed to be, and what a result teaches about it.

The model is Plackett and Luce's as Weng and Lin update it ("A Bayesian Approximation Method for Online Ranking",
Journal of Machine Learning Research 12, 2011), by the openskill library with its defaults. A belief is a normal
distribution: `mu` is the strength thought likeliest, `sigma` how unsure that still is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openskill.models import PlackettLuce

SCALE = 40
"""What players read is the model's numbers times this, so that a new player stands at 1000."""

SURE = 3
"""How many sigmas below `mu` a strength is all but certain to lie: where a leaderboard ranks a player."""

_MODEL = PlackettLuce()


@dataclass(frozen=True, slots=True)
class Rating:
    """A belief about a player's strength, on the model's own scale (a new player: 25 and 25/3)."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """mu - 3 sigma: leaderboards order by it, so a few lucky matches do not beat many good ones."""
        return self.mu - SURE * self.sigma

    @property
    def shown(self) -> int:
        """The rating as players read it: 40 mu, rounded; 1000 for a new player."""
        return round(SCALE * self.mu)

    @property
    def uncertainty(self) -> int:
        """The uncertainty as players read it: 40 times 3 sigma, rounded; 1000 for a new player.

        So a leaderboard can be followed with the eye: its order is that of `shown` less `uncertainty`.
        """
        return round(SCALE * SURE * self.sigma)


NEW = Rating(_MODEL.mu, _MODEL.sigma)
"""What is believed of somebody who has not played."""


def rate(before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """The beliefs after a match, seat by seat.

    `ranks[seat]` counts from 1, equal ranks shared a place (as in `engines.game.Outcome`). Raises ValueError unless
    there are at least two seats and one rank for each.
    """
    if len(before) < 2 or len(before) != len(ranks):
        raise ValueError("a match is rated by one rank for each of at least two seats")
    teams = [[_MODEL.create_rating([rating.mu, rating.sigma])] for rating in before]
    return [Rating(player.mu, player.sigma) for (player,) in _MODEL.rate(teams, ranks=[float(rank) for rank in ranks])]
