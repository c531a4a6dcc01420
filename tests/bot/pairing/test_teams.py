"""Teams of two."""

from __future__ import annotations

from bot.pairing import pair
from bot.pairing.model import Entrant, Format, Outcome, Pairing, Played
from bot.pairing.standings import ranked
from bot.pairing.teams import as_apart, as_entrants, as_played, matches

WON, LOST = Outcome(1, 0), Outcome(0, 1)
PEOPLE = tuple(Entrant(user_id, user_id, team=1 + (user_id - 1) // 2) for user_id in range(1, 9))


def test_partners_sit_on_opposite_seats_and_meet_others_from_round_to_round() -> None:
    assert matches(Pairing(1, 2), PEOPLE, 1) == (Pairing(1, 3), Pairing(4, 2))
    assert matches(Pairing(1, 2), PEOPLE, 2) == (Pairing(1, 4), Pairing(3, 2))


def test_a_bye_is_one_for_both() -> None:
    assert matches(Pairing(2), PEOPLE, 1) == (Pairing(3), Pairing(4))
    assert as_played(PEOPLE, [Played(1, each) for each in matches(Pairing(2), PEOPLE, 1)]) == (Played(1, Pairing(2)),)


def test_a_team_wins_by_the_difference_of_both_matches() -> None:
    one, other = matches(Pairing(1, 2), PEOPLE, 1)
    tied = as_played(PEOPLE, [Played(1, one, (WON,)), Played(1, other, (WON,))])
    assert [each.points() for each in tied] == [(0.5, 0.5)]  # seat 0 won both
    (won,) = as_played(PEOPLE, [Played(1, one, (Outcome(7, 0),)), Played(1, other, (Outcome(6, 0),))])
    assert won == Played(1, Pairing(1, 2), (Outcome(7, 0), Outcome(0, 6)))
    assert won.points() == (1, 0)


def test_with_seats_exchanged_each_match_stands_where_its_first_team_had_seat_0() -> None:
    one, other = matches(Pairing(1, 2), PEOPLE, 1)
    both = [Played(1, one, (Outcome(1, 2), Outcome(3, 4))), Played(1, other, (Outcome(5, 6), Outcome(7, 8)))]
    (found,) = as_played(PEOPLE, both)
    assert found.outcomes == (Outcome(1, 2), Outcome(6, 5), Outcome(8, 7), Outcome(3, 4))


def test_one_walkover_of_two_counts_with_the_match_that_was_played() -> None:
    one, other = matches(Pairing(1, 2), PEOPLE, 1)
    (found,) = as_played(PEOPLE, [Played(1, one, (WON,), walkover=True), Played(1, other, (LOST,))])
    assert found.points() == (1, 0)
    assert found.is_match


def test_a_team_is_there_if_both_are_and_apart_if_one_of_each_is() -> None:
    people = (Entrant(1, 1, absent=frozenset({2}), team=7), Entrant(2, 4, left_after=5, team=7), *PEOPLE[2:4])
    first, second = as_entrants(people)
    assert (first.user_id, second.user_id) == (7, 2)
    assert [first.plays_in(number) for number in (1, 2, 3, 6)] == [True, False, True, False]
    late = [Entrant(user_id, user_id, joined=user_id, team=1) for user_id in (1, 2)]
    assert [as_entrants(late)[0].plays_in(number) for number in (1, 2)] == [False, True]
    assert as_apart(people, frozenset({frozenset({1, 3}), frozenset({1, 2})})) == frozenset({frozenset({7, 2})})


def test_all_formats_pair_teams() -> None:
    teams = as_entrants(PEOPLE)
    done: tuple[Played, ...] = ()
    for number in (1, 2):
        for pairing in pair(Format.SINGLE, teams, as_played(PEOPLE, done), number):
            for each in matches(pairing, PEOPLE, number):
                done += (Played(number, each, (WON if each.second is None or each.first < each.second else LOST,)),)
    rows = ranked(Format.SINGLE, teams, as_played(PEOPLE, done))
    assert [each.user_id for each in rows] == [1, 2, 3, 4]


def test_a_team_that_is_not_there_gives_one_point_and_not_one_for_each_table() -> None:
    one, other = matches(Pairing(1, 2), PEOPLE, 1)
    both = [Played(1, one, (WON,), walkover=True), Played(1, other, (LOST,), walkover=True)]
    (found,) = as_played(PEOPLE, both)
    assert (found.points(), found.is_match) == ((1, 0), False)
