"""Tournaments at tables of more than two seats, from their opening to their end."""

from __future__ import annotations

import pytest

from bot.pairing import standings
from bot.pairing.model import Format, Scoring
from bot.play.refusals import Refused
from bot.store.queries.matches import Suspension
from cogs.actions.hosting import By
from cogs.tournaments.matches import SHORTEST_BOUND, bound
from cogs.tournaments.rounds import BREAK
from cogs.tournaments.rows import How, State, Whole
from engines.game import Resign
from tests.bot.play.parts import GUILD
from tests.cogs.tournaments.directed import HOST, Directed, lower_wins

SEVEN = (1, 2, 3, 4, 5, 6, 7)
HUNDRED_AND_ONE = By(101)
FOURS = {"game": "champions", "seats": 4}


def recount(whole: Whole) -> dict[int, float]:
    """Everybody's points where all came in by their ids, without the standings' own code."""
    points = dict.fromkeys((each.user_id for each in whole.entrants), 0.0)
    for pairing in whole.pairings:
        for index, user in enumerate(sorted(pairing.people)):
            points[user] += 1 - index / (len(pairing.people) - 1)
    return points


async def test_seven_people_play_the_same_deal_at_a_table_of_four_and_one_of_three(directed: Directed) -> None:
    cup = await directed.opened_for(SEVEN, **FOURS)
    whole = await directed.play(cup, lower_wins)
    assert whole.tournament.state is State.OVER
    assert [each.number for each in whole.rounds] == [1, 2, 3]
    deals = [{leg.deal for each in whole.of_round(number) for leg in each.legs} for number in (1, 2, 3)]
    assert [len(each) for each in deals] == [1, 1, 1]
    assert len(set.union(*deals)) == 3
    for number in (1, 2, 3):
        assert sorted(len(each.people) for each in whole.of_round(number)) == [3, 4]
        assert sorted(user for each in whole.of_round(number) for user in each.people) == [*SEVEN]
    rows = standings.ranked(Format.SWISS, whole.model, whole.played)
    assert {row.user_id: row.points for row in rows} == pytest.approx(recount(whole))
    assert (rows[0].user_id, rows[0].points) == (1, 3)
    firsts = [each.people[0] for each in whole.pairings]
    assert max(map(firsts.count, firsts)) < 3


async def test_seats_are_scored_against_the_same_seats_at_other_tables(directed: Directed) -> None:
    cup = await directed.opened_for(range(1, 9), scoring=Scoring.DIFFERENCE, **FOURS)
    await directed.after(directed.end_all(0))
    whole = await directed.whole(cup)
    rows = standings.ranked(Format.SWISS, whole.model, whole.played, Scoring.DIFFERENCE)
    firsts = {each.people[0] for each in whole.pairings}
    assert {row.user_id: row.points for row in rows if row.user_id in firsts} == dict.fromkeys(firsts, 0.5)
    assert sum(row.points for row in rows) == 4


async def test_who_leaves_before_their_match_begins_leaves_the_table_to_the_others(directed: Directed) -> None:
    first = await directed.opened_for([*range(101, 165)])  # all matches that the server may have
    await directed.cups.call_off(GUILD, first.id, HUNDRED_AND_ONE)
    cup = await directed.opened_for(SEVEN, **FOURS)
    large, small = (await directed.whole(cup)).in_round
    assert (large.people, large.legs, len(small.people)) == ((1, 3, 5, 7), (), 3)
    for user in (3, *small.people[1:]):
        await directed.cups.leave(GUILD, cup.id, user)
    await directed.end_all(0)
    await directed.pass_time(BREAK)
    large, small = (await directed.whole(cup)).in_round
    assert (large.people, large.how) == ((1, 5, 7), None)
    assert [match.seats for match in directed.playing()] == [(1, 5, 7)]
    assert (small.how, small.got) == (How.WALKOVER, (2, 0))
    await directed.cups.back(GUILD, cup.id, 3)
    whole = await directed.play(cup, lower_wins)
    assert whole.pairing(1, 3) is None
    assert sorted(len(each.people) for each in whole.of_round(2)) == [2, 3]
    assert {user for each in whole.of_round(2) for user in each.people} == {1, 2, 3, 5, 7}
    points = {row.user_id: row.points for row in standings.ranked(Format.SWISS, whole.model, whole.played)}
    assert points[1] == 3


async def test_who_leaves_a_match_is_last_and_the_others_play_on(directed: Directed) -> None:
    cup = await directed.opened_for(SEVEN, **FOURS)
    match = next(each for each in directed.playing() if len(each.seats) == 4)
    await match.act(match.seats.index(1), Resign())
    await directed.after(directed.cups.leave(GUILD, cup.id, 1))
    assert match in directed.playing()
    for user in (7, 5):
        await match.act(match.seats.index(user), Resign())
    directed.parts.clock.settle(match)
    directed.parts.observers.match_changed(match)
    await directed.quiet()
    pairing = (await directed.whole(cup)).pairing(1, 1)
    assert pairing is not None
    assert sorted(pairing.total()) == [0, 2, 4, 6]
    assert pairing.total()[pairing.people.index(1)] == 0
    assert pairing.total()[pairing.people.index(3)] == 6


async def test_a_table_that_takes_too_long_or_is_called_off_is_shared_by_all(directed: Directed) -> None:
    cup = await directed.opened_for(SEVEN, **FOURS)
    large, small = sorted(directed.playing(), key=lambda match: len(match.seats), reverse=True)
    await directed.end(small, -1)
    await directed.parts.lifecycle.suspend(large, Suspension.BOARD_REMOVED)
    await directed.quiet()
    whole = await directed.whole(cup)
    assert bound(whole.tournament, 0, 0) > SHORTEST_BOUND
    await directed.pass_time(bound(whole.tournament, 0, 0))
    found = (await directed.whole(cup)).of_round(1)
    assert {each.how for each in found} == {How.PLAYED, How.LATE}
    assert [each.total() for each in found] == [(3, 3, 3, 3), (2, 2, 2)]
    assert large not in directed.playing()


async def test_a_host_sets_the_places_of_a_table_and_nothing_that_is_none(directed: Directed) -> None:
    cup = await directed.opened_for(SEVEN, **FOURS)
    await directed.play_round(lower_wins)
    await directed.cups.correct(GUILD, cup.id, HOST, (1, 1), (0, 2, 5, 5))
    whole = await directed.whole(cup)
    assert (whole.in_round[0].how, whole.in_round[0].got) == (How.CORRECTED, (0, 2, 5, 5))
    assert whole.played[0].points() == pytest.approx((0, 1 / 3, 5 / 6, 5 / 6))
    with pytest.raises(ValueError, match="no result"):
        await directed.cups.correct(GUILD, cup.id, HOST, (1, 1), (6, 6, 0, 0))
    with pytest.raises(Refused, match=r"tournament\.no_pairing"):
        await directed.cups.correct(GUILD, cup.id, HOST, (1, 1), (2, 0))


async def test_tables_take_as_much_of_a_servers_room_as_their_matches(directed: Directed) -> None:
    await directed.opened_for((1, 2, 3), most=64, **FOURS)  # 16 of 32 matches
    assert await directed.cups.room_in(GUILD, 4) == 64
    assert await directed.cups.room_in(GUILD) == 32
    for wrong in ({"format": Format.ROUND_ROBIN}, {"legs": 2}, {"teams": True}):
        with pytest.raises(ValueError, match="no such tables"):
            await directed.opened_for((4, 5, 6), **FOURS, **wrong)
