"""How fast a computer is in a race."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import exp, log
from statistics import median, stdev

import pytest

from engines.players.pace import FIRST_MS, LAST, PACES, REACTIONS_MS, Gaps, Pace, reaction_ms

EVEN = Pace(1.0)
KEEPING = Pace(1.0, keeps_level=True)


def person(middle: float, spread: float = 0.3, count: int = 150, seed: int = 1) -> list[int]:
    """The gaps of a person with this median, in milliseconds."""
    rng = random.Random(seed)
    return [round(middle * exp(rng.gauss(0, spread))) for _ in range(count)]


def reactions(*people: Sequence[int], pace: Pace = EVEN, ahead: float = 0.0) -> list[int]:
    """Many reactions of a computer on the last seat."""
    gaps = Gaps.begin(len(people) + 1, dict(enumerate(people)))
    return [reaction_ms(gaps, range(len(people)), pace, luck, ahead) for luck in range(400)]


# ---------------------------------------------------------------------------------------------- gaps


def test_a_gap_begins_with_go_or_an_own_act_and_ends_with_the_next_own_act() -> None:
    gaps = Gaps.begin(2).after(0, None, ()).after(5_000, None, {0, 1})
    gaps = gaps.after(6_000, 0, {0, 1}).after(6_500, 1, {0, 1}).after(7_700, 0, {0, 1})
    assert gaps.seats == ((1_000, 1_700), (1_500,))


def test_time_in_which_a_seat_may_have_had_nothing_to_do_is_no_gap() -> None:
    gaps = Gaps.begin(2).after(0, None, {0, 1}).after(1_000, 0, {1}).after(9_000, 0, {1}).after(9_900, 1, {1})
    assert gaps.seats == ((1_000,), (9_900,))


def test_a_countdown_begins_anew() -> None:
    gaps = Gaps.begin(2).after(0, None, {0, 1}).after(1_000, None, ()).after(60_000, None, {0, 1}).after(61_100, 0, {0})
    assert gaps.seats == ((1_100,), ())


def test_only_a_seats_last_gaps_are_kept_and_those_of_earlier_matches_count_until_then() -> None:
    gaps = Gaps.begin(1, {0: range(1_000)})
    assert gaps.seats == (tuple(range(1_000 - LAST, 1_000)),)
    gaps = gaps.after(0, None, {0}).after(7, 0, {0})
    assert gaps.seats[0][-2:] == (999, 7)
    assert len(gaps.seats[0]) == LAST


def test_a_clock_that_was_set_back_makes_no_negative_gap() -> None:
    assert Gaps.begin(1).after(9_000, None, {0}).after(1_000, 0, {0}).seats == ((0,),)


# ---------------------------------------------------------------------------------------------- reactions


def test_a_first_match_begins_with_one_and_a_half_seconds() -> None:
    for people in ([], [()], [(), ()]):
        assert median(reactions(*people)) == pytest.approx(FIRST_MS, rel=0.03)


@pytest.mark.parametrize("middle", [600, 1_200, 3_000])
@pytest.mark.parametrize("spread", [0.2, 0.4])
def test_it_reacts_as_the_person_does_in_median_and_spread(middle: float, spread: float) -> None:
    found = reactions(person(middle, spread))
    assert median(found) == pytest.approx(middle, rel=0.06)
    assert stdev(map(log, found)) == pytest.approx(spread, rel=0.25)


def test_a_few_gaps_are_enough_to_come_close() -> None:
    assert median(reactions(person(600, count=4))) < 950
    assert median(reactions(person(600, count=12))) == pytest.approx(600, rel=0.25)


def test_pauses_and_refused_plays_change_little() -> None:
    gaps = person(1_200, count=160)
    disturbed = [*gaps, *[20_000] * 8, *[2_600] * 30]
    random.Random(2).shuffle(disturbed)
    assert median(reactions(disturbed)) == pytest.approx(median(reactions(gaps)), rel=0.08)
    assert stdev(map(log, reactions(disturbed))) < 0.4


@pytest.mark.parametrize("level", PACES)
def test_a_level_is_a_multiple_of_the_persons_pace(level: str) -> None:
    factor = {"easy": 1.25, "normal": 1.0, "hard": 0.85}[level]
    assert median(reactions(person(1_200), pace=PACES[level])) == pytest.approx(1_200 * factor, rel=0.06)


def test_of_several_people_it_takes_the_fastest_one() -> None:
    three = reactions(person(1_200), person(700, seed=2), person(4_000, seed=3))
    assert median(three) == pytest.approx(700, rel=0.06)
    one_known = reactions((), person(4_000, seed=2))
    assert median(one_known) == pytest.approx(4_000, rel=0.06)


def test_people_who_have_left_do_not_count() -> None:
    gaps = Gaps.begin(3, {0: person(700), 1: person(3_000)})
    assert median([reaction_ms(gaps, {0}, EVEN, luck) for luck in range(500)]) == pytest.approx(700, rel=0.06)


def test_a_level_that_keeps_level_is_slower_when_ahead_and_faster_when_behind_within_bounds() -> None:
    gaps = person(1_200)
    base = median(reactions(gaps, pace=KEEPING))
    for ahead, factor in ((0.1, exp(0.1)), (-0.1, exp(-0.1)), (9.0, 1.4), (-9.0, 1 / 1.4)):
        assert median(reactions(gaps, pace=KEEPING, ahead=ahead)) == pytest.approx(base * factor, rel=0.01)
        assert median(reactions(gaps, pace=EVEN, ahead=ahead)) == base


def test_a_reaction_is_fixed_by_its_luck_and_within_bounds() -> None:
    assert reactions(person(1_200)) == reactions(person(1_200))
    assert len(set(reactions(person(1_200)))) > 200
    assert min(reactions([0] * 50)) >= REACTIONS_MS[0]
    assert max(reactions([10**9] * 50)) <= REACTIONS_MS[1]
