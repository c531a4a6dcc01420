"""What happens to a tournament while one of its steps is made: writes that fail, data that are deleted, and matches
that end when nobody waits for them any more."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from bot.pairing.model import Format
from bot.play.refusals import Refused
from bot.store.errors import Busy
from bot.store.queries.matches import Suspension
from cogs.actions.own_threads import OwnThreads
from cogs.actions.steps import RETRY_SECONDS
from cogs.tournaments.matches import SHORTEST_BOUND, TournamentMatches
from cogs.tournaments.rows import How, PairingRow, State, Tournament
from cogs.tournaments.screens import is_closed
from cogs.tournaments.threads import MatchThreads
from tests.bot.play.parts import GUILD, Parts
from tests.cogs.tournaments.directed import HOST, Directed
from tests.failing_rules import raising

FOUR = (1, 2, 3, 4)


async def test_a_match_that_takes_too_long_is_ended_before_its_round_opens(
    directed: Directed, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = await directed.opened_for(FOUR)
    one, other = directed.playing()
    await directed.end(one, 0)
    await directed.parts.lifecycle.suspend(other, Suspension.BOARD_REMOVED)
    store = directed.parts.store
    failed: list[object] = []
    suspend = store.suspend_match

    async def suspend_match(*given: object) -> None:
        if not failed:
            failed.append(given)
            raise Busy("as often")
        await suspend(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(store, "suspend_match", suspend_match)
    await directed.pass_time(SHORTEST_BOUND)
    assert failed
    assert not other.over
    whole = await directed.whole(cup)
    assert all(is_closed(whole, each) for each in whole.in_round)
    await directed.pass_time(int(1000 * RETRY_SECONDS))
    assert other.over
    late = await directed.pairing_of(cup, other)
    assert (late.how, late.total()) == (How.LATE, (1, 1))


async def test_a_match_that_ends_just_as_its_time_is_up_keeps_its_result(
    directed: Directed, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = await directed.opened_for(FOUR)
    one, other = directed.playing()
    await directed.end(one, 0)
    end = TournamentMatches.end

    async def end_later(matches: TournamentMatches, match_id: str) -> bool:
        await directed.end(other, 0)
        return await end(matches, match_id)

    monkeypatch.setattr(TournamentMatches, "end", end_later)
    monkeypatch.setattr("cogs.tournaments.rounds.bound", lambda *_: 0)
    directed.director.wake(GUILD, cup.id)
    await directed.quiet()
    late = await directed.pairing_of(cup, other)
    assert (late.how, sorted(late.total())) == (How.PLAYED, [0, 2])


async def test_nobody_plays_who_had_their_data_deleted_while_threads_were_begun(
    directed: Directed, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare = TournamentMatches.prepare

    async def prepare_slowly(matches: TournamentMatches, tournament: Tournament, pairings: list[PairingRow]) -> None:
        await prepare(matches, tournament, pairings)
        monkeypatch.undo()
        await directed.parts.store.anonymise(GUILD, 4, -77, [])

    monkeypatch.setattr(TournamentMatches, "prepare", prepare_slowly)
    cup = await directed.opened_for(FOUR)
    assert [match for match in directed.playing() if 4 in match.seats] == []
    assert await directed.parts.store.matches_of(GUILD, 4) == []
    assert {each.how for each in (await directed.whole(cup)).in_round} == {None, How.WALKOVER}


@pytest.mark.parametrize("killed", [False, True])
async def test_it_shows_the_result_of_its_last_match_also_if_that_was_corrected_meanwhile(
    directed: Directed, *, killed: bool
) -> None:
    cup = await directed.opened_for(FOUR, format=Format.ROUND_ROBIN)
    while (await directed.whole(cup)).tournament.round < 3:
        await directed.next_round()
    one, other = directed.playing()
    await directed.end(one, 0)
    left = await directed.pairing_of(cup, other)
    await directed.after(directed.cups.correct(GUILD, cup.id, HOST, (3, left.number), (2, 0)))
    whole = await directed.whole(cup)
    assert whole.tournament.state is State.OVER
    assert any(is_closed(whole, each) for each in whole.in_round)
    if killed:
        await directed.director.close()
        parts = Parts(directed.parts.store, directed.parts.scheduler, seed=2)
        await parts.restore_all()
        directed = Directed(parts)
        await directed.director.resume()
        (other,) = directed.playing()
    directed.told.clear()
    await directed.after(directed.end(other, 0))
    assert directed.told == [cup.id]
    whole = await directed.whole(cup)
    assert not any(is_closed(whole, each) for each in whole.in_round)
    assert directed.rounds.matches.of == {}


async def test_the_message_of_one_that_was_called_off_rests_when_its_matches_end(directed: Directed) -> None:
    cup = await directed.opened_for(FOUR)
    await directed.after(directed.cups.call_off(GUILD, cup.id, HOST))
    directed.told.clear()
    await directed.after(directed.end_all(0))
    assert directed.told == []
    assert directed.rounds.matches.of == {}


async def test_boards_of_a_round_open_once_its_deals_can_be_read_again(
    directed: Directed, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = await directed.opened_for(FOUR)
    (deal_id,) = {match.deal_id for match in directed.playing()}
    deals = directed.queries.deals

    async def unread(*_: object) -> None:
        monkeypatch.setattr(directed.queries, "deals", deals)
        raise Busy("as often")

    monkeypatch.setattr(directed.queries, "deals", unread)
    await directed.after(directed.end_all(0))
    await directed.pass_time(int(1000 * RETRY_SECONDS))
    assert not directed.held.is_closed(GUILD, deal_id)
    assert deal_id in directed.opened
    assert (await directed.whole(cup)).tournament.round == 2


def threads_begun(directed: Directed) -> list[int]:
    """Have matches in threads: those that were begun, which are numbered from 1000."""
    begun: list[int] = []

    async def begin_alone(*_: object) -> int:
        begun.append(1000 + len(begun))
        return begun[-1]

    own = SimpleNamespace(wanted=lambda _: True, begin_alone=begin_alone, add_players=lambda _: None)
    directed.rounds.matches.threads = MatchThreads(cast("OwnThreads", own))
    return begun


@pytest.mark.parametrize("error", [Busy("as often"), Refused("limit.reserved")])
async def test_a_match_that_can_t_begin_yet_begins_in_the_thread_that_was_begun_for_it(
    directed: Directed, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    begun, begin_leg = threads_begun(directed), directed.queries.begin_leg

    monkeypatch.setattr(directed.queries, "begin_leg", raising(error))
    await directed.opened_for(FOUR)
    assert directed.playing() == []
    monkeypatch.setattr(directed.queries, "begin_leg", begin_leg)
    await directed.pass_time(int(1000 * RETRY_SECONDS))
    assert [match.channel_id for match in directed.playing()] == begun == [1000, 1001]


async def test_no_thread_is_begun_for_a_match_whose_player_has_left(directed: Directed) -> None:
    begun = threads_begun(directed)
    cup = await directed.opened_for(FOUR, legs=2)
    (match,) = [each for each in directed.playing() if 4 in each.seats]
    await directed.cups.leave(GUILD, cup.id, 4)
    await directed.after(directed.end(match, 0))
    assert How.WALKOVER in {each.how for each in (await directed.whole(cup)).in_round}
    assert begun == [1000, 1001]
