"""Levels that slip: slightly and often, badly and rarely."""

from __future__ import annotations

import random
from collections import Counter

from engines.players.slips import drawn


def counted(worths: list[float], temperature: float) -> Counter[int]:
    """How often each of these acts is drawn in 2,000 questions."""
    return Counter(drawn(worths, temperature, random.Random(luck)) for luck in range(2_000))


def test_without_a_temperature_the_best_act_is_chosen_and_the_first_of_equals() -> None:
    assert counted([0.2, 0.7, 0.7], 0) == {1: 2_000}


def test_small_errors_are_made_often_and_great_ones_rarely() -> None:
    often = counted([0.50, 0.48, 0.30, 0.0], 0.05)
    assert often[0] > often[1] > 3 * often[2] > 0
    assert often[3] < 5


def test_the_higher_the_temperature_the_more_errors() -> None:
    best = [counted([0.50, 0.45, 0.30], temperature)[0] for temperature in (0.01, 0.05, 0.2, 1.0)]
    assert best == sorted(best, reverse=True)
    assert best[0] > 1_950
    assert best[-1] < 900


def test_the_same_luck_chooses_the_same_act_whatever_all_worths_have_in_common() -> None:
    worths = [0.5, 0.25, 0.375]
    for luck in range(100):
        first, second = (drawn(each, 0.125, random.Random(luck)) for each in (worths, [1 + each for each in worths]))
        assert first == second
