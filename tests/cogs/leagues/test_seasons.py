"""The rules of a season: divisions, who meets whom, and who goes up or down."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from bot.pairing.round_robin import rounds
from cogs.leagues.queries import How, League, Member, Place, Whole
from cogs.leagues.seasons import LARGEST, LEAST, MOST, moving, next_order, paired, placed, sizes, standings


def season(count: int) -> Whole:
    """A season in which who has the lower number has won everything, but for the last of each division, who has beaten
    the first."""
    places = placed([100 + number for number in range(1, 1 + count)])
    ended = []
    for each in paired(places):
        first_wins = each.first < each.second
        division = [place.number for place in places if place.division == each.division]
        if {each.first, each.second} == {division[0], division[-1]}:
            first_wins = not first_wins
        ended.append(replace(each, how=How.PLAYED, got=(2, 0) if first_wins else (0, 2)))
    league = League("l1", 1, 2, None, "haymaker", "", "blitz", 0, season=1)
    return Whole(league, tuple([Member(each.user_id, 0) for each in places]), places, tuple(ended))


@pytest.mark.parametrize("count", range(LEAST, MOST + 1))
def test_divisions_have_four_to_eight_people_and_are_as_equal_as_they_can_be(count: int) -> None:
    found = sizes(count)
    assert sum(found) == count
    assert max(found) - min(found) <= 1
    assert min(found) >= LEAST
    assert max(found) <= LARGEST


@pytest.mark.parametrize("count", [4, 5, 7, 8, 9, 17, 64])
def test_everybody_meets_everybody_in_their_division_once_and_nobody_twice_a_week(count: int) -> None:
    places = placed(range(1, 1 + count))
    pairings = paired(places)
    assert [each.number for each in pairings] == [*range(1, 1 + len(pairings))]
    for division in {each.division for each in places}:
        people = [each.number for each in places if each.division == division]
        met = sorted(tuple(sorted(each.places)) for each in pairings if each.division == division)
        assert met == sorted(combinations(people, 2))
        weeks = {each.week for each in pairings if each.division == division}
        assert weeks == {*range(1, 1 + rounds(len(people)))}
        for week in weeks:
            busy = [n for each in pairings if (each.division, each.week) == (division, week) for n in each.places]
            assert len(busy) == len({*busy})


@pytest.mark.parametrize(("count", "moved"), [(8, 0), (10, 1), (12, 2), (16, 2), (18, 2)])
def test_one_or_two_of_each_division_go_up_and_down(count: int, moved: int) -> None:
    whole = season(count)
    moves = moving(whole)
    for division in range(1, 1 + whole.divisions):
        here = [moves[each.number] for each in whole.places if each.division == division and each.number in moves]
        assert here.count(-1) == (moved if division > 1 else 0)
        assert here.count(1) == (moved if division < whole.divisions else 0)


def test_a_new_season_has_who_went_up_in_the_division_above_and_who_waits_last() -> None:
    whole = season(12)
    before, moves = {each.user_id: each for each in whole.places}, moving(whole)
    for place in placed(next_order(whole)):
        former = before[place.user_id]
        assert place.division == former.division + moves.get(former.number, 0)
    assert [each.user_id for each in placed(next_order(whole))][:4] == [101, 102, 103, 104]
    whole = season(10)
    members = (*[each for each in whole.members if each.user_id != 101], Member(7, 1), Member(6, 2))
    order = next_order(replace(whole, members=members))
    assert 101 not in order
    assert order[-2:] == [7, 6]
    assert len(order) == 11


def test_a_substitute_keeps_the_place() -> None:
    whole = season(4)
    taken = tuple([replace(each, user_id=7, substitute=True) if each.number == 2 else each for each in whole.places])
    members = (*[each for each in whole.members if each.user_id != 102], Member(7, 1))
    changed = replace(whole, places=taken, members=members)
    assert changed.place_of(7) == Place(2, 1, 7, substitute=True)
    assert changed.substitutes == ()
    assert 7 in next_order(changed)[:3]


def test_a_walkover_gives_the_point_and_is_no_match_that_was_won() -> None:
    whole = season(4)
    first, *others = whole.pairings
    winner = first.places[(first.got or ()).index(2)]
    given = replace(whole, pairings=(replace(first, how=How.WALKOVER), *others))
    played, walked = (next(row for row in standings(each, 1) if row.user_id == winner) for each in (whole, given))
    assert (walked.points, walked.won, walked.byes) == (played.points, played.won - 1, played.byes + 1)
