"""Tournaments from their opening to their end: what happens by itself, in order, once, and after a kill."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Collection

import pytest

from bot.budgets import MOST_CORRECTIONS
from bot.pairing import standings
from bot.pairing.model import Format
from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused
from bot.scheduler import DAY
from bot.store.queries.matches import Suspension
from bot.store.queries.standings import Standing
from cogs.actions.hosting import By
from cogs.tournaments.matches import SHORTEST_BOUND
from cogs.tournaments.rounds import BREAK, CHECK_IN, EVERYWHERE
from cogs.tournaments.rows import HELD, Hold, How, State, Whole
from cogs.tournaments.screens import is_closed
from tests.bot.play.parts import CHANNEL, ELSEWHERE, GUILD, an_act, on_turn
from tests.cogs.tournaments.directed import HOST, Directed, lower_wins

FOUR, EIGHT = (1, 2, 3, 4), (1, 2, 3, 4, 5, 6, 7, 8)


def places(whole: Whole) -> dict[int, int]:
    rows = standings.ranked(whole.tournament.format, whole.model, whole.played, whole.tournament.scoring)
    return {row.user_id: row.place for row in rows}


@pytest.mark.parametrize("people", [FOUR, EIGHT])
@pytest.mark.parametrize("form", [Format.SWISS, Format.ROUND_ROBIN, Format.SINGLE, Format.DOUBLE])
async def test_it_is_played_to_its_end_and_the_best_wins(
    directed: Directed, form: Format, people: tuple[int, ...]
) -> None:
    cup = await directed.opened_for(people, format=form)
    whole = await directed.play(cup, lower_wins)
    assert whole.tournament.state is State.OVER
    assert [each.ended_at is not None for each in whole.rounds] == [True] * whole.tournament.round
    assert all(each.how is How.PLAYED for each in whole.pairings)
    assert places(whole)[1] == 1


# ---------------------------------------------------------------------------------------------- a round


def seat_0_wins(_: LiveMatch) -> int:
    return 0


async def test_a_round_begins_with_all_of_its_matches_and_the_same_deal(directed: Directed) -> None:
    await directed.opened_for(EIGHT)
    playing = directed.playing()
    assert len(playing) == 4
    assert {user for match in playing for user in match.seats} == set(EIGHT)
    assert len({match.deal_id for match in playing}) == len({match.commitment for match in playing}) == 1
    assert all((match.shared, match.rated, match.reserved) == (True, True, True) for match in playing)


@pytest.mark.parametrize("form", [Format.SWISS, Format.ROUND_ROBIN, Format.SINGLE])
async def test_who_is_kept_apart_meets_last(directed: Directed, form: Format) -> None:
    async def kept_apart(user_id: int, others: Collection[int]) -> Collection[int]:
        return {1: [2], 2: [1]}.get(user_id, [])

    directed.parts.invitations.admission.add(None, kept_apart)
    whole = await directed.play(await directed.opened_for(EIGHT, format=form), lower_wins)
    met = [each.round for each in whole.pairings if {*each.people} == {1, 2}]
    assert met == ([] if form is Format.SWISS else [whole.tournament.round])


async def test_only_who_has_blocked_somebody_is_told_that_they_are_in_it_too(directed: Directed) -> None:
    async def avoids(user_id: int, others: Collection[int]) -> Collection[int]:
        return [other for other in others if (user_id, other) == (2, 3)]

    directed.parts.invitations.admission.add(None, None, avoids)
    cup = await directed.opened_for(FOUR[:3])
    whole = await directed.whole(cup)
    assert {user: await directed.cups.avoided(whole, user) for user in FOUR} == {1: [], 2: [3], 3: [], 4: []}
    await directed.after(directed.cups.join(GUILD, cup.id, 4))
    assert await directed.cups.avoided(await directed.whole(cup), 2) == []  # they are paired


async def test_a_round_of_two_deals_is_played_with_seats_exchanged_and_nobody_plays_a_deal_twice(
    directed: Directed,
) -> None:
    cup = await directed.opened_for(FOUR, legs=2, rated=False)
    first = {match.seats for match in directed.playing()}
    (one,) = {match.deal_id for match in directed.playing()}
    await directed.after(directed.end_all(0))
    assert {match.seats[::-1] for match in directed.playing()} == first
    (other,) = {match.deal_id for match in directed.playing()}
    assert one != other
    assert not any(match.rated for match in directed.playing())
    seeds = {each.deal_id: each.seed for each in await directed.queries.deals(GUILD, cup.id)}
    assert len({*seeds.values()}) == len(seeds) == 2
    await directed.play_round(seat_0_wins)
    assert [(each.how, each.total()) for each in (await directed.whole(cup)).in_round] == [(How.PLAYED, (2, 2))] * 2


async def test_deals_are_closed_until_their_round_is_over(directed: Directed) -> None:
    await directed.opened_for(FOUR, legs=2)
    (deal_id,) = {match.deal_id for match in directed.playing()}
    one, _ = directed.playing()
    both = {each.deal_id for each in await directed.queries.deals(GUILD, directed.rounds.matches.of[one.id][1])}
    await directed.after(directed.end(one, 0))
    for match in [each for each in directed.playing() if each.seats != one.seats[::-1]]:
        await directed.end(match, 0)
    assert not any(match.deal_id == deal_id for match in directed.playing())
    assert len(both) == 2
    assert all(directed.parts.closed_deals.is_shared_closed(GUILD, each) for each in both)
    assert directed.opened == []
    await directed.play_round(seat_0_wins)
    assert {*directed.opened} == both
    assert not any(directed.parts.closed_deals.is_shared_closed(GUILD, each) for each in both)


async def test_a_tie_in_an_elimination_is_broken_by_a_second_deal_and_then_by_the_seeds(directed: Directed) -> None:
    cup = await directed.opened_for(FOUR, format=Format.SINGLE)
    (first,) = {match.deal_id for match in directed.playing()}
    await directed.after(directed.end_all(-1))
    (second,) = {match.deal_id for match in directed.playing()}
    assert second != first
    await directed.next_round(lambda _: -1)
    (final,) = (await directed.whole(cup)).in_round
    assert set(final.people) == {1, 2}


async def test_a_tie_over_two_deals_is_broken_by_two_more(directed: Directed) -> None:
    cup = await directed.opened_for(FOUR, format=Format.SINGLE, legs=2)
    await directed.play_round(seat_0_wins)  # seats are exchanged each time, so nobody is ever ahead
    whole = await directed.whole(cup)
    assert [len({leg.deal for leg in each.legs}) for each in whole.pairings] == [4, 4]
    await directed.pass_time(BREAK)
    (final,) = (await directed.whole(cup)).in_round
    assert set(final.people) == {1, 2}


async def test_nothing_but_what_was_played_moves_ratings(directed: Directed) -> None:
    async def ratings() -> list[Standing | None]:
        return [await directed.parts.store.standing(GUILD, "haymaker", user) for user in FOUR]

    cup = await directed.opened_for(FOUR, format=Format.SINGLE, same_deal=False)
    for match in directed.playing():
        while match.position.acts < match.game.info.shortest_counted:
            await match.act(on_turn(match), an_act(match))
        await directed.end(match, lower_wins(match))
    await directed.quiet()
    after_one_round = await ratings()
    assert [found is not None and found.matches for found in after_one_round] == [1, 1, 1, 1]
    second = (await directed.whole(cup)).in_round[0].people[1]
    await directed.cups.correct(GUILD, cup.id, HOST, (1, 1), (0, 2))
    await directed.cups.leave(GUILD, cup.id, second)
    whole = await directed.play(cup, lower_wins)
    assert [(each.round, each.how) for each in whole.pairings] == [(1, How.CORRECTED), (1, How.PLAYED)]
    assert await ratings() == after_one_round


# ---------------------------------------------------------------------------------------------- who is in it


async def test_who_leaves_before_their_match_loses_by_a_walkover_and_can_come_back(directed: Directed) -> None:
    cup = await directed.opened_for(FOUR, legs=2)
    (theirs,) = [match for match in directed.playing() if 4 in match.seats]
    await directed.after(directed.cups.leave(GUILD, cup.id, 4))
    assert theirs in directed.playing()
    await directed.play_round(seat_0_wins)
    whole = await directed.whole(cup)
    pairing = whole.pairing(1, 4)
    assert pairing is not None
    assert (pairing.how, len(pairing.legs)) == (How.WALKOVER, 1)
    assert pairing.got == ((0, 2) if pairing.people[0] == 4 else (2, 0))
    await directed.pass_time(BREAK)
    whole = await directed.whole(cup)
    assert whole.tournament.round == 2
    assert whole.pairing(2, 4) is None
    await directed.cups.back(GUILD, cup.id, 4)
    entrant = await directed.entrant(cup, 4)
    assert (entrant.there, entrant.absent) == (True, (2,))


async def test_who_comes_late_plays_from_the_next_round_on(directed: Directed) -> None:
    cup = await directed.opened_for(EIGHT[:3], open_for=60)
    await directed.pass_time(60_000)
    joined = await directed.cups.join(GUILD, cup.id, 9)
    assert joined.entrants[-1].joined == 2
    await directed.next_round()
    whole = await directed.whole(cup)
    assert whole.pairing(1, 9) is None
    assert whole.pairing(2, 9) is not None
    assert [each.seed for each in whole.entrants] == [1, 2, 3, 4]


async def test_only_who_is_there_at_the_check_in_plays(directed: Directed) -> None:
    cup = await directed.opened_for(FOUR, check_in=True)
    assert (await directed.whole(cup)).tournament.state is State.CHECKING
    for user in (1, 2, 4):
        await directed.cups.check_in(GUILD, cup.id, user)
    await directed.quiet()
    assert directed.playing() == []
    await directed.pass_time(CHECK_IN)
    whole = await directed.whole(cup)
    assert whole.tournament.state is State.PLAYING
    assert {each.user_id for each in whole.entrants} == {1, 2, 4}


async def test_a_check_in_that_the_machine_slept_through_begins_again(directed: Directed) -> None:
    cup = await directed.opened_for(FOUR, check_in=True)
    await directed.after(directed.cups.check_in(GUILD, cup.id, 1))
    directed.parts.scheduler.correct(DAY)
    await directed.pass_time(CHECK_IN)
    tournament = (await directed.whole(cup)).tournament
    assert (tournament.state, tournament.due_at) == (State.CHECKING, directed.parts.now() + CHECK_IN)
    for user in (2, 3, 4):
        await directed.cups.check_in(GUILD, cup.id, user)
    await directed.quiet()
    assert len((await directed.whole(cup)).entrants) == len(FOUR)
    assert (await directed.whole(cup)).tournament.state is State.PLAYING


async def test_a_check_in_begins_again_after_discord_was_out_of_reach(directed: Directed) -> None:
    cup, clock = await directed.opened_for(FOUR, check_in=True), directed.parts.clock
    clock.pause()
    await directed.pass_time(CHECK_IN)
    assert (await directed.whole(cup)).tournament.state is State.CHECKING
    clock.note_credit()
    clock.resume()
    back = directed.parts.now()
    await directed.pass_time(1000)
    tournament = (await directed.whole(cup)).tournament
    assert (tournament.state, tournament.due_at) == (State.CHECKING, back + CHECK_IN)
    await directed.pass_time(CHECK_IN)
    assert (await directed.whole(cup)).tournament.state is State.CALLED_OFF


async def test_its_host_does_not_wait_for_who_does_not_confirm(directed: Directed) -> None:
    cup = await directed.opened_for(FOUR, check_in=True)
    for user in (1, 2):
        await directed.cups.check_in(GUILD, cup.id, user)
    with pytest.raises(Refused, match=r"tournament\.too_few"):
        await directed.cups.close_joining(GUILD, cup.id, HOST)
    await directed.cups.check_in(GUILD, cup.id, 4)
    await directed.after(directed.cups.close_joining(GUILD, cup.id, HOST))
    assert {each.user_id for each in (await directed.whole(cup)).entrants} == {1, 2, 4}
    assert len(directed.playing()) == 1


async def test_it_is_called_off_if_too_few_have_joined(directed: Directed) -> None:
    cup = await directed.opened_for((1, 2), open_for=60)
    await directed.pass_time(60_000)
    assert (await directed.whole(cup)).tournament.state is State.CALLED_OFF


async def test_it_goes_on_without_who_is_barred(directed: Directed) -> None:
    cup = await directed.opened_for(FOUR)
    await directed.play_round(lower_wins)
    directed.bar(4)
    await directed.pass_time(BREAK)
    assert (await directed.entrant(cup, 4)).left_after == 1
    assert (await directed.play(cup, lower_wins)).tournament.state is State.OVER


async def test_who_has_their_data_deleted_leaves_and_stays_in_it_without_a_name(directed: Directed) -> None:
    cup = await directed.opened_for(FOUR, format=Format.ROUND_ROBIN)
    await directed.play_round(lower_wins)
    store, marker = directed.parts.store, -77
    matches = [each.legs[0].match_id for each in (await directed.whole(cup)).pairings if 4 in each.people]
    await store.anonymise(GUILD, 4, marker, matches)
    whole = await directed.play(cup, lower_wins)
    assert {each.user_id for each in whole.entrants} == {1, 2, 3, marker}
    assert [each.how for each in whole.pairings if marker in each.people] == [How.PLAYED]
    assert not any((await directed.queries.export(GUILD, 4))["tournaments"].values())


async def test_a_tournament_goes_on_without_its_host(directed: Directed) -> None:
    cup = await directed.opened_for((9, *FOUR))
    await directed.play_round(lower_wins)
    matches = [leg.match_id for each in (await directed.whole(cup)).pairings for leg in each.legs if 9 in each.people]
    await directed.parts.store.anonymise(GUILD, 9, -78, matches)
    assert (await directed.whole(cup)).tournament.host_id is None
    with pytest.raises(Refused, match=r"hosted\.not_yours"):
        await directed.cups.pause(GUILD, cup.id, By(9))
    await directed.cups.pause(GUILD, cup.id, By(2, manages=True))


# ---------------------------------------------------------------------------------------------- its host


async def test_no_round_begins_while_it_is_paused(directed: Directed) -> None:
    cup = await directed.opened_for(FOUR)
    await directed.cups.pause(GUILD, cup.id, HOST)
    await directed.next_round()
    await directed.parts.pass_time(DAY)
    assert (await directed.whole(cup)).tournament.round == 1
    await directed.after(directed.cups.resume(GUILD, cup.id, HOST, ELSEWHERE))
    assert {match.channel_id for match in directed.playing()} == {ELSEWHERE}
    assert (await directed.play(cup, lower_wins)).tournament.state is State.OVER


@pytest.mark.parametrize("why", [Hold.HOST, Hold.VENUE])
async def test_it_is_called_off_after_a_week_on_hold_and_its_room_and_results_are_free(
    directed: Directed, why: Hold
) -> None:
    cup = await directed.opened_for(EIGHT, most=64)
    await directed.after(directed.cups.close_joining(GUILD, cup.id, HOST))
    first, *others = directed.playing()
    if why is Hold.HOST:
        await directed.cups.pause(GUILD, cup.id, HOST)
    else:
        await directed.parts.lifecycle.suspend(others[0], Suspension.CHANNEL_GONE)
    await directed.after(directed.end(first, 0))
    assert (await directed.whole(cup)).tournament.hold is why
    with pytest.raises(Refused, match=r"tournament\.full_up"):
        await directed.opened_for([9])
    await directed.pass_time(HELD - 1000)
    assert ((await directed.whole(cup)).tournament.state, directed.given_up) == (State.PLAYING, [])
    await directed.pass_time(1000)
    whole = await directed.whole(cup)
    assert (whole.tournament.state, whole.tournament.hold) == (State.CALLED_OFF, why)
    assert directed.given_up == [whole.tournament]
    assert any(each.how is How.PLAYED for each in whole.pairings)
    assert (await directed.opened_for([9])).id != cup.id


async def test_one_that_is_resumed_goes_on_and_has_a_week_again(directed: Directed) -> None:
    cup = await directed.opened_for(EIGHT)
    for _ in range(2):
        await directed.cups.pause(GUILD, cup.id, HOST)
        await directed.parts.pass_time(HELD - 1000)
        await directed.cups.resume(GUILD, cup.id, HOST, CHANNEL)
        await directed.pass_time(2000)
    assert (await directed.whole(cup)).tournament.state is State.PLAYING
    assert directed.given_up == []


async def test_its_time_on_hold_does_not_end_while_nobody_could_resume_it(directed: Directed) -> None:
    cup = await directed.opened_for(FOUR)
    await directed.after(directed.cups.pause(GUILD, cup.id, HOST))
    await directed.director.close()
    await directed.parts.pass_time(2 * HELD)
    for _ in range(2):  # a second start gives no other day
        again = Directed(directed.parts, seed=37)
        await again.director.resume()
        await again.quiet()
        assert (await again.whole(cup)).tournament.state is State.PLAYING
        await again.director.close()
        await directed.parts.pass_time(DAY - 1000)
    last = Directed(directed.parts, seed=38)
    await last.director.resume()
    await last.quiet()
    assert (await last.whole(cup)).tournament.state is State.PLAYING


async def test_its_time_on_hold_does_not_end_while_the_machine_sleeps(directed: Directed) -> None:
    cup = await directed.opened_for(FOUR)
    await directed.after(directed.cups.pause(GUILD, cup.id, HOST))
    directed.parts.scheduler.correct(2 * HELD)
    await directed.pass_time(DAY)
    assert (await directed.whole(cup)).tournament.state is State.PLAYING
    assert directed.given_up == []
    await directed.pass_time(DAY)
    assert (await directed.whole(cup)).tournament.state is State.CALLED_OFF


async def test_a_result_is_corrected_with_who_did_it(directed: Directed) -> None:
    cup = await directed.opened_for(FOUR)
    await directed.play_round(lower_wins)
    pairing = (await directed.whole(cup)).in_round[0]
    for got in ((1, 1), (0, 2)):
        await directed.cups.correct(GUILD, cup.id, HOST, (1, pairing.number), got)
    whole = await directed.whole(cup)
    corrected = whole.in_round[0]
    assert (corrected.how, corrected.got, corrected.ended_at) == (How.CORRECTED, (0, 2), pairing.ended_at)
    assert [(each.user_id, each.nth, each.got) for each in whole.corrections] == [(1, 1, (1, 1)), (1, 2, (0, 2))]
    row = next(
        each for each in standings.ranked(cup.format, whole.model, whole.played) if each.user_id == pairing.people[1]
    )
    assert (row.points, row.won) == (1, 1)


async def test_a_host_gives_the_point_to_nobody(directed: Directed) -> None:
    cup = await directed.opened_for(FOUR, same_deal=False)
    (first, second, *_) = (await directed.whole(cup)).in_round
    whole = await directed.cups.correct(GUILD, cup.id, HOST, (1, first.number), (0, 0))
    whole = await directed.cups.correct(GUILD, cup.id, HOST, (1, second.number), (1, 1))
    rows = standings.ranked(whole.tournament.format, whole.model, whole.played)
    points = {row.user_id: row.points for row in rows}
    assert [[points[user] for user in each.people] for each in (first, second)] == [[0, 0], [0.5, 0.5]]


async def test_a_result_is_corrected_again_after_the_data_of_who_corrected_it_were_deleted(directed: Directed) -> None:
    cup = await directed.opened_for(FOUR)
    await directed.play_round(lower_wins)
    for by in (By(9, manages=True), HOST):
        await directed.cups.correct(GUILD, cup.id, by, (1, 1), (1, 1))
    await directed.parts.store.anonymise(GUILD, 9, -77, [])
    whole = await directed.cups.correct(GUILD, cup.id, HOST, (1, 1), (0, 2))
    assert whole == await directed.whole(cup)
    assert [(each.user_id, each.got) for each in whole.corrections] == [(1, (1, 1)), (1, (0, 2))]


async def test_a_result_is_corrected_some_times_and_then_stays(directed: Directed) -> None:
    cup = await directed.opened_for(FOUR)
    await directed.play_round(lower_wins)
    for nth in range(MOST_CORRECTIONS):
        await directed.cups.correct(GUILD, cup.id, HOST, (1, 1), ((2, 0), (0, 2))[nth % 2])
    with pytest.raises(Refused, match=r"tournament\.corrected_often"):
        await directed.cups.correct(GUILD, cup.id, HOST, (1, 1), (1, 1))
    whole = await directed.cups.correct(GUILD, cup.id, HOST, (1, 2), (1, 1))
    assert len(whole.corrections) == MOST_CORRECTIONS + 1


async def test_an_elimination_is_corrected_only_before_the_next_round(directed: Directed) -> None:
    cup = await directed.opened_for(FOUR, format=Format.SINGLE)
    await directed.next_round()
    with pytest.raises(Refused, match=r"tournament\.too_late"):
        await directed.cups.correct(GUILD, cup.id, HOST, (1, 1), (2, 0))


async def test_nothing_follows_once_it_is_called_off_and_its_deals_open(directed: Directed) -> None:
    cup = await directed.opened_for(FOUR)
    (deal_id,) = {match.deal_id for match in directed.playing()}
    await directed.cups.call_off(GUILD, cup.id, HOST)
    await directed.next_round()
    whole = await directed.whole(cup)
    assert (whole.tournament.state, whole.tournament.round, whole.pairings[0].how) == (State.CALLED_OFF, 1, None)
    assert not directed.parts.closed_deals.is_shared_closed(GUILD, deal_id)
    with pytest.raises(Refused, match=r"tournament\.ended"):
        await directed.cups.join(GUILD, cup.id, 9)


# ---------------------------------------------------------------------------------------------- places and time


async def test_a_lost_thread_or_channel_elsewhere_holds_no_tournament(directed: Directed) -> None:
    cup = await directed.opened_for(FOUR)
    match, *_ = directed.playing()
    directed.rounds.lost[cup.id] = {match.id: ELSEWHERE}
    directed.director.wake(GUILD, cup.id)
    await directed.quiet()
    assert (await directed.whole(cup)).tournament.hold is None
    directed.rounds.lost[cup.id] = {match.id: EVERYWHERE}  # the bot was removed
    directed.director.wake(GUILD, cup.id)
    await directed.quiet()
    assert (await directed.whole(cup)).tournament.hold is Hold.VENUE
    assert directed.rounds.lost == {}


async def test_no_match_takes_too_long_because_discord_was_out_of_reach(directed: Directed) -> None:
    await directed.opened_for(FOUR)
    one, other = directed.playing()
    await directed.end(one, 0)
    await directed.parts.lifecycle.suspend(other, Suspension.BOARD_REMOVED)
    await directed.parts.pass_time(SHORTEST_BOUND - 60_000)
    directed.parts.clock.pause()
    await directed.parts.pass_time(90_000)
    directed.parts.clock.note_credit()
    directed.parts.clock.resume()
    await directed.parts.pass_time(SHORTEST_BOUND - 2000)
    assert not other.over
    await directed.pass_time(2000)
    assert other.over


async def test_no_match_takes_too_long_because_the_machine_slept(directed: Directed) -> None:
    cup = await directed.opened_for(FOUR)
    one, other = directed.playing()
    await directed.parts.lifecycle.suspend(other, Suspension.BOARD_REMOVED)
    directed.parts.scheduler.correct(DAY)
    await directed.after(directed.end(one, 0))
    assert not other.over
    await directed.pass_time(SHORTEST_BOUND)
    assert other.over
    assert {each.how for each in (await directed.whole(cup)).in_round} == {How.PLAYED, How.LATE}


# ---------------------------------------------------------------------------------------------- refusals


async def refused(key: str, *asked: object) -> None:
    for each in asked:
        with pytest.raises(Refused, match=f"^(tournament|hosted)\\.{key}$"):
            await each  # type: ignore[misc]


async def test_what_people_can_not_do_is_said_and_changes_nothing(directed: Directed) -> None:
    cups, now = directed.cups, await directed.opened_for((1, 2, 3), most=4)
    here = GUILD, now.id
    await refused("gone", cups.join(GUILD + 1, now.id, 4), cups.leave(GUILD, "none", 1))
    await refused("in_already", cups.join(*here, 2))
    await refused("not_in", cups.leave(*here, 9), cups.check_in(*here, 9))
    await refused("no_check_in", cups.check_in(*here, 2))
    await refused("not_left", cups.back(*here, 2))
    await refused("not_yours", cups.pause(*here, By(2)), cups.call_off(*here, By(2)), cups.close_joining(*here, By(2)))
    await refused("not_begun", cups.pause(*here, HOST))
    await refused("not_paused", cups.resume(*here, HOST, CHANNEL))
    await refused("no_pairing", cups.correct(*here, HOST, (1, 1), (2, 0)))
    await cups.leave(*here, 3)
    await refused("too_few", cups.close_joining(*here, HOST))
    other = await directed.opened_for((5, 6, 7))
    await refused("in_another", cups.join(*here, 5))
    assert {each.user_id for each in (await directed.whole(now)).people} == {1, 2}
    for user in (3, 4):
        await cups.join(*here, user)
    await directed.quiet()
    await refused("full", cups.join(*here, 8))
    await refused("joining_over", cups.close_joining(*here, HOST))
    await cups.leave(*here, 4)
    await refused("left", cups.join(*here, 4))
    await cups.close_joining(GUILD, other.id, By(5))


async def test_nobody_enters_two_evenings_by_two_presses_at_once(directed: Directed) -> None:
    one, other = [await directed.opened_for([host], most=8) for host in (1, 2)]
    slow = await directed.opened_for([3], most=8, every=DAY // 1000, clock="daily", same_deal=False)

    async def entered(*entering: Awaitable[object]) -> list[str]:
        found = await asyncio.gather(*entering, return_exceptions=True)
        return sorted(each.key if isinstance(each, Refused) else "" for each in found)

    joining = [directed.cups.join(GUILD, cup.id, 9) for cup in (one, other, slow)]
    assert await entered(*joining) == ["", "", "tournament.in_another"]
    in_one = (await directed.whole(one)).entrant(9) is not None
    assert in_one is ((await directed.whole(other)).entrant(9) is None)


async def test_nobody_comes_back_to_a_place_that_is_taken_or_from_another_tournament(directed: Directed) -> None:
    cups, now = directed.cups, await directed.opened_for(FOUR)
    here = GUILD, now.id
    for user in (3, 4):
        await cups.leave(*here, user)
    await cups.join(*here, 5)
    other = await directed.opened_for((3,), most=4)
    await refused("in_another", cups.back(*here, 3))
    await cups.leave(GUILD, other.id, 3)
    await cups.back(*here, 3)
    await refused("full", cups.back(*here, 4))


# ---------------------------------------------------------------------------------------------- matches that outlive it


async def test_it_begins_once_matches_of_one_that_was_called_off_have_left_room(directed: Directed) -> None:
    people = range(1, 65)
    first = await directed.opened_for([*people])
    assert len(directed.playing()) == 32
    await directed.after(directed.cups.call_off(GUILD, first.id, HOST))
    again = await directed.opened_for((101, 102, 103, 104))
    assert (await directed.whole(again)).in_round[0].legs == ()
    await directed.end_all(0)
    await directed.pass_time(BREAK)
    assert len(directed.playing()) == 2
    assert (await directed.play(again, lower_wins)).tournament.state is State.OVER


async def test_a_match_that_ends_after_its_tournament_is_known_to_have_ended(directed: Directed) -> None:
    cup = await directed.opened_for(FOUR)
    playing = directed.playing()
    await directed.after(directed.cups.call_off(GUILD, cup.id, HOST))
    whole = await directed.whole(cup)
    assert all(is_closed(whole, each) for each in whole.pairings)
    await directed.end(playing[0], 0)
    whole = await directed.whole(cup)
    assert all(is_closed(whole, each) for each in whole.pairings)
    await directed.end(playing[1], 1)
    whole = await directed.whole(cup)
    assert {match_id for each in whole.pairings for match_id in [leg.match_id for leg in each.legs if leg.got]} == {
        match.id for match in playing
    }
    assert not any(is_closed(whole, each) for each in whole.pairings)


async def test_it_is_over_when_nobody_is_left_to_meet(directed: Directed) -> None:
    cup = await directed.opened_for(EIGHT)
    for user in EIGHT[1:]:
        await directed.cups.leave(GUILD, cup.id, user)
    await directed.play_round(lower_wins)
    whole = await directed.whole(cup)
    assert (whole.tournament.state, whole.tournament.round) == (State.OVER, 1)
    assert places(whole)[1] == 1


async def test_two_who_are_left_still_meet(directed: Directed) -> None:
    cup = await directed.opened_for(FOUR)
    losers = [max(match.seats) for match in directed.playing()]
    await directed.play_round(lower_wins)
    for user in losers:
        await directed.cups.leave(GUILD, cup.id, user)
    await directed.pass_time(BREAK)
    assert [{*match.seats} for match in directed.playing()] == [{*FOUR} - {*losers}]


async def test_a_round_goes_on_after_another_server_was_purged(directed: Directed) -> None:
    cup = await directed.opened_for(FOUR)
    directed.director.server_purged(GUILD + 1)
    await directed.play_round(lower_wins)
    assert {each.how for each in (await directed.whole(cup)).in_round} == {How.PLAYED}
