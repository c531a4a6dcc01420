"""Points and tie-breaks, where they can be told by hand."""

from __future__ import annotations

import pytest

from bot.pairing.model import Entrant, Format, Outcome, Pairing, Played, Scoring
from bot.pairing.scores import shares
from bot.pairing.standings import ranked

WON, DRAWN, LOST = Outcome(1, 0), Outcome(0.5, 0.5), Outcome(0, 1)


def people(count: int) -> tuple[Entrant, ...]:
    """Entrants whose id is their seed."""
    return tuple(Entrant(seed, seed) for seed in range(1, count + 1))


def test_who_got_more_in_all_matches_of_a_pairing_has_won_it() -> None:
    assert Played(1, Pairing(1, 2), (WON, LOST)).points() == (0.5, 0.5)
    assert Played(1, Pairing(1, 2), (DRAWN, WON)).points() == (1, 0)
    assert Played(1, Pairing(1, 2), (Outcome(3, 5), Outcome(9, 8))).points() == (0, 1)


def test_a_walkover_in_which_nobody_came_gives_nothing() -> None:
    assert Played(1, Pairing(1, 2), (Outcome(0, 0),), walkover=True).points() == (0, 0)


def test_a_swiss_is_decided_by_points_buchholz_and_sonneborn_berger() -> None:
    played = [
        Played(1, Pairing(1, 3), (WON,)),
        Played(1, Pairing(2, 4), (WON,)),
        Played(1, Pairing(5)),
        Played(2, Pairing(1, 2), (DRAWN,)),
        Played(2, Pairing(5, 3), (LOST,)),
        Played(2, Pairing(4)),
    ]
    rows = ranked(Format.SWISS, people(5), played)
    assert [(each.user_id, each.place, each.points, each.tie_breaks[:2]) for each in rows] == [
        (1, 1, 1.5, (2.5, 1.75)),
        (2, 1, 1.5, (2.5, 1.75)),
        (3, 3, 1, (2.5, 1)),
        (4, 3, 1, (2.5, 1)),
        (5, 5, 1, (2, 1)),
    ]
    assert [(each.won, each.drawn, each.lost, each.byes) for each in rows if each.user_id in {1, 5}] == [
        (1, 1, 0, 0),
        (0, 0, 1, 1),
    ]


def test_of_two_who_are_equal_the_one_who_won_against_the_other_is_first() -> None:
    played = [
        Played(1, Pairing(1, 2), (LOST,)),
        Played(1, Pairing(3, 4), (LOST,)),
        Played(2, Pairing(1, 3), (WON,)),
        Played(2, Pairing(2, 4), (LOST,)),
    ]
    rows = ranked(Format.ROUND_ROBIN, people(4), played)
    assert [(each.user_id, each.place, each.tie_breaks[0]) for each in rows] == [
        (4, 1, 0),
        (2, 2, 1),
        (1, 3, 0),
        (3, 4, 0),
    ]


def test_of_three_who_each_won_once_against_another_nobody_is_first() -> None:
    played = [
        Played(1, Pairing(1, 2), (WON,)),
        Played(2, Pairing(2, 3), (WON,)),
        Played(3, Pairing(3, 1), (WON,)),
    ]
    assert [each.place for each in ranked(Format.ROUND_ROBIN, people(3), played)] == [1, 1, 1]


def test_a_round_that_an_opponent_missed_counts_as_a_draw_for_buchholz() -> None:
    played = [Played(1, Pairing(1, 2), (WON,)), Played(2, Pairing(1, 3), (WON,))]
    (row, *_) = ranked(Format.SWISS, people(3), played)
    assert row.tie_breaks[0] == 1  # both opponents missed one of two rounds


def test_who_did_not_come_to_a_walkover_has_no_opponent_for_buchholz() -> None:
    played = [Played(1, Pairing(1, 2), (WON,), walkover=True), Played(2, Pairing(2, 1), (WON,))]
    rows = {row.user_id: row for row in ranked(Format.SWISS, people(2), played)}
    assert rows[1].tie_breaks[0] == 2  # an opponent with 1, and a walkover with their own 1
    assert rows[2].tie_breaks[0] == 1


def test_by_difference_everybody_is_compared_with_the_same_seat() -> None:
    played = [
        Played(1, Pairing(1, 2), (Outcome(10, 0),)),
        Played(1, Pairing(3, 4), (Outcome(5, 0),)),
        Played(1, Pairing(5, 6), (Outcome(5, 0),)),
    ]
    assert shares(played, Scoring.DIFFERENCE) == [(1, 0), (0.25, 0.75), (0.25, 0.75)]


def test_by_difference_two_matches_with_seats_exchanged_measure_only_skill() -> None:
    """Whoever has seat 0 wins, but for one who wins on both."""
    alike, better = Played(1, Pairing(1, 2), (WON, LOST)), Played(1, Pairing(3, 4), (WON, WON))
    assert shares([alike, alike], Scoring.DIFFERENCE)[0] == (0.5, 0.5)
    of_alike, of_better = shares([alike, better], Scoring.DIFFERENCE)
    assert of_alike == pytest.approx((1 / 2, 1 / 2))
    assert of_better == pytest.approx((5 / 6, 1 / 6))


def test_by_difference_other_deals_and_rounds_are_not_compared() -> None:
    played = [
        Played(1, Pairing(1, 2), (Outcome(1, 0, deal=1),)),
        Played(1, Pairing(3, 4), (Outcome(9, 0, deal=2),)),
        Played(2, Pairing(1, 3), (Outcome(5, 0, deal=1),)),
    ]
    assert shares(played, Scoring.DIFFERENCE) == [(1, 0)] * 3


def test_by_difference_a_bye_and_a_walkover_give_a_little_more_than_the_average() -> None:
    walkover = Played(1, Pairing(1, 2), (WON,), walkover=True)
    assert shares([walkover, Played(1, Pairing(3))], Scoring.DIFFERENCE) == [(0.6, 0), (0.6,)]


def test_who_left_and_who_never_played_stay_in_the_standings() -> None:
    entrants = (Entrant(1, 1), Entrant(2, 2, left_after=1), Entrant(3, 3, joined=9))
    rows = ranked(Format.SWISS, entrants, [Played(1, Pairing(1, 2), (WON,))])
    assert [each.user_id for each in rows] == [1, 2, 3]


def test_an_arena_has_no_rounds_to_miss() -> None:
    often = [Played(1, Pairing(1, 2), (Outcome(1, 0),)), Played(1, Pairing(1, 2), (Outcome(1, 0),))]
    rows = ranked(Format.ARENA, people(3), [*often, Played(1, Pairing(3, 1), (Outcome(1, 0),))])
    assert [(row.user_id, row.tie_breaks[1]) for row in rows] == [(1, 0), (3, 2), (2, 0)]
