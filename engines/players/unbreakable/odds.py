"""How rounds of Unbreakable go when both keep their closest pairs, and what hands are worth.

Everything here is for three cards of a full pack, as if nothing had been seen. What has been seen changes it little.
How many attackers may follow changes much: near the limit who is ahead by a card has nearly won.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb
from typing import Final, TypeAlias

from engines.options import NONE
from engines.unbreakable.facts import Options
from engines.unbreakable.table import PACK, weapon

MOST: Final = 20
"""Larger match hands are judged as this one."""
ENDLESS: Final = 400
"""More attackers that may follow, or any number of them, count as this many: hardly a match has more."""

Left: TypeAlias = int | None
"""How many attackers may still be laid; None if any number may."""
Worths: TypeAlias = Sequence[Sequence[float]]
"""Shares of the win, by the cards in its own hand and in the opponent's."""


@dataclass(frozen=True, slots=True)
class Round:
    """How likely a round ends in each way for one seat. The part of `wins` and `loses` by a knockout is `exact`."""

    wins: float
    deflects: float
    loses: float
    exact_wins: float
    exact_loses: float


@cache
def distances(value: int) -> tuple[float, ...]:
    """How likely the closest pair of three cards is this far from a target of this value, by the distance."""
    held = Counter([weapon(card) for card in PACK.cards])
    found: Counter[int] = Counter()
    for hand in _hands(sorted(held)):
        ways = 1
        for each, count in Counter(hand).items():
            ways *= comb(held[each], count)
        found[min([abs(sum(pair) - value) for pair in combinations(hand, 2)])] += ways
    total = found.total()
    return tuple([found[far] / total for far in range(max(found) + 1)])


def _hands(values: Sequence[int]) -> list[tuple[int, int, int]]:
    return [(one, two, three) for one in values for two in values for three in values if one <= two <= three]


@cache
def round_of(value: int, far: int | None = None) -> Round:
    """How a round against a target of this value goes for a seat whose pair is this far; None: it has no pair yet."""
    theirs = distances(value)
    mine = theirs if far is None else tuple([float(index == far) for index in range(max(far + 1, len(theirs)))])
    pairs = [(at, other, one * two) for at, one in enumerate(mine) for other, two in enumerate(theirs)]
    return Round(
        wins=sum([each for at, other, each in pairs if at < other]),
        deflects=sum([each for at, other, each in pairs if at == other]),
        loses=sum([each for at, other, each in pairs if at > other]),
        exact_wins=sum([each for at, other, each in pairs if at == 0 < other]),
        exact_loses=sum([each for at, other, each in pairs if other == 0 < at]),
    )


def left_after(options: Options, attackers: int) -> Left:
    """How many attackers may follow when this number has been laid (U-10)."""
    limit = options.limit
    return None if limit == NONE else max(0, limit - attackers)


def after_attack(how: Round, mine: int, theirs: int, left: Left) -> float:
    """The attacker's share of the win before a round, by the cards in both hands, of which its own count the attacker
    too, and by how many attackers may follow."""
    return _after_attack(how, mine, theirs, _worths(left))


def _after_attack(how: Round, mine: int, theirs: int, worths: Worths) -> float:
    def then(own: int, other: int) -> float:
        return 1.0 if own == 0 else 1 - worths[min(other, MOST)][min(own, MOST)]

    share = (
        how.deflects * then(mine - 1, theirs)
        + (how.wins - how.exact_wins) * then(mine - 1, theirs + 1)
        + how.exact_wins * then(mine - 1, theirs + 2)
        + (how.loses - how.exact_loses) * then(mine, theirs)
        + how.exact_loses * then(mine + 1, theirs)
    )
    return min(1.0, share)  # the sum of what must happen is not quite 1


def after_answer(how: Round, mine: int, theirs: int, left: Left) -> float:
    """The same for the seat that answers; the attacker is counted with `theirs`."""
    turned = Round(how.loses, how.deflects, how.wins, how.exact_loses, how.exact_wins)
    return 1 - after_attack(turned, theirs, mine, left)


def after_chooser(how: Round, mine: int, theirs: int, left: Left) -> float:
    """A seat's share of the win before the round that decides who attacks first."""
    first, second = worth(mine, theirs, left), 1 - worth(theirs, mine, left)
    share = (
        how.deflects * (first + second) / 2
        + (how.wins - how.exact_wins) * first
        + how.exact_wins * worth(mine, theirs + 1, left)
        + (how.loses - how.exact_loses) * second
        + how.exact_loses * (1 - worth(theirs, mine + 1, left))
    )
    return min(1.0, share)


def worth(mine: int, theirs: int, left: Left) -> float:
    """The share of the win of a seat about to attack, by the cards in its own hand and in the opponent's, and by
    how many attackers may be laid, its own included; with none left the smaller hand wins (U-10)."""
    return _worths(left)[min(mine, MOST)][min(theirs, MOST)]


def _worths(left: Left) -> Worths:
    """All shares of seats about to attack, worked out from the end of the match: exactly so, if attackers were drawn
    from the pack."""
    steps = ENDLESS if left is None else min(left, ENDLESS)
    layers = _layers(steps < ENDLESS)
    while len(layers) <= steps:
        layers.append(_before(layers[-1]))
    return layers[steps]


@cache
def _layers(limited: bool) -> list[Worths]:
    """The worths by the attackers that are left, as far as somebody asked for them; without a limit, as if it were far
    away, and what lies there an even match."""
    sizes = range(MOST + 1)
    return [[[0.5 + ((mine < theirs) - (mine > theirs)) / 2 * limited for theirs in sizes] for mine in sizes]]


def _before(after: Worths) -> Worths:
    """The worths with one more attacker left."""
    average, sizes = _average(), range(MOST + 1)
    return [
        [_after_attack(average, mine, theirs, after) if mine and theirs else 0.5 for theirs in sizes] for mine in sizes
    ]


@cache
def _average() -> Round:
    """A round against an attacker drawn from the pack."""
    each = [(round_of(value), 4 if value <= 10 else 12) for value in (*range(1, 11), 100)]
    names = ("wins", "deflects", "loses", "exact_wins", "exact_loses")
    return Round(*[sum([getattr(how, name) * count for how, count in each]) / 52 for name in names])
