"""How late an interaction comes, whatever the host's clock says."""

from __future__ import annotations

import math
from collections.abc import Iterable

import pytest

from cogs.interactions.arrivals import InteractionAge
from cogs.interactions.time_limits import MAX_AGE

EPOCH = 1_420_070_400.0
NOW = 1_767_225_600.0
HOUR = 3600.0


def made_at(seconds: float) -> int:
    """A snowflake made this many seconds after 2026 began."""
    return int((NOW - EPOCH + seconds) * 1000) << 22


def came(arrivals: InteractionAge, made: float, late: float = 0.1, *, held_up: bool = False) -> float:
    """The age of an interaction that was made at a moment and came so many seconds later."""
    return arrivals.age(made_at(made), held_up=held_up, now=NOW + made + late)


def after(delays: Iterable[float]) -> InteractionAge:
    """What was learned from an interaction a second, with these delays."""
    arrivals = InteractionAge()
    for second, delay in enumerate(delays):
        came(arrivals, second, delay)
    return arrivals


@pytest.mark.parametrize("held_up", [False, True])
def test_an_interaction_that_took_too_long_is_late(held_up: bool) -> None:
    assert came(after([0.1] * 3), 10, MAX_AGE + 0.2, held_up=held_up) > MAX_AGE


def test_what_was_held_up_is_judged_by_what_came_in_time_and_teaches_nothing() -> None:
    arrivals = after([0.1])
    assert came(arrivals, 10, 6.0, held_up=True) == pytest.approx(5.9, abs=0.01)
    assert came(arrivals, 10, 1.0, held_up=True) == pytest.approx(0.9, abs=0.01)
    arrivals = after([0.1])
    for _ in range(10):
        came(arrivals, 10, 6.0, held_up=True)
    assert came(arrivals, 11, 6.0, held_up=True) > MAX_AGE


@pytest.mark.parametrize("quiet", [601.0, HOUR - 10])
def test_delays_count_through_quiet_times(quiet: float) -> None:
    arrivals = after([0.1] * 3)
    assert came(arrivals, quiet, 6.0, held_up=True) == pytest.approx(5.9, abs=0.01)


@pytest.mark.parametrize("before", [[], [0.1] * 5])
def test_the_age_of_what_was_held_up_is_unknown_before_and_long_after_anything_came(before: list[float]) -> None:
    assert came(after(before), 2 * HOUR, 0.1, held_up=True) == math.inf


@pytest.mark.parametrize("when", range(6))
def test_one_id_from_the_future_makes_no_other_interaction_late(when: int) -> None:
    delays = [0.1] * 6
    delays[when] = -8.0
    arrivals = InteractionAge()
    ages = [came(arrivals, second, delay) for second, delay in enumerate(delays)]
    assert max(ages) < MAX_AGE
    assert came(arrivals, 10, 0.1) < 1
    assert came(arrivals, 10, MAX_AGE + 0.5) > MAX_AGE


def test_over_a_live_line_nothing_is_late_on_the_word_of_two_but_most_are_believed() -> None:
    arrivals = after([0.1, 0.1])
    assert came(arrivals, 2, 6.0) == 0
    arrivals = after([0.1] * 5)
    ages = [came(arrivals, 10 + second, 6.0) for second in range(6)]
    assert ages[0] > MAX_AGE
    assert ages[-1] < MAX_AGE


@pytest.mark.parametrize("before", [3, 100])
def test_what_a_silent_line_delivers_at_once_is_late_however_many_they_are(before: int) -> None:
    """One was made in each of 40 silent seconds. Those of the last 3 seconds come in time."""
    arrivals = after([0.1] * before)
    silent = before + 10.0
    ages = [came(arrivals, silent + made, 40 - made) for made in range(41)]
    assert min(ages[:37]) > MAX_AGE
    assert max(ages[38:]) < MAX_AGE
    assert came(arrivals, silent + 50) < 1
