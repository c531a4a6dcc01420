"""Tournaments of teams: who plays together, where they sit, and what their matches give."""

from __future__ import annotations

import pytest

from bot.pairing import standings
from bot.pairing.model import Format
from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused
from cogs.tournaments import partners
from cogs.tournaments.rounds import BREAK
from cogs.tournaments.rows import How, State, Tournament, Whole
from tests.bot.play.parts import GUILD
from tests.cogs.tournaments.directed import HOST, Directed

EIGHT = (1, 2, 3, 4, 5, 6, 7, 8)


async def of_teams(directed: Directed, form: Format = Format.SWISS, people: tuple[int, ...] = EIGHT) -> Tournament:
    """A tournament that these have joined, in which 1 and 8 have agreed to play together, and 2 asks 7 in vain. The
    others get the next one: 2 and 3, 4 and 5, 6 and 7."""
    cup = await directed.opened_for(people, format=form, teams=True, most=max(8, len(people) + 1))
    for one, other in ((1, 8), (8, 1), (2, 7)):
        await directed.cups.ask(GUILD, cup.id, one, other)
    return cup


async def begun(directed: Directed, form: Format = Format.SWISS) -> Tournament:
    cup = await of_teams(directed, form)
    await directed.after(directed.cups.close_joining(GUILD, cup.id, HOST))
    return cup


def teams_of(whole: Whole) -> set[frozenset[int]]:
    return {frozenset(each.user_id for each in whole.members(side.user_id)) for side in whole.model}


