"""What pairing and standings know of a tournament: who is in it, and what was played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
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
    """1 for a win, ½ for a draw, 0 for a loss; at a table of more than two from 1 for the first to 0 for the last, in
    equal steps."""
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


@dataclass(frozen=True, slots=True, init=False)
class Outcome:
    """What all of a pairing got in one match: 1, ½, 0 or a game's own points. More is better."""

    got: tuple[float, ...]
    """In the order of the pairing, not of the seats."""
    deal: int
    """Matches of a round with equal numbers were dealt alike, and only these are compared. What a host set has a number
    of its own."""

    def __init__(self, *got: float, deal: int = 0) -> None:
        object.__setattr__(self, "got", got)
        object.__setattr__(self, "deal", deal)


@dataclass(frozen=True, slots=True, init=False)
class Pairing:
    """Those who sit at one table in a round, two or more, or one who has no opponent: a bye."""

    seats: tuple[int, ...]
    """Who has which seat in the first match. In each one after it everybody moves on by one seat."""

    def __init__(self, *seats: int) -> None:
        object.__setattr__(self, "seats", seats)

    @property
    def first(self) -> int:
        """Who has seat 0 in the first match."""
        return self.seats[0]

    @property
    def second(self) -> int | None:
        """Their opponent, where two play; None in a bye."""
        return self.seats[1] if len(self.seats) > 1 else None

    @property
    def people(self) -> frozenset[int]:
        """Who is in it."""
        return frozenset(self.seats)

    @property
    def pairs(self) -> frozenset[frozenset[int]]:
        """All who meet each other in it."""
        return frozenset(map(frozenset, combinations(self.seats, 2)))


@dataclass(frozen=True, slots=True)
class Played:
    """A pairing of a round, and how it ended."""

    round: int
    pairing: Pairing
    outcomes: tuple[Outcome, ...] = ()
    """One per match, in order; the second match with seats exchanged, and so on. None for a bye. A walkover, and a
    result that a host set, have one."""
    walkover: bool = False
    """At most one of them was there, so nothing was played. The outcome says who gets the point: (1, 0), (0, 1), or
    (0, 0) if nobody came."""

    @property
    def is_match(self) -> bool:
        """Whether they really played."""
        return self.pairing.second is not None and not self.walkover

    def points(self) -> tuple[float, ...]:
        """What `Scoring.WINS` gives to each: the share of the others at the table who got less in all matches together,
        and half of those who got as much. A bye gives 1."""
        if self.pairing.second is None:
            return (1,)
        totals = [sum(got) for got in zip(*[each.got for each in self.outcomes], strict=True)]
        if self.walkover:
            return tuple(totals)
        return tuple([each / most_half_points(len(totals)) for each in half_points(totals)])


def half_points(got: Sequence[float]) -> tuple[int, ...]:
    """2 for each of the others who got less, and 1 for each who got as much."""
    return tuple([sum(2 * (other < mine) + (other == mine) for other in got) - 1 for mine in got])


def most_half_points(seats: int) -> int:
    """What `half_points` gives to who got most of all."""
    return 2 * (seats - 1)


def leans(played: Iterable[Played]) -> Counter[int]:
    """How much more often everybody was first than second. An even number of matches exchanges seats, so it leans to
    neither side, and nor does a table of more than two."""
    lean: Counter[int] = Counter()
    for each in played:
        if each.is_match and len(each.pairing.seats) == 2 and len(each.outcomes) % 2:
            first, second = each.pairing.seats
            lean[first] += 1
            lean[second] -= 1
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
