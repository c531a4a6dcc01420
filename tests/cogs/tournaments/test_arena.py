"""Arenas: who is free is paired, until the time is up."""

from __future__ import annotations

import pytest

from bot.pairing import standings
from bot.pairing.model import Format
from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused
from bot.store.queries.matches import Suspension
from cogs.tournaments.arenas import GATHER, PATIENCE
from cogs.tournaments.matches import MINUTE, SHORTEST_BOUND
from cogs.tournaments.rows import How, State, Tournament, Whole
from tests.bot.play.parts import GUILD
from tests.cogs.tournaments.directed import HOST, Directed, lower_wins
from tests.cogs.tournaments.made import view

FOUR, SIX = (1, 2, 3, 4), (1, 2, 3, 4, 5, 6)
ARENA = {"format": Format.ARENA, "lasts": 60, "same_deal": False}


def people(match: LiveMatch) -> set[int]:
    return set(match.seats)


async def test_all_play_at_once_and_each_match_has_its_own_deal(directed: Directed) -> None:
    await directed.opened_for(SIX, **ARENA)
    playing = directed.playing()
    assert set().union(*map(people, playing)) == set(SIX)
    assert len({match.deal_id for match in playing}) == 3
    assert not any(match.shared for match in playing)


async def test_who_becomes_free_plays_after_a_few_seconds_but_not_whom_they_just_met(directed: Directed) -> None:
    await directed.opened_for(SIX, **ARENA)
    one, other, third = directed.playing()
    for match in (one, other):
        await directed.end(match, 0)
    await directed.pass_time(GATHER - 1)
    assert directed.playing() == [third]  # others might become free
    await directed.pass_time(1)
    new = [match for match in directed.playing() if match != third]
    assert len(new) == 2
    assert all(people(match) not in (people(one), people(other)) for match in new)


async def test_who_has_waited_plays_with_the_next_one_at_once(directed: Directed) -> None:
    await directed.opened_for(SIX, **ARENA)
    one, other, third = directed.playing()
    await directed.end(one, 0)
    await directed.pass_time(GATHER)
    assert directed.playing() == [other, third]
    await directed.after(directed.end(other, 0))
    assert len(directed.playing()) == 3


async def test_two_who_just_met_play_again_after_a_minute_if_nobody_else_is_free(directed: Directed) -> None:
    await directed.opened_for(FOUR, **ARENA)
    one, other = directed.playing()
    await directed.end(one, 0)
    await directed.pass_time(PATIENCE - 1)
    assert directed.playing() == [other]
    await directed.pass_time(1)
    assert people(one) in [people(match) for match in directed.playing() if match != other]


async def test_nobody_who_left_is_paired_and_who_comes_back_or_late_is(directed: Directed) -> None:
    cup = await directed.opened_for(FOUR, **{**ARENA, "most": 6}, open_for=60)
    await directed.pass_time(60_000)
    one, other = directed.playing()
    gone = one.seats[0]
    await directed.cups.leave(GUILD, cup.id, gone)
    for match in (one, other):
        await directed.end(match, 0)
    await directed.pass_time(GATHER)
    assert len(directed.playing()) == 1
    assert gone not in people(directed.playing()[0])
    await directed.cups.back(GUILD, cup.id, gone)
    await directed.pass_time(GATHER)
    assert any(gone in people(match) for match in directed.playing())
    joined = await directed.cups.join(GUILD, cup.id, 9)
    assert joined.entrants[-1].joined == 1
    await directed.cups.join(GUILD, cup.id, 10)
    await directed.pass_time(GATHER)
    assert any(people(match) == {9, 10} for match in directed.playing())


async def test_matches_in_play_when_the_time_is_up_still_count(directed: Directed) -> None:
    cup = await directed.opened_for(FOUR, **{**ARENA, "lasts": 20})
    one, other = directed.playing()
    for match in (one, other):  # so that they don't end by their clocks
        await directed.parts.lifecycle.suspend(match, Suspension.BOARD_REMOVED)
    await directed.pass_time(20 * MINUTE)
    assert (await directed.whole(cup)).tournament.state is State.PLAYING
    await directed.end(one, 0)
    await directed.pass_time(PATIENCE)
    assert directed.playing() == [other]
    with pytest.raises(Refused, match=r"tournament\.joining_over"):
        await directed.cups.join(GUILD, cup.id, 9)
    await directed.pass_time(SHORTEST_BOUND)
    whole = await directed.whole(cup)
    assert (whole.tournament.state, directed.playing()) == (State.OVER, [])
    assert {each.how for each in whole.pairings} == {How.PLAYED, How.LATE}
    assert whole.rounds[0].ended_at is not None


async def played(directed: Directed, cup: Tournament) -> Whole:
    """An arena in which the lower id always wins, after it is over."""
    while not (whole := await directed.whole(cup)).tournament.ended:
        for match in directed.playing():
            await directed.end(match, lower_wins(match))
        await directed.pass_time(5 * MINUTE)
    return whole


async def test_the_best_wins_by_two_points_for_a_win(directed: Directed) -> None:
    cup = await directed.opened_for(SIX, **{**ARENA, "lasts": 25})
    whole = await played(directed, cup)
    rows = standings.ranked(Format.ARENA, whole.model, whole.played)
    assert rows[0].user_id == 1
    shown = view(whole).rows
    assert [row.points for row in shown] == [2 * row.won + row.drawn for row in shown]
    assert all(row.tie_breaks[1] >= 0 for row in shown)
    assert len(whole.pairings) > 9
    for before, after in zip(whole.pairings[::3], whole.pairings[3::3], strict=False):
        assert before.people != after.people


async def test_nobody_is_paired_while_it_is_paused_and_it_ends_all_the_same(directed: Directed) -> None:
    cup = await directed.opened_for(FOUR, **ARENA)
    await directed.cups.pause(GUILD, cup.id, HOST)
    await directed.end_all(0)
    await directed.pass_time(10 * MINUTE)
    assert directed.playing() == []
    await directed.after(directed.cups.resume(GUILD, cup.id, HOST, cup.channel_id))
    assert len(directed.playing()) == 2
    await directed.cups.pause(GUILD, cup.id, HOST)
    await directed.end_all(0)
    await directed.pass_time(60 * MINUTE)
    assert (await directed.whole(cup)).tournament.state is State.OVER


async def test_who_is_barred_is_paired_no_more(directed: Directed) -> None:
    cup = await directed.opened_for(FOUR, **ARENA)
    directed.bar(4)
    await directed.end_all(0)
    await directed.pass_time(GATHER)
    assert (await directed.entrant(cup, 4)).left_after == 1
    assert len(directed.playing()) == 1
    assert 4 not in people(directed.playing()[0])
