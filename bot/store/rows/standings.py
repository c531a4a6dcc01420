"""Ratings, places in leaderboards, and what a result did to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.ratings import Rating
from bot.store.match_weights import FULL, MatchWeight


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What a counted match did to a player's rating, and what it weighed for them. `matches` are the counted matches
    behind the rating now, with this one."""

    before: Rating
    after: Rating
    matches: int
    weight: MatchWeight = FULL

    @property
    def provisional(self) -> bool:
        """Whether the rating is too uncertain to say much."""
        return self.after.provisional


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """What two players won of the counted matches between them alone: the wins of each, and the draws."""

    wins: tuple[int, int] = (0, 0)
    draws: int = 0


@dataclass(frozen=True, slots=True)
class ResultEffects:
    """What a counted result did: the change of each seat's rating, and what two players have won with it.

    `head_to_head` is None in a match of more than two.
    """

    ratings: tuple[RatingChange, ...]
    head_to_head: HeadToHead | None


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place in a server's leaderboard of one game. Equal ordinals share a rank."""

    rank: int
    user_id: int
    rating: Rating
    wins: int
    losses: int
    draws: int

    @property
    def matches(self) -> int:
        """The number of counted matches."""
        return self.wins + self.losses + self.draws

    @property
    def provisional(self) -> bool:
        """Whether the rating is too uncertain to say much."""
        return self.rating.provisional


HELD_FOR: Final = 90 * 24 * 3600 * 1000
"""For how long a deleted person's ratings are held, in ms."""


@dataclass(frozen=True, slots=True)
class RatingStart:
    """With what somebody began in a game: what was held of the rating that they had deleted."""

    game: str
    rating: Rating
    wins: int
    losses: int
    draws: int


@dataclass(frozen=True, slots=True)
class HeldRating:
    """What is held of a deleted person's rating in a game, until a moment (ms UTC)."""

    start: RatingStart
    until: int