async def test_who_agreed_play_together_and_the_others_with_the_next_one(directed: Directed) -> None:
    cup = await of_teams(directed)
    whole = await directed.whole(cup)
    assert [{one.user_id, other.user_id} for one, other in partners.teams(whole)] == [{1, 8}]
    assert [each.user_id for each in partners.asked_by(whole, 7)] == [2]
    await directed.after(directed.cups.close_joining(GUILD, cup.id, HOST))
    whole = await directed.whole(cup)
    assert teams_of(whole) == {frozenset({1, 8}), frozenset({2, 3}), frozenset({4, 5}), frozenset({6, 7})}
    assert whole.asks == ()
    assert sorted(each.seed for each in whole.entrants) == [*EIGHT]
    assert all(each.team == (1 + each.seed) // 2 for each in whole.entrants)


async def test_partners_sit_on_opposite_seats_of_the_same_deal_against_the_same_team(directed: Directed) -> None:
    cup = await begun(directed)
    whole = await directed.whole(cup)
    playing = directed.playing()
    assert len({match.deal_id for match in playing}) == 1
    seat = {user: match.seats.index(user) for match in playing for user in match.seats}
    against = {user: next(each for each in match.seats if each != user) for match in playing for user in match.seats}
    for one, other in map(sorted, teams_of(whole)):
        assert {seat[one], seat[other]} == {0, 1}
        assert whole.side(against[one]) == whole.side(against[other]) != whole.side(one)


async def test_seat_0_of_both_tables_gives_nobody_an_advantage(directed: Directed) -> None:
    cup = await begun(directed)
    await directed.play_round(lambda _: 0)
    whole = await directed.whole(cup)
    rows = standings.ranked(cup.format, whole.model, whole.played)
    assert [(row.points, row.drawn) for row in rows] == [(0.5, 1)] * 4


@pytest.mark.parametrize("form", [Format.SWISS, Format.ROUND_ROBIN, Format.SINGLE, Format.DOUBLE])
async def test_the_better_team_wins(directed: Directed, form: Format) -> None:
    cup = await begun(directed, form)

    def wins(match: LiveMatch) -> int:
        best = [seat for seat, user in enumerate(match.seats) if user in {4, 5}]
        return best[0] if best else match.seats.index(min(match.seats))

    whole = await directed.play(cup, wins)
    assert whole.tournament.state is State.OVER
    first = standings.ranked(form, whole.model, whole.played)[0]
    assert {each.user_id for each in whole.members(first.user_id)} == {4, 5}
    assert first.place == 1


async def test_a_tie_of_teams_in_a_knockout_is_broken_by_a_second_deal_at_both_tables(directed: Directed) -> None:
    cup = await begun(directed, Format.SINGLE)
    one, *others = directed.playing()
    await directed.after(directed.end(one, 0))
    assert directed.playing() == others  # it isn't known yet whether they tie
    for match in others:
        await directed.end(match, 0)
    await directed.quiet()
    again = directed.playing()
    assert len(again) == 4
    assert {match.deal_id for match in again}.isdisjoint({one.deal_id})
    await directed.play_round(lambda _: 0)
    whole = await directed.whole(cup)
    assert [len(each.legs) for each in whole.of_round(1)] == [2] * 4
    await directed.pass_time(BREAK)
    whole = await directed.whole(cup)
    assert {whole.side(user) for each in whole.of_round(2) for user in each.people} == {1, 2}


async def test_a_team_is_out_when_one_of_it_leaves_and_comes_back_with_them(directed: Directed) -> None:
    cup = await begun(directed)
    await directed.cups.leave(GUILD, cup.id, 4)
    await directed.next_round(lambda _: 0)
    whole = await directed.whole(cup)
    assert whole.tournament.round == 2
    assert whole.pairing(2, 4) is whole.pairing(2, 5) is None
    byes = [each for each in whole.of_round(2) if each.is_bye]
    assert len({whole.side(each.people[0]) for each in byes}) == 1
    assert [each.how for each in byes] == [How.BYE] * 2
    await directed.cups.back(GUILD, cup.id, 4)
    team = next(each for each in (await directed.whole(cup)).model if each.user_id == whole.side(5))
    assert [team.plays_in(number) for number in (1, 2, 3)] == [True, False, True]


async def test_a_full_one_waits_for_who_is_asked_but_not_after_its_time(directed: Directed) -> None:
    cup = await directed.opened_for((*EIGHT[:7],), teams=True, most=8)
    await directed.cups.ask(GUILD, cup.id, 1, 8)
    await directed.after(directed.cups.join(GUILD, cup.id, 8))
    assert directed.playing() == []
    await directed.after(directed.cups.ask(GUILD, cup.id, 8, 1))
    assert len(directed.playing()) == 4
    late = await directed.opened_for((*range(11, 18),), teams=True, most=8, open_for=60)
    await directed.cups.ask(GUILD, late.id, 11, 18)
    await directed.cups.join(GUILD, late.id, 18)
    await directed.pass_time(60_000)
    assert frozenset({11, 12}) in teams_of(await directed.whole(late))


async def test_who_is_left_over_without_a_partner_is_left_out(directed: Directed) -> None:
    cup = await directed.opened_for((*EIGHT[:7],), teams=True, most=8)
    await directed.after(directed.cups.close_joining(GUILD, cup.id, HOST))
    assert [each.user_id for each in (await directed.whole(cup)).entrants] == [1, 2, 3, 4, 5, 6]


async def test_who_blocked_each_other_are_no_partners(directed: Directed) -> None:
    async def kept_apart(user: int, others: object) -> set[int]:
        return {3 - user} & {1, 2}

    directed.parts.invitations.admission.add(None, kept_apart)
    cup = await directed.opened_for((*EIGHT[:6],), teams=True, most=8)
    with pytest.raises(Refused, match=r"challenge\.takes_none"):
        await directed.cups.ask(GUILD, cup.id, 1, 2)
    await directed.after(directed.cups.close_joining(GUILD, cup.id, HOST))
    assert frozenset({1, 3}) in teams_of(await directed.whole(cup))


async def test_what_cannot_be_is_refused(directed: Directed) -> None:
    cup = await of_teams(directed, people=(1, 2, 7, 8, 9))
    for key, asked in (
        ("not_in", directed.cups.ask(GUILD, cup.id, 5, 1)),
        ("has_partner", directed.cups.ask(GUILD, cup.id, 2, 8)),
        ("no_asking", directed.cups.ask(GUILD, cup.id, 2, 2)),
        ("too_few", directed.cups.close_joining(GUILD, cup.id, HOST)),
    ):
        with pytest.raises(Refused, match=rf"tournament\.{key}"):
            await asked
    await directed.cups.leave(GUILD, cup.id, 8)
    whole = await directed.whole(cup)
    assert partners.teams(whole) == []
    await directed.cups.join(GUILD, cup.id, 8)
    for user in (3, 4):
        await directed.cups.join(GUILD, cup.id, user)
    await directed.after(directed.cups.close_joining(GUILD, cup.id, HOST))
    with pytest.raises(Refused, match=r"tournament\.no_asking"):
        await directed.cups.ask(GUILD, cup.id, 2, 3)
    with pytest.raises(Refused, match=r"tournament\.joining_over"):
        await directed.cups.join(GUILD, cup.id, 20)
    alone = await directed.opened_for((31, 32))
    with pytest.raises(Refused, match=r"tournament\.no_asking"):
        await directed.cups.ask(GUILD, alone.id, 31, 32)
