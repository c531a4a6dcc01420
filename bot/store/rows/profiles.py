"""What profiles say of people beside their ratings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """How many counted matches somebody has finished in a server, in all games, and how many they have won in a row:
    the last ones, and the most so far."""

    matches: int = 0
    streak: int = 0
    longest_streak: int = 0


@dataclass(frozen=True, slots=True)
class Opponent:
    """Somebody whom a person met in counted matches of a server, in all games.

    `matches` are those in which both sat. Wins, losses and draws are the person's in those between the two alone.
    """

    user_id: int
    matches: int = 0
    wins: int = 0
    losses: int = 0
    draws: int = 0

    @property
    def alone(self) -> int:
        """The number of matches between the two alone."""
        return self.wins + self.losses + self.draws


@dataclass(frozen=True, slots=True)
class ComebackSearch:
    """How far a person's wins were searched for the first in which they had been far behind: the number of the last win
    that was looked at, and the id of the match if it was found."""

    searched: int = 0
    found: str | None = None
