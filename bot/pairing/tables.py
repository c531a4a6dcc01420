"""Rounds at tables of more than two: everybody plays in every round, with people who have about as many points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, product
from typing import Final

from bot.pairing.matching import cheapest
from bot.pairing.model import Apart, Entrant, Pairing, Played, Scoring
from bot.pairing.scores import points
from bot.pairing.swiss import in_order, unplayed

APART: Final = 2
"""How many meetings more those who are apart count to have had. So they sit together after all others have, and nobody
can stay away from the strongest for ever."""

STARTS: Final = 120
"""How often, divided by the number of people, the best exchanges are looked for, each time from other tables. Few
people are soon stuck; many need more time, and less luck."""


def rounds(count: int, size: int) -> int:
    """One more than leave one person who was first at every table."""
    number = 1
    while size ** (number - 1) < count:
        number += 1
    return number


def split(count: int, sizes: range) -> tuple[int, ...]:
    """How many sit at each table: as few tables as can be, about equally large, of which the largest stand first. Who
    is left over has a bye; nobody has where that can be avoided."""
    for seated in range(count, sizes.start - 1, -1):
        tables = -(-seated // sizes[-1])
        if seated // tables >= sizes.start:
            return tuple([seated // tables + (table < seated % tables) for table in range(tables)])
    return ()


def pair(
    entrants: Sequence[Entrant], played: Sequence[Played], number: int, apart: Apart, scoring: Scoring, *, sizes: range
) -> tuple[Pairing, ...]:
    """The tables of round `number`, the leaders first. Empty if too few people are there.

    A bye is for who has had the fewest, and stands lowest. The others sit so that, as far as exchanges of two people
    show, in this order: those sit together who met least, points are equal, and neighbours in the standings meet; in
    the first round the strong are spread. Then the seats are dealt so that everybody has each about equally often.
    """
    before = [each for each in played if each.round < number]
    standing = points(before, scoring)
    order = in_order(entrants, standing, number)
    counts = split(len(order), sizes)
    if not counts:
        return ()
    had = unplayed(before)
    byes = sorted(order, key=lambda user_id: (had[user_id], -order.index(user_id)))[: len(order) - sum(counts)]
    seated = [user_id for user_id in order if user_id not in byes]
    met = Counter(pair for each in before if each.is_match for pair in each.pairing.pairs)
    met.update(dict.fromkeys(apart, APART))
    costs = _costs(seated, met, standing, near=bool(before))
    cut = _cut if before else _spread
    turns = range(0, len(seated), -(-(len(seated) ** 2) // STARTS))
    found = [_exchanged(cut([*seated[turn:], *seated[:turn]], counts), costs) for turn in turns]
    tables = min(found, key=lambda each: sum(_cost(table, costs) for table in each))
    rank = {user_id: index for index, user_id in enumerate(order)}
    tables.sort(key=lambda table: min(rank[user_id] for user_id in table))
    sat = Counter(
        (user_id, seat) for each in before if each.is_match for seat, user_id in enumerate(each.pairing.seats)
    )
    return (*[_seated(table, sat) for table in tables], *[Pairing(user_id) for user_id in byes])


def _spread(people: Sequence[int], counts: Sequence[int]) -> list[list[int]]:
    return [[*people[table :: len(counts)]] for table in range(len(counts))]


def _cut(people: Sequence[int], counts: Sequence[int]) -> list[list[int]]:
    left = iter(people)
    return [[next(left) for _ in range(count)] for count in counts]


_Costs = dict[int, dict[int, int]]


def _costs(people: Sequence[int], met: Counter[frozenset[int]], standing: dict[int, float], *, near: bool) -> _Costs:
    """What it costs that two people sit at one table: numbers of which the first that differs decides."""
    rank = {user_id: index for index, user_id in enumerate(people)}

    def numbers(one: int, other: int) -> tuple[int, int, int]:
        apart_by = abs(standing.get(one, 0) - standing.get(other, 0))
        return (
            met[frozenset((one, other))] ** 2,
            round(8 * apart_by) ** 2,
            (rank[one] - rank[other]) ** 2 if near else 0,
        )

    pairs = {pair: numbers(*pair) for pair in combinations(people, 2)}
    _, points_total, rank_total = (1 + sum(column) for column in zip((0, 0, 0), *pairs.values(), strict=True))
    costs: _Costs = {user_id: {user_id: 0} for user_id in people}
    for (one, other), (met_cost, by_points, by_rank) in pairs.items():
        costs[one][other] = costs[other][one] = (met_cost * points_total + by_points) * rank_total + by_rank
    return costs


def _exchanged(tables: list[list[int]], costs: _Costs) -> list[list[int]]:
    """The tables after exchanges of two people, until none makes them cheaper."""
    better = True
    while better:
        better = False
        for one, other in combinations(tables, 2):
            for here, there in product(range(len(one)), range(len(other))):
                if _gain(one, other, one[here], other[there], costs) > 0:
                    one[here], other[there] = other[there], one[here]
                    better = True
    return tables


def _cost(table: Sequence[int], costs: _Costs) -> int:
    return sum(costs[one][other] for one, other in combinations(table, 2))


def _gain(one: Iterable[int], other: Iterable[int], mine: int, theirs: int, costs: _Costs) -> int:
    """What is saved if two people exchange their tables."""
    saved = {each: costs[mine][each] - costs[theirs][each] for each in (*one, *other)}
    return 2 * costs[mine][theirs] + sum(saved[each] for each in one) - sum(saved[each] for each in other)


def _seated(table: Sequence[int], sat: Counter[tuple[int, int]]) -> Pairing:
    """The people of a table on the seats that they had least often."""
    nodes = [(True, user_id) for user_id in table] + [(False, seat) for seat in range(len(table))]

    def cost(one: tuple[bool, int], other: tuple[bool, int]) -> tuple[int, int]:
        if one[0] == other[0]:
            return (1, 0)
        user_id, seat = (one[1], other[1]) if one[0] else (other[1], one[1])
        return (0, sat[user_id, seat] ** 2)

    return Pairing(*[user_id for seat, user_id in sorted((other[1], one[1]) for one, other in cheapest(nodes, cost))])
