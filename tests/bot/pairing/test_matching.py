"""The cheapest way to pair people, against all ways."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from itertools import combinations

import pytest

from bot.pairing.matching import cheapest

Cost = Callable[[int, int], tuple[int, int]]


def least(count: int, cost: Cost) -> tuple[int, int]:
    """The least sum of costs, found by trying all ways."""

    @cache
    def of(left: frozenset[int]) -> tuple[int, int]:
        if not left:
            return (0, 0)
        one = min(left)
        ways = ((cost(one, other), of(left - {one, other})) for other in left - {one})
        return min((mine[0] + rest[0], mine[1] + rest[1]) for mine, rest in ways)

    return of(frozenset(range(count)))


@pytest.mark.parametrize("seed", range(100))
def test_nothing_is_cheaper(seed: int) -> None:
    rng = random.Random(seed)
    count, most = rng.choice([2, 4, 6, 8, 10]), rng.choice([1, 2, 5, 100])
    priced = {
        frozenset((one, other)): (rng.randint(0, 1), rng.randint(0, most))
        for other in range(count)
        for one in range(other)
    }

    def cost(one: int, other: int) -> tuple[int, int]:
        return priced[frozenset((one, other))]

    pairs = cheapest(range(count), cost)
    assert sorted(each for pair in pairs for each in pair) == list(range(count))
    assert tuple(map(sum, zip(*(cost(*pair) for pair in pairs), strict=True))) == least(count, cost)


def test_places_of_a_circle_that_is_taken_apart_are_found_again() -> None:
    rng = random.Random(740)
    priced = {pair: rng.randrange(100) for pair in combinations(range(12), 2)}
    pairs = cheapest(range(12), lambda one, other: (priced[one, other],))
    assert sum(priced[pair] for pair in pairs) == 96  # of all 10,395 ways


def test_many_are_paired_at_no_cost_if_there_is_one_way() -> None:
    order = random.Random(1).sample(range(64), 64)
    partner = {each: order[k ^ 1] for k, each in enumerate(order)}

    def cost(one: int, other: int) -> tuple[int]:
        return (0 if partner[one] == other else 1 + (one * other) % 7,)

    assert all(partner[one] == other for one, other in cheapest(range(64), cost))


def test_nobody_is_paired_if_nobody_is_there() -> None:
    assert cheapest([], lambda _one, _other: (0,)) == []
