"""In somebody's first matches of a game their clock is kinder, and nobody gains by it (C-13)."""

from __future__ import annotations

import random

import pytest

from bot.play.clocks.deadlines import GRACE
from bot.play.clocks.stops import ClockStops
from bot.play.first_matches import EARLY, FIRST_MATCHES, LONGER, READING
from bot.play.live_match import LiveMatch
from bot.play.matchmaking.series import winner_of
from bot.play.observers import Observers
from bot.store.queries.matches import Obstacle
from engines.game import Resign
from laws.play import random_act
from tests.bot.play.parts import ANN, BOB, GUILD, Parts
from tests.bot.play.test_series import begun, next_of
from tests.known import there

pytestmark = pytest.mark.newcomers

TURN = 30_000
"""Milliseconds of a turn of the clock that these tests play by."""


def left(parts: Parts, match: LiveMatch) -> int:
    """How long (ms) the open question can still be answered, without the clock's grace."""
    (timer,) = match.position.timers
    return timer.deadline - parts.now()


async def run_out(parts: Parts, match: LiveMatch) -> None:
    """Let the time of the open question run out."""
    await parts.pass_time(left(parts, match) + GRACE + 60_000)


async def play_one(parts: Parts, match: LiveMatch) -> None:
    """Have a seat whom the match waits for make any act."""
    seat = min(match.awaited)
    await match.act(seat, random_act(match.choices(seat), random.Random(1)), window=match.window_number)
    parts.clock.settle(match)
    parts.clock.mark_shown(match, match.window_number)


async def ended(parts: Parts, match: LiveMatch) -> None:
    """End a match, so that another one has room."""
    await match.act(0, Resign())
    parts.registry.remove(match)


async def test_c_13_the_first_turn_of_each_newcomer_is_five_minutes_longer_and_no_other(parts: Parts) -> None:
    match = await parts.opened()
    assert match.newcomers == (0, 1)
    seen = set[int]()
    while len(seen) < 2:
        (seat,) = match.awaited
        assert left(parts, match) == TURN + 1000 * LONGER * (seat not in seen)
        assert match.first_turns(match.position.window) == (() if seat in seen else (seat,))
        seen.add(seat)
        await play_one(parts, match)


async def test_c_13_slow_play_is_as_it_was(parts: Parts) -> None:
    match = await parts.opened(clock="daily")
    assert match.newcomers == (0, 1)
    assert left(parts, match) == 24 * 3_600_000


async def test_c_13_only_three_matches_of_a_game_are_first_ones(parts: Parts) -> None:
    for _ in range(FIRST_MATCHES):
        match = await parts.opened()
        assert match.newcomers == (0, 1)
        await ended(parts, match)
    assert (await parts.opened()).newcomers == ()
    assert (await parts.opened(game="unbreakable")).newcomers == (0, 1)


async def test_c_13_races_practice_and_later_matches_of_a_series_are_none(parts: Parts) -> None:
    assert (await parts.opened(game="tivmiv")).newcomers == ()
    table = await parts.alone()
    with parts.presses.take_up(table.id, 1) as press:
        assert (await parts.seating.start_alone(table.id, ANN, press)).newcomers == ()
    first = await begun(parts)
    assert first.newcomers == (0, 1)
    await ended(parts, first)
    assert (await next_of(parts, first)).newcomers == ()


async def test_c_13_a_loss_by_the_clock_before_the_third_act_counts_for_nobodys_rating(parts: Parts) -> None:
    match = await parts.opened()
    for seat in (0, 1):
        match.note_hand_seen(seat)  # so C-10 would count it
    await run_out(parts, match)
    assert match.result is not None
    assert (match.result.kind, match.result.counted) == ("time", False)
    assert there(match.unrated).why is Obstacle.FIRST_MATCH


async def test_c_13_from_the_third_act_on_it_counts(parts: Parts) -> None:
    match = await parts.opened()
    while match.own_acts.count(min(match.awaited)) < EARLY:
        await play_one(parts, match)
    await run_out(parts, match)
    assert there(match.result).counted


async def test_c_13_resigning_counts_as_ever(parts: Parts) -> None:
    match = await parts.opened()
    match.note_hand_seen(0)
    await match.act(0, Resign())
    assert there(match.result).counted


async def test_c_13_who_throws_the_first_matches_by_the_clock_changes_nobodys_rating_and_loses_a_series(
    parts: Parts,
) -> None:
    for _ in range(FIRST_MATCHES):
        match = await parts.opened()
        await run_out(parts, match)
    assert [await parts.store.standing(GUILD, "haymaker", user) for user in (ANN, BOB)] == [None, None]
    assert (await parts.opened()).newcomers == ()


async def test_c_13_in_a_series_such_a_loss_is_one(parts: Parts) -> None:
    match = await begun(parts)
    parts.clock.mark_shown(match, match.window_number)
    (seat,) = match.awaited
    await run_out(parts, match)
    assert winner_of(match) == 1 - seat, "or a lost match could be played again"


# ---------------------------------------------------------------------------------------------- reading


def reading(parts: Parts) -> ClockStops:
    return ClockStops(parts.registry, parts.clock, Observers())


async def test_c_13_the_clock_waits_once_while_a_newcomer_reads_and_goes_on_with_what_was_left(parts: Parts) -> None:
    match, reads = await parts.opened(), reading(parts)
    (seat,) = match.awaited
    user = match.seats[seat]
    before = left(parts, match)
    await reads.begin_reading(user)
    await reads.begin_reading(user)  # the next page
    assert match.reading == [seat]
    await parts.pass_time(480_000)
    assert not match.over
    await reads.end_reading(match, user)
    assert left(parts, match) == before
    assert not await match.end_reading(seat), "it did not wait"
    await reads.begin_reading(user)
    assert left(parts, match) == before
    await parts.pass_time(before + GRACE + 60_000)
    assert match.over


async def test_c_13_it_waits_for_ten_minutes_at_most(parts: Parts) -> None:
    match, reads = await parts.opened(), reading(parts)
    user = match.seats[min(match.awaited)]
    before = left(parts, match)
    await reads.begin_reading(user)
    await parts.pass_time(1000 * READING + before - 1000)
    assert not match.over
    await reads.end_reading(match, user)
    assert left(parts, match) <= 1000
    await parts.pass_time(GRACE + 120_000)
    assert match.over


async def test_c_13_it_waits_for_nobody_else(parts: Parts) -> None:
    match, reads = await parts.opened(), reading(parts)
    before = match.position.timers
    await reads.begin_reading(match.seats[1 - min(match.awaited)])
    await reads.begin_reading(4711)
    assert match.position.timers == before


async def test_c_13_that_somebody_reads_outlasts_a_restart(parts: Parts) -> None:
    match = await parts.opened()
    (seat,) = match.awaited
    before = left(parts, match)
    await reading(parts).begin_reading(match.seats[seat])
    again, restored = await parts.restarted()
    assert restored.reading == match.reading
    await reading(again).end_reading(restored, match.seats[seat])
    assert left(again, restored) == before
