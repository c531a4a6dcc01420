"""A server that is one circle of friends is rated much as if every match weighed the same."""

from __future__ import annotations

import random
from statistics import mean

import pytest

from tests.bot.ratings.server import Server, UnweightedServer, meet_by_strength, win

CLOSE = 170
"""Points that a rating may differ. Two people may change places if they were half as much again apart or less."""


def rated(people: int, seed: int, *, in_a_row: int = 1) -> tuple[Server, UnweightedServer]:
    """The same thirty matches of each, with weights and without."""
    rng, weighed, unweighed = random.Random(seed), Server(), UnweightedServer()
    strengths = [rng.gauss(0, 25 / 6) for _ in range(people)]
    meet_by_strength([weighed, unweighed], strengths, rng, 15 * people, in_a_row=in_a_row)
    return weighed, unweighed


@pytest.mark.parametrize("people", [2, 3, 4, 6, 8, 12])
@pytest.mark.parametrize("seed", range(2))
def test_friends_are_rated_and_ordered_as_before(people: int, seed: int) -> None:
    weighed, unweighed = rated(people, seed)
    for user in range(people):
        assert weighed.rating(user).shown == pytest.approx(unweighed.rating(user).shown, abs=CLOSE)
        for other in range(people):
            if unweighed.key(user) > unweighed.key(other) + 1.5 * CLOSE:
                assert weighed.key(user) > weighed.key(other)


@pytest.mark.parametrize("people", [4, 8, 12])
def test_whole_evenings_with_the_same_friend_are_rated_nearly_as_before(people: int) -> None:
    weighed, unweighed = rated(people, 3, in_a_row=4)
    differences = [abs(weighed.rating(user).shown - unweighed.rating(user).shown) for user in range(people)]
    assert mean(differences) < 150


@pytest.mark.parametrize("size", [3, 4, 6])
def test_a_family_at_one_table_is_rated_nearly_as_before(size: int) -> None:
    differences = []
    for seed in range(6):
        rng, weighed, unweighed = random.Random(seed), Server(), UnweightedServer()
        for _ in range(60):
            ranks = rng.sample(range(1, size + 1), size)
            for server in (weighed, unweighed):
                server.enter(range(size), ranks)
        differences += [abs(weighed.rating(user).shown - unweighed.rating(user).shown) for user in range(size)]
    assert mean(differences) < 35


def test_two_alone_are_rated_as_before() -> None:
    weighed, unweighed = Server(), UnweightedServer()
    for server in (weighed, unweighed):
        for number in range(60):
            win(server, *((1, 2) if number % 3 else (2, 1)))
    assert weighed.rating(1) == unweighed.rating(1)
