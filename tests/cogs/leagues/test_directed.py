"""Leagues from their opening through two seasons, in virtual time."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from bot.budgets import MOST_LEAGUES
from bot.play.refusals import Refused
from bot.scheduler import DAY
from bot.store.queries.invitations import InvitationState
from bot.store.queries.matches import Suspension
from cogs.actions.hosting import By
from cogs.leagues.director import REMIND_BEFORE
from cogs.leagues.leagues import BEING_MADE, WEEK, ChallengedAlready
from cogs.leagues.queries import How, Whole
from cogs.leagues.seasons import MOST
from tests.bot.play.parts import CHANNEL, GUILD, MESSAGE, press_ids
from tests.cogs.leagues.directed import HOST, Directed, of_week, standing_of

FOUR, TEN = (1, 2, 3, 4), tuple(range(1, 11))
HOUR = 3_600_000


# ---------------------------------------------------------------------------------------------- seasons


async def test_a_league_of_three_weeks_is_played_to_its_end_and_the_best_wins(directed: Directed) -> None:
    league = await directed.started(FOUR)
    whole = await directed.whole(league)
    assert (whole.league.week, whole.league.weeks) == (1, 3)
    whole = await directed.play_season(league)
    assert standing_of(whole) == [(1, 3), (2, 2), (3, 1), (4, 0)]
    assert {each.how for each in whole.pairings} == {How.PLAYED}
    assert directed.parts.now() - whole.league.changed_at < DAY
    assert directed.reminded == [(1, []), (2, []), (3, [])]


async def test_two_seasons_with_promotion_relegation_a_leaver_and_a_substitute(directed: Directed) -> None:
    league = await directed.started(TEN)
    whole = await directed.whole(league)
    assert [each.user_id for each in whole.places if each.division == 1] == [1, 2, 3, 4, 5]
    await directed.leagues.join(GUILD, league.id, 20)
    assert (await directed.whole(league)).substitutes[0].user_id == 20
    await directed.play_week(league)
    await directed.after(directed.leagues.leave(GUILD, league.id, 2))
    whole = await directed.whole(league)
    taken = whole.place_of(20)
    assert taken is not None
    assert (taken.number, taken.substitute, whole.substitutes) == (2, True, ())
    whole = await directed.play_season(league)
    assert [user for user, _ in standing_of(whole)] == [1, 3, 4, 20, 5]  # the lower id wins
    assert dict(standing_of(whole))[20] == 1  # which the other had won against the last
    assert of_week(whole, 1)[0].places == (2, 5)
    assert [user for user, _ in standing_of(whole, 2)] == [6, 7, 8, 9, 10]
    await directed.start(league)
    whole = await directed.whole(league)
    assert (whole.league.season, whole.league.week) == (2, 1)
    assert [each.user_id for each in whole.places if each.division == 1] == [1, 3, 4, 20, 6]
    assert [each.user_id for each in whole.places if each.division == 2] == [5, 7, 8, 9, 10]
    assert not any(each.substitute for each in whole.places)
    whole = await directed.play_season(league)
    assert [user for user, _ in standing_of(whole)] == [1, 3, 4, 6, 20]
    assert [user for user, _ in standing_of(whole, 2)] == [5, 7, 8, 9, 10]


async def test_a_season_needs_four_people_and_begins_once(directed: Directed) -> None:
    league = await directed.opened_for((1, 2, 3))
    with pytest.raises(Refused, match=r"league\.too_few"):
        await directed.leagues.start(GUILD, league.id, HOST)
    await directed.leagues.join(GUILD, league.id, 4)
    await directed.start(league)
    with pytest.raises(Refused, match=r"league\.playing"):
        await directed.leagues.start(GUILD, league.id, HOST)


# ---------------------------------------------------------------------------------------------- weeks


async def test_a_match_is_challenged_by_one_press_and_counts_when_it_ends(directed: Directed) -> None:
    league = await directed.started(FOUR)
    first = of_week(await directed.whole(league), 1)[0]
    one, other = first.places  # at the beginning places have the numbers of people
    invitation = await directed.challenge(league, one)
    with pytest.raises(Refused, match=r"challenge\.already_open"):
        await directed.challenge(league, one)
    with pytest.raises(ChallengedAlready):
        await directed.challenge(league, other)
    match = await directed.accept(invitation)
    with pytest.raises(Refused, match=r"league\.in_play"):
        await directed.challenge(league, other)
    await directed.win(match, other)
    whole = await directed.whole(league)
    assert (whole.pairings[0].how, whole.pairings[0].got) == (How.PLAYED, (0, 2))
    with pytest.raises(Refused, match=r"league\.over"):
        await directed.challenge(league, one)


async def test_a_match_counts_after_another_server_was_purged(directed: Directed) -> None:
    league = await directed.started(FOUR)
    (one, other), *_ = [each.places for each in of_week(await directed.whole(league), 1)]
    match = await directed.accept(await directed.challenge(league, one))
    directed.director.server_purged(GUILD + 1)
    await directed.win(match, other)
    assert of_week(await directed.whole(league), 1)[0].how is How.PLAYED


async def test_of_challenges_that_could_not_be_made_the_first_is_kept(directed: Directed) -> None:
    league = await directed.started(FOUR)
    one = of_week(await directed.whole(league), 1)[0].first
    tried = []
    for _ in range(2):
        tried.append(await directed.leagues.challenge(GUILD, league.id, one, CHANNEL))
        await directed.leagues.note_once(tried[-1])
    assert (await directed.whole(league)).offers == (tried[0].offer,)


async def test_who_alone_has_challenged_gets_the_point_and_who_challenges_too_late_does_not(directed: Directed) -> None:
    league = await directed.started(FOUR)
    first, second = of_week(await directed.whole(league), 1)
    await directed.challenge(league, first.second)
    await directed.pass_time(WEEK - DAY + 1000)
    await directed.challenge(league, second.first)
    await directed.pass_time(DAY)
    first, second = of_week(await directed.whole(league), 1)
    assert (first.how, first.got) == (How.WALKOVER, (0, 2))
    assert (second.how, second.got) == (How.MISSED, (0, 0))


async def test_a_match_that_begins_just_as_its_week_ends_is_waited_for(
    directed: Directed, monkeypatch: pytest.MonkeyPatch
) -> None:
    league = await directed.started(FOUR)
    first, _ = of_week(await directed.whole(league), 1)
    await directed.pass_time(WEEK - 1000)
    invitation = await directed.challenge(league, first.first)
    read, parts = directed.queries.whole, directed.parts

    async def accepted_meanwhile(guild_id: int, league_id: str) -> Whole | None:
        whole = await read(guild_id, league_id)
        monkeypatch.setattr(directed.queries, "whole", read)
        with parts.presses.take_up(invitation.id, next(press_ids)) as press:
            await parts.seating.take_seat(invitation.id, invitation.invited[0], MESSAGE, press)
        return whole

    monkeypatch.setattr(directed.queries, "whole", accepted_meanwhile)
    await directed.pass_time(1000)
    whole = await directed.whole(league)
    assert (whole.league.week, of_week(whole, 1)[0].how) == (2, None)
    (match,) = parts.registry.in_server(GUILD)
    await directed.win(match, first.second)
    assert of_week(await directed.whole(league), 1)[0].how is How.PLAYED


async def test_if_both_have_challenged_or_one_has_taken_it_back_there_is_no_point(directed: Directed) -> None:
    league = await directed.started(FOUR)
    first, second = of_week(await directed.whole(league), 1)
    for user in first.places:
        await directed.challenge(league, user)
        await directed.pass_time(DAY)
    invitation = await directed.challenge(league, second.first)
    await directed.parts.seating.turn_down(invitation.id, second.first)
    await directed.pass_time(WEEK)
    assert {each.how for each in of_week(await directed.whole(league), 1)} == {How.MISSED}


async def test_a_challenge_that_could_not_be_made_counts_and_one_that_was_taken_back_does_not(
    directed: Directed,
) -> None:
    league = await directed.started(FOUR)
    first, second = of_week(await directed.whole(league), 1)
    await directed.leagues.challenge(GUILD, league.id, first.first, CHANNEL)
    made = await directed.leagues.challenge(GUILD, league.id, second.first, CHANNEL)
    await directed.leagues.take_back(made)
    await directed.pass_time(WEEK)
    found = of_week(await directed.whole(league), 1)
    assert [each.how for each in found] == [How.WALKOVER, How.MISSED]


async def test_people_are_reminded_once_a_week_two_days_before_it_ends(directed: Directed) -> None:
    league = await directed.started(FOUR)
    first, second = of_week(await directed.whole(league), 1)
    await directed.play(league, second.first)
    await directed.pass_time(WEEK - REMIND_BEFORE - 1000)
    assert directed.reminded == []
    await directed.pass_time(2000)
    assert directed.reminded == [(1, [first.places])]
    await directed.pass_time(WEEK)
    assert [week for week, _ in directed.reminded] == [1, 2]
    assert (await directed.whole(league)).league.week == 2


async def test_an_open_challenge_is_closed_when_its_week_ends(directed: Directed) -> None:
    league = await directed.started(FOUR)
    first, _ = of_week(await directed.whole(league), 1)
    await directed.pass_time(WEEK - 1000)
    invitation = await directed.challenge(league, first.first)
    await directed.pass_time(2000)
    assert directed.parts.invitations.open_by_id(invitation.id) is None
    assert ("closed", (invitation.id, InvitationState.EXPIRED)) in directed.parts.heard.events


async def test_who_could_not_be_challenged_can_challenge_a_moment_later(directed: Directed) -> None:
    league = await directed.started(FOUR)
    first, second = await directed.first_two(league)
    await directed.leagues.challenge(GUILD, league.id, first, CHANNEL)
    await directed.pass_time(BEING_MADE)
    await directed.challenge(league, second)
    assert len((await directed.whole(league)).offers) == 2


async def test_a_season_waits_a_week_for_its_last_matches_and_then_they_are_drawn(directed: Directed) -> None:
    league = await directed.started(FOUR)
    await directed.pass_time(3 * WEEK - 5000)
    last = of_week(await directed.whole(league), 3)[0]
    match = await directed.accept(await directed.challenge(league, last.first))
    await directed.parts.lifecycle.suspend(match, Suspension.CHANNEL_GONE)
    await directed.pass_time(6000)
    whole = await directed.whole(league)
    assert (whole.league.week, whole.league.is_playing) == (4, True)
    await directed.pass_time(WEEK)
    whole = await directed.whole(league)
    assert not whole.league.is_playing
    assert [each.how for each in of_week(whole, 3)] == [How.LATE, How.MISSED]


async def test_a_season_does_not_wait_for_a_last_match_that_is_called_off(directed: Directed) -> None:
    league = await directed.started(FOUR)
    await directed.pass_time(3 * WEEK - 5000)
    last = of_week(await directed.whole(league), 3)[0]
    match = await directed.accept(await directed.challenge(league, last.first))
    await directed.pass_time(6000)
    assert (await directed.whole(league)).league.week == 4
    for seat in (0, 1):
        await match.call_off(seat, next(press_ids))
    directed.parts.observers.match_changed(match)
    await directed.quiet()
    whole = await directed.whole(league)
    assert not whole.league.is_playing
    assert [each.how for each in of_week(whole, 3)] == [How.MISSED, How.MISSED]


# ---------------------------------------------------------------------------------------------- who comes and goes


async def test_a_place_without_a_substitute_is_vacant_and_gives_points_until_somebody_joins(directed: Directed) -> None:
    league = await directed.started(FOUR)
    first, _ = of_week(await directed.whole(league), 1)
    await directed.leagues.leave(GUILD, league.id, first.first)
    with pytest.raises(Refused, match=r"league\.vacant"):
        await directed.challenge(league, first.second)
    await directed.pass_time(WEEK)
    whole = await directed.whole(league)
    assert (of_week(whole, 1)[0].how, of_week(whole, 1)[0].got) == (How.WALKOVER, (0, 2))
    await directed.after(directed.leagues.join(GUILD, league.id, 9))
    place = (await directed.whole(league)).place_of(9)
    assert place is not None
    assert place.number == first.first


async def test_the_open_challenges_of_who_leaves_are_closed(directed: Directed) -> None:
    league = await directed.started(FOUR)
    first, _ = of_week(await directed.whole(league), 1)
    invitation = await directed.challenge(league, first.first)
    await directed.leagues.join(GUILD, league.id, 9)
    await directed.after(directed.leagues.leave(GUILD, league.id, first.first))
    assert directed.parts.invitations.open_by_id(invitation.id) is None
    await directed.play(league, 9)
    assert of_week(await directed.whole(league), 1)[0].got == (2, 0)


async def test_who_comes_back_to_a_vacant_place_has_it_again(directed: Directed) -> None:
    league = await directed.started(FOUR)
    await directed.leagues.leave(GUILD, league.id, 3)
    await directed.leagues.join(GUILD, league.id, 3)
    place = (await directed.whole(league)).place_of(3)
    assert place is not None
    assert not place.substitute


async def test_somebody_who_has_their_data_deleted_is_replaced_and_the_others_go_on(directed: Directed) -> None:
    league = await directed.started(FOUR)
    await directed.leagues.join(GUILD, league.id, 9)
    await directed.parts.store.anonymise(GUILD, 3, -1, set())
    assert await directed.leagues.queries.of_person(GUILD, 3) == {"member": [], "places": [], "hosted": []}
    whole = await directed.play_season(league)
    assert {user for user, _ in standing_of(whole)} == {1, 2, 4, 9}


async def test_a_league_whose_host_is_gone_is_looked_after_by_who_manages_events(directed: Directed) -> None:
    league = await directed.started(FOUR)
    await directed.parts.store.anonymise(GUILD, 1, -1, set())
    with pytest.raises(Refused, match=r"hosted\.not_yours"):
        await directed.leagues.end(GUILD, league.id, By(2))
    await directed.leagues.remove(GUILD, league.id, By(2, manages=True), 4)
    assert not (await directed.whole(league)).is_in(4)
    ended = await directed.leagues.end(GUILD, league.id, By(2, manages=True))
    assert not ended.league.is_playing
    with pytest.raises(Refused, match=r"league\.ended"):
        await directed.leagues.join(GUILD, league.id, 8)


async def test_who_is_barred_gets_no_place(directed: Directed) -> None:
    async def bar(_guild: int, user: int) -> None:
        if user == 2:
            raise Refused("place.roles")

    league = await directed.opened_for((1, 2, 3, 4, 5))
    directed.parts.invitations.admission.add(bar, None)
    await directed.start(league)
    await directed.after(directed.leagues.leave(GUILD, league.id, 5))
    whole = await directed.whole(league)
    assert [each.user_id for each in whole.places] == [1, 3, 4, 5]
    with pytest.raises(Refused, match=r"place\.roles"):
        await directed.leagues.join(GUILD, league.id, 2)


async def test_what_cannot_be_is_refused(directed: Directed) -> None:
    league = await directed.opened_for(FOUR)
    refusals = {
        "league.no_season": directed.leagues.challenge(GUILD, league.id, 1, CHANNEL),
        "league.not_in": directed.leagues.leave(GUILD, league.id, 9),
        "hosted.not_yours": directed.leagues.start(GUILD, league.id, By(2)),
        "league.gone": directed.leagues.join(GUILD + 1, league.id, 1),
    }
    for key, refused in refusals.items():
        with pytest.raises(Refused) as found:
            await refused
        assert found.value.key == key
    for user in range(10, 10 + MOST - len(FOUR)):
        await directed.leagues.join(GUILD, league.id, user)
    with pytest.raises(Refused, match=r"league\.full"):
        await directed.leagues.join(GUILD, league.id, 9)
    for _ in range(MOST_LEAGUES - 1):
        await directed.opened_for((1,))
    with pytest.raises(Refused, match=r"league\.too_many"):
        await directed.opened_for((1,))


async def test_who_waits_or_is_free_is_told_so(directed: Directed) -> None:
    league = await directed.started((1, 2, 3, 4, 5))
    whole = await directed.whole(league)
    busy = {number for each in of_week(whole, 1) for number in each.places}
    (free,) = {1, 2, 3, 4, 5} - busy
    await directed.leagues.join(GUILD, league.id, 9)
    for user, key in ((free, "league.you_free"), (9, "league.you_wait"), (30, "league.not_in")):
        with pytest.raises(Refused) as found:
            await directed.leagues.challenge(GUILD, league.id, user, CHANNEL)
        assert found.value.key == key


async def test_a_week_that_ended_while_the_bot_was_down_gets_another_day(directed: Directed) -> None:
    league = await directed.started(FOUR)
    await directed.director.close()
    await directed.pass_time(WEEK + 3 * DAY)
    assert (await directed.whole(league)).league.week == 1
    again = Directed(directed.parts)
    await again.director.resume()
    await again.quiet()
    whole = await again.whole(league)
    assert (whole.league.week, whole.league.due_at) == (1, directed.parts.now() + DAY)
    await again.pass_time(DAY)
    assert (await again.whole(league)).league.week == 2


async def test_a_week_that_ended_while_the_machine_slept_gets_another_day_and_the_next_one_is_whole(
    directed: Directed,
) -> None:
    league = await directed.started(FOUR)
    directed.parts.scheduler.correct(3 * WEEK)
    woke = directed.parts.now()
    await directed.pass_time(HOUR)
    whole = await directed.whole(league)
    assert whole.league.week == 1
    assert whole.league.due_at is not None
    assert woke + DAY <= whole.league.due_at <= woke + HOUR + DAY
    await directed.pass_time(DAY)
    assert (await directed.whole(league)).league.week == 2
    await directed.pass_time(WEEK - DAY)
    assert (await directed.whole(league)).league.week == 2


async def test_no_week_ends_while_discord_is_out_of_reach(directed: Directed) -> None:
    league = await directed.started(FOUR)
    await directed.pass_time(WEEK - HOUR)
    directed.parts.clock.pause()
    await directed.pass_time(HOUR + 60_000)
    assert (await directed.whole(league)).league.week == 1
    directed.parts.clock.resume()
    await directed.pass_time(1000)
    assert (await directed.whole(league)).league.week == 2


async def test_its_message_is_noted_unless_it_was_moved_meanwhile(directed: Directed) -> None:
    league = await directed.opened_for(FOUR)
    await directed.leagues.note_message(GUILD, league.id, CHANNEL, 77)
    assert (await directed.whole(league)).league.message_id == 77
    moved = (await directed.leagues.move(GUILD, league.id, HOST, CHANNEL + 5))[0].league
    assert (moved.channel_id, moved.message_id) == (CHANNEL + 5, None)
    await directed.leagues.note_message(GUILD, league.id, CHANNEL, 78)
    assert (await directed.whole(league)).league.message_id is None


@pytest.mark.parametrize("noted", [True, False], ids=["before they challenge", "afterwards"])
async def test_who_blocks_whom_they_meet_gets_no_point_for_a_challenge_of_theirs(
    directed: Directed, noted: bool
) -> None:
    league = await directed.started(FOUR)
    first, second = await directed.first_two(league)

    async def blocks(user_id: int, others: Collection[int]) -> list[int]:
        return [second] if user_id == first and second in others else []

    if noted:
        await directed.leagues.challenge(GUILD, league.id, first, CHANNEL)
    else:
        await directed.challenge(league, first)
    directed.parts.invitations.admission.add(None, None, blocks)
    await directed.pass_time(WEEK)
    whole = await directed.whole(league)
    assert (of_week(whole, 1)[0].how, of_week(whole, 1)[0].got) == (How.MISSED, (0, 0))
    assert {each.how for each in of_week(whole, 1)} == {How.MISSED}


async def test_who_has_blocked_who_left_gets_the_point(directed: Directed) -> None:
    league = await directed.started(FOUR)
    first, second = await directed.first_two(league)

    async def blocks(user_id: int, others: Collection[int]) -> list[int]:
        return [second] if user_id == first and second in others else []

    directed.parts.invitations.admission.add(None, None, blocks)
    await directed.leagues.leave(GUILD, league.id, second)
    await directed.pass_time(WEEK)
    assert of_week(await directed.whole(league), 1)[0].got == (2, 0)
