"""Series of matches between two: what counts, who wins, and until when they go on (ruling C-9)."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from bot.play.live_match import LiveMatch
from bot.play.matchmaking.invitations import Proposal, Terms
from bot.play.matchmaking.series import (
    LENGTHS,
    SLOW_WAIT,
    WAIT,
    draws_first,
    following,
    goes_on,
    needed,
    open_until,
    winner_of,
    winner_of_series,
    wins_with,
)
from bot.play.refusals import Refused
from bot.store.queries.invitations import Series, StandIn
from bot.store.queries.matches import Obstacle, Unrated
from bot.telemetry import NO_TELEMETRY
from engines import GAMES
from engines.game import Resign
from tests.bot.play.parts import ANN, BOB, CHANNEL, GUILD, Parts, press_ids
from tests.known import there


async def begun(
    parts: Parts, best_of: int = 3, series: Series | None = None, places: tuple[int, ...] = (), **terms: object
) -> LiveMatch:
    """A match of a series of Ann and Bob."""
    asked = Terms(GUILD, CHANNEL, "haymaker", GAMES["haymaker"].info.options(), "blitz", best_of=best_of)
    asked = replace(asked, **terms)  # type: ignore[arg-type]  # each test names fields of Terms
    invitation = await parts.inviting.invite(Proposal(asked, ANN, (BOB,), series=series, places=places))
    return await parts.accepted(invitation.id, BOB)


async def lost_by(match: LiveMatch, user: int) -> LiveMatch:
    """The match, when this person has resigned."""
    await match.act(match.seats.index(user), Resign(), interaction_id=next(press_ids))
    return match


async def next_of(parts: Parts, match: LiveMatch) -> LiveMatch:
    """The next match of a series, where the players change seats."""
    return await begun(parts, series=following(match, parts.now()), places=match.seats[::-1])


@pytest.mark.parametrize("best_of", LENGTHS)
async def test_c_9_the_first_to_win_more_than_half_wins_and_the_seats_change(parts: Parts, best_of: int) -> None:
    match = await begun(parts, best_of)
    first, number = match.id, 1
    for loser in (ANN, BOB) * (needed(best_of) - 1):
        assert match.series is not None
        assert (match.series.id, match.series.best_of, match.series.number) == (first, best_of, number)
        assert match.seats == ((ANN, BOB) if number % 2 else (BOB, ANN))
        await lost_by(match, loser)
        assert goes_on(match)
        assert winner_of_series(match) is None
        match, number = await next_of(parts, match), number + 1
    assert wins_with(match) == (needed(best_of) - 1,) * 2
    await lost_by(match, BOB)
    assert not goes_on(match)
    assert winner_of_series(match) == match.seats.index(ANN)
    with pytest.raises(Refused, match=r"series\.decided"):
        following(match, parts.now())


async def test_c_9_wins_follow_their_player_to_the_other_seat(parts: Parts) -> None:
    second = await next_of(parts, await lost_by(await begun(parts, 5), BOB))
    assert second.seats == (BOB, ANN)
    assert wins_with(second) == (0, 1)
    third = await next_of(parts, await lost_by(second, BOB))
    assert wins_with(third) == (2, 0)


async def test_c_9_a_match_too_short_for_the_leaderboard_counts(parts: Parts) -> None:
    match = await lost_by(await begun(parts), ANN)
    assert not there(match.result).counted
    assert wins_with(match) == (0, 1)


async def test_c_9_a_match_that_runs_out_of_time_counts(parts: Parts) -> None:
    match = await begun(parts)
    (awaited,) = match.awaited
    parts.clock.mark_shown(match, match.window_number)
    await parts.pass_time(61_000)
    assert there(match.result).kind == "time"
    assert winner_of(match) == 1 - awaited


async def test_c_9_a_match_that_was_called_off_is_played_again(parts: Parts) -> None:
    match = await begun(parts)
    for seat in (0, 1):
        await match.call_off(seat, next(press_ids))
    assert match.over
    assert goes_on(match)
    again = await next_of(parts, match)
    assert again.series == Series(match.id, 3, 2, (0, 0), match.first_seat)


async def test_c_9_a_draw_and_a_match_of_somebody_who_could_not_act_are_played_again(parts: Parts) -> None:
    match = await lost_by(await begun(parts), ANN)
    row, records = there(await parts.store.match(match.id)), await parts.store.records(match.id)
    assert match.result is not None
    drawn = replace(match.result, ranks=(1, 1))
    for result, unrated, winner in (
        (match.result, None, 1),
        (drawn, None, None),
        (match.result, Unrated(0, Obstacle.TIMED_OUT), None),
    ):
        read = LiveMatch(replace(row, unrated=unrated), parts.store, parts.now, NO_TELEMETRY)
        read.replay(records, (), result)
        assert winner_of(read) == winner
        assert goes_on(read)


async def test_c_9_a_match_that_a_computer_played_on_counts_as_its_terms_say(parts: Parts) -> None:
    for stand_in, loser, winner in (
        (StandIn.UNRATED, BOB, 0),  # who handed their seat over by choice has lost (C-8)
        (StandIn.UNRATED, ANN, None),
        (StandIn.RATED, ANN, 1),
    ):
        match = await begun(parts, stand_in=stand_in)
        with parts.presses.take_up(match.id, next(press_ids)) as press:
            await press.let_play(match, 1)
        with parts.presses.take_up(match.id, next(press_ids)) as press:
            await press.take_back(match, 1)
        await lost_by(match, loser)
        assert winner_of(match) == winner


# ---------------------------------------------------------------------------------------------- who acts first


def first_player(match: LiveMatch) -> int:
    """Who acts first in a match that has just begun."""
    (seat,) = match.awaited
    return match.seats[seat]


@pytest.mark.parametrize("best_of", LENGTHS)
async def test_c_9_the_first_act_alternates_until_the_deciding_match(parts: Parts, best_of: int) -> None:
    drawn: set[bool] = set()
    for _ in range(12):
        match = await begun(parts, best_of)
        assert match.series is not None
        assert match.series.first is None
        before = first_player(match)
        for loser in (ANN, BOB) * (needed(best_of) - 1):
            await lost_by(match, loser)
            parts.clock.settle(match)
            match = await next_of(parts, match)
            assert match.series is not None
            deciding = wins_with(match) == (needed(best_of) - 1,) * 2
            assert (match.series.first is None) == deciding
            if deciding:
                drawn.add(first_player(match) == before)
            else:
                assert first_player(match) != before
                assert match.series.first == match.first_seat == min(match.awaited)
            before = first_player(match)
        await lost_by(match, BOB)
        parts.clock.settle(match)
    assert drawn == {True, False}, "before the deciding match it is drawn anew"


async def test_c_9_a_match_that_is_played_again_goes_on_with_the_other_player(parts: Parts) -> None:
    match = await begun(parts)
    before = first_player(match)
    for seat in (0, 1):
        await match.call_off(seat, next(press_ids))
    again = await next_of(parts, match)
    assert first_player(again) != before


async def test_c_9_in_a_race_nobody_acts_first(parts: Parts) -> None:
    game = GAMES["tivmiv"]
    match = await begun(parts, game="tivmiv", options=game.info.options())
    await lost_by(match, BOB)
    assert match.first_seat is None
    assert following(match, parts.now()).first is None


def won_by_who_begins(win: float, draw: float, best_of: int = 3) -> float:
    """How likely the player wins a series who acts first in its first match, if who acts first in a match wins it with
    this chance, by the rules that the bot has for who acts first next."""
    lose = 1 - win - draw

    @cache
    def chance(wins: tuple[int, int], *, first: bool, left: int) -> float:
        if max(wins) == needed(best_of):
            return float(wins[0] > wins[1])
        if not left:
            return 0.5
        found = 0.0
        for mine, each in ((1, win if first else lose), (0, draw), (-1, lose if first else win)):
            then = (wins[0] + (mine == 1), wins[1] + (mine == -1))
            if draws_first(best_of, then):
                found += each * sum(chance(then, first=begins, left=left - 1) for begins in (True, False)) / 2
            else:
                found += each * chance(then, first=not first, left=left - 1)
        return found

    return chance((0, 0), first=True, left=30)


@pytest.mark.parametrize("win", [0.34, 0.44, 0.527, 0.556, 0.583, 0.59])
def test_c_9_the_first_seat_over_a_series_is_even(win: float) -> None:
    for best_of in LENGTHS:
        assert won_by_who_begins(win, 0.0, best_of) == pytest.approx(0.5)
        for draw in (0.01, 0.05):
            assert abs(won_by_who_begins(win - draw / 2, draw, best_of) - 0.5) < 0.02


@pytest.mark.parametrize(("clock", "wait"), [("blitz", WAIT), ("daily", SLOW_WAIT)])
async def test_c_9_a_series_that_nobody_continues_ends_without_a_winner(parts: Parts, clock: str, wait: int) -> None:
    match = await lost_by(await begun(parts, time_control=clock), BOB)
    assert match.result is not None
    until = open_until(match)
    assert until == match.result.ended_at + wait
    assert following(match, until - 1).number == 2
    with pytest.raises(Refused, match=r"series\.lapsed"):
        following(match, until)


async def test_a_single_match_is_in_no_series(parts: Parts) -> None:
    match = await lost_by(await begun(parts, best_of=1), BOB)
    assert match.series is None
    assert not goes_on(match)


async def test_the_open_invitation_to_the_next_match_of_a_series_is_found(parts: Parts) -> None:
    match = await lost_by(await begun(parts), BOB)
    assert match.series is not None
    assert parts.invitations.of_series(GUILD, match.id) is None
    await parts.invited(BOB, ANN)  # a challenge that was forgotten is another matter
    terms = Terms(GUILD, CHANNEL, "haymaker", match.options, "blitz", best_of=3)
    asked = await parts.inviting.invite(
        Proposal(terms, BOB, (ANN,), places=(BOB, ANN), series=following(match, parts.now()))
    )
    assert parts.invitations.of_series(GUILD, match.id) == asked
    assert parts.invitations.of_series(GUILD + 1, match.id) is None
    assert asked.series == Series(match.id, 3, 2, (0, 1), match.first_seat)
