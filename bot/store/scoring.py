"""Computes what a counted result does to its players' standings. All stores use this, so they agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.ratings import NEW, Rating, rate


@dataclass(frozen=True, slots=True)
class Score:
    """A player's rating, and how many counted matches they won, lost and drew. `Score()` is a new player's."""

    rating: Rating = NEW
    wins: int = 0
    losses: int = 0
    draws: int = 0


def scores_after(before: Sequence[Score], ranks: Sequence[int]) -> list[Score]:
    """The scores of all seats after a match with these ranks.

    Everybody ranked first has won; if everybody is, all have drawn. Raises ValueError unless there are at least two
    seats and a rank for each.
    """
    ratings = rate([score.rating for score in before], ranks)
    drawn = len(set(ranks)) == 1
    return [
        Score(
            rating,
            wins=score.wins + (not drawn and rank == 1),
            losses=score.losses + (not drawn and rank != 1),
            draws=score.draws + drawn,
        )
        for score, rating, rank in zip(before, ratings, ranks, strict=True)
    ]
