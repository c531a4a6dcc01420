"""Comebacks are judged by what everybody could see: the numbers by which boards say who is ahead."""

from __future__ import annotations

import random

import pytest

from cogs.profiles.comebacks import was_far_behind
from cogs.screens.presenter import Lead
from laws.play import random_match
from tests.games.cases import case_of


@pytest.mark.parametrize(
    ("numbers", "fewest", "behind"),
    [
        ((10, 10), False, set()),
        ((4, 10), False, {0}),
        ((5, 10), False, set()),  # 2 x 6 is more than 11
        ((10, 4), True, {0}),
        ((10, 5), True, set()),
        ((0, 1), False, {0}),
        ((9, 0, 4), True, {0, 2}),
    ],
)
def test_far_behind_is_how_many_times_as_good_the_best_is_with_one_more(
    numbers: tuple[int, ...], fewest: bool, behind: set[int]
) -> None:
    lead = Lead(dict(enumerate(numbers)), fewest=fewest, far=2)
    assert {seat for seat in lead.numbers if lead.is_far_behind(seat)} == behind


def test_who_is_out_and_who_is_best_are_never_far_behind() -> None:
    assert not Lead({1: 3}, fewest=True, far=2).is_far_behind(0)
    assert not Lead({0: 3, 1: 3}, fewest=True, far=1.5).is_far_behind(0)


@pytest.mark.parametrize("key", ["champions", "unbreakable"])
def test_a_seat_was_far_behind_if_it_was_so_after_any_record(key: str) -> None:
    case = case_of(key)
    seen = set()
    for seed in range(9):
        rng = random.Random(seed)
        log = random_match(case.deal("default", 2, rng), rng)
        game, start = log.deal.game, log.deal.game.start(log.deal.options, 2)
        records = [log.opening, *[move.events for move in log.moves]]
        for seat in range(2):
            leads = [case.presenter.lead(game.observe_public(state)) for state in log.states]
            behind = any(lead is not None and lead.is_far_behind(seat) for lead in leads)
            assert was_far_behind(game, start, records, case.presenter, seat) == behind
            seen.add(behind)
    assert seen == {True, False}
