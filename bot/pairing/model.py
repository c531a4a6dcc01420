"""What pairing and standings know of a tournament: who is in it, and what was played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

Apart = frozenset[frozenset[int]]
"""Pairs of people who blocked each other."""
NOBODY: Final[Apart] = frozenset()


class Format(StrEnum):
    """Who meets whom."""

    SWISS = "swiss"
    ROUND_ROBIN = "round_robin"
    SINGLE = "single"
    """Who loses is out."""
    DOUBLE = "double"
    """Who loses twice is out."""
    ARENA = "arena"
    """Until the time is up, people who wait are paired."""


class Scoring(StrEnum):
    """How a round gives points."""

    WINS = "wins"
    """1 for a win, ½ for a draw, 0 for a loss."""
    DIFFERENCE = "difference"
    """0 to 1: the share of the others with the same deal and seat whom one did better than; ½ for each alike."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody in a tournament. Also a team, whose number is its `user_id` (`teams.py`).

    An elimination and a round robin pair by who is among the entrants at all, so nobody joins or is removed after their
    first round: who leaves stays, with `left_after`.
    """

    user_id: int
    seed: int
    """From 1 without gaps; 1 is the strongest. Nobody's changes after the first round."""
    joined: int = 1
    """The first round that they may play in."""
    absent: frozenset[int] = frozenset()
    """Rounds that they missed and came back after."""
    left_after: int | None = None
    """The last round that they were there for. 0: they left before the first."""
    team: int | None = None

    def plays_in(self, number: int) -> bool:
        """Whether they are there when a round is paired."""
        return (
            self.joined <= number
            and number not in self.absent
            and (self.left_after is None or number <= self.left_after)
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What both of a pairing got in one match: 1, ½, 0 or a game's own points. More is better."""

    first: float
    second: float
    deal: int = 0
    """Matches of a round with equal numbers were dealt alike, and only these are compared. What a host set has a number
    of its own."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two people who play each other in a round, or one who has no opponent: a bye."""

    first: int
    """Who has seat 0 in the first match, and in every second one after it."""
    second: int | None

    @property
    def people(self) -> frozenset[int]:
        """Who is in it."""
        return frozenset({self.first} if self.second is None else {self.first, self.second})


@dataclass(frozen=True, slots=True)
class Played:
    """A pairing of a round, and how it ended."""

    round: int
    pairing: Pairing
    outcomes: tuple[Outcome, ...] = ()
    """One per match, in order; the second match with seats exchanged, and so on. None for a bye. A walkover, and a
    result that a host set, have one."""
    walkover: bool = False
    """At least one of both did not play, so nothing was played. The outcome says who gets the point: (1, 0), (0, 1), or
    (0, 0) if nobody came."""

    @property
    def is_match(self) -> bool:
        """Whether the two really played."""
        return self.pairing.second is not None and not self.walkover

    def points(self) -> tuple[float, float]:
        """What `Scoring.WINS` gives to both: who got more in all matches together has won. A bye gives (1, 0)."""
        if self.pairing.second is None:
            return (1, 0)
        first = sum(each.first for each in self.outcomes)
        second = sum(each.second for each in self.outcomes)
        if self.walkover:
            return (first, second)
        return (0.5, 0.5) if first == second else (float(first > second), float(first < second))


def leans(played: Iterable[Played]) -> Counter[int]:
    """How much more often everybody was first than second. An even number of matches exchanges seats, so it leans to
    neither side."""
    lean: Counter[int] = Counter()
    for each in played:
        if each.is_match and each.pairing.second is not None and len(each.outcomes) % 2:
            lean[each.pairing.first] += 1
            lean[each.pairing.second] -= 1
    return lean


def seated(one: int, other: int, lean: Mapping[int, int], swap: bool = False) -> Pairing:
    """The pairing of two people in which who was first less often is first. If that is equal, `one` is, or `other` if
    `swap` is set."""
    mine, theirs = lean.get(one, 0), lean.get(other, 0)
    first_is_other = theirs < mine or (theirs == mine and swap)
    return Pairing(other, one) if first_is_other else Pairing(one, other)


def by_seed(entrants: Sequence[Entrant]) -> list[Entrant]:
    """Entrants, the strongest first."""
    return sorted(entrants, key=lambda each: (each.seed, each.user_id))
