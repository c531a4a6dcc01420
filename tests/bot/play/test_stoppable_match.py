"""The clock of a slow match stands while somebody is away, or while its players pause; nobody gains by it (C-14)."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from bot.play.clocks.deadlines import GRACE
from bot.play.clocks.stoppable_match import REST, Stops
from bot.play.live_match import LiveMatch
from bot.scheduler import DAY
from bot.store.errors import NotSaved
from bot.store.queries.matches import Suspension
from laws.play import random_act
from tests.bot.play.parts import ANN, BOB, Parts
from tests.failing_rules import raising
from tests.known import there

HOUR = 3_600_000
TURN = DAY
"""Milliseconds of a turn of the daily clock."""


@pytest.fixture
async def match(parts: Parts) -> LiveMatch:
    return await parts.opened(clock="daily")


def left(parts: Parts, match: LiveMatch) -> int:
    (timer,) = match.position.timers
    return timer.deadline - parts.now()


async def act(match: LiveMatch, rng: random.Random | None = None) -> None:
    seat = min(match.awaited)
    await match.act(seat, random_act(match.choices(seat), rng or random.Random(1)), window=match.window_number)


def asked(match: LiveMatch) -> int:
    (seat,) = match.awaited
    return seat


def test_the_clock_stands_for_the_last_of_those_who_are_asked_and_for_nobody_else() -> None:
    stops = Stops(rests=50).with_away(0, 100, 3).with_away(2, 300, 3)
    assert [stops.left(seats, 40) for seats in ((), (0,), (1,), (0, 1), (0, 2))] == [10, 60, 10, 60, 260]
    assert stops.left((0, 1, 2), 400) == 0
    assert Stops().left((0, 1), 5) == 0


async def test_c_14_while_somebody_is_away_whom_it_waits_for_the_clock_stands(parts: Parts, match: LiveMatch) -> None:
    await parts.pass_time(20 * HOUR)
    seat = asked(match)
    assert await match.set_away(seat, parts.now() + 2 * DAY)
    parts.clock.follow(match)
    assert left(parts, match) == 2 * DAY + 4 * HOUR
    assert match.away == {seat: parts.now() + 2 * DAY}
    await parts.pass_time(2 * DAY)
    assert (left(parts, match), match.away) == (4 * HOUR, {})
    await parts.pass_time(4 * HOUR + 2 * GRACE)
    assert match.over


async def test_c_14_who_comes_back_earlier_has_what_was_left(parts: Parts, match: LiveMatch) -> None:
    await parts.pass_time(20 * HOUR)
    seat = asked(match)
    await match.set_away(seat, parts.now() + 5 * DAY)
    await parts.pass_time(DAY)
    assert await match.set_away(seat, parts.now())
    assert left(parts, match) == 4 * HOUR
    assert not await match.set_away(seat, parts.now()), "it is over already"


async def test_c_14_the_absence_of_others_gives_nobody_time(parts: Parts, match: LiveMatch) -> None:
    other = 1 - asked(match)
    await match.set_away(other, parts.now() + 3 * DAY)
    assert left(parts, match) == TURN
    await parts.pass_time(HOUR)
    await act(match)
    while other not in match.awaited:
        await act(match)
    assert left(parts, match) == 3 * DAY - HOUR + TURN


async def test_c_14_a_question_that_comes_meanwhile_has_its_whole_time_after_that(
    parts: Parts, match: LiveMatch
) -> None:
    rng, until = random.Random(3), parts.now() + 5 * DAY
    first = asked(match)
    await match.set_away(1 - first, until)
    for _ in range(12):
        if match.over:
            break
        await act(match, rng)
        if match.awaited:
            stands = until - parts.now() if asked(match) != first else 0
            assert left(parts, match) == TURN + stands


async def test_c_14_fast_matches_know_no_absence_and_no_pause(parts: Parts) -> None:
    match = await parts.opened(clock="normal")
    before = match.position.timers
    assert not await match.set_away(asked(match), parts.now() + DAY)
    assert not await match.agree_to_rest(0)
    assert not await match.agree_to_rest(1)
    assert (match.position.timers, match.away, match.rests_until) == (before, {}, None)


async def test_c_14_a_pause_needs_all_players_and_either_ends_it(parts: Parts, match: LiveMatch) -> None:
    await parts.pass_time(HOUR)
    assert not await match.agree_to_rest(0)
    assert (set(match.want_rest), match.rests_until, left(parts, match)) == ({0}, None, TURN - HOUR)
    assert await match.agree_to_rest(1)
    assert (set(match.want_rest), match.rests_until) == (set(), parts.now() + REST)
    assert left(parts, match) == TURN - HOUR + REST
    await parts.pass_time(DAY)
    assert await match.end_rest()
    assert (match.rests_until, left(parts, match)) == (None, TURN - HOUR)
    assert not await match.end_rest()


async def test_c_14_an_act_withdraws_the_wish_to_pause(parts: Parts, match: LiveMatch) -> None:
    await match.agree_to_rest(0)
    await act(match)
    assert match.want_rest == set()
    assert not await match.agree_to_rest(1)


async def test_c_14_both_at_once_stand_as_long_as_the_longer_one(parts: Parts, match: LiveMatch) -> None:
    seat = asked(match)
    await match.set_away(seat, parts.now() + DAY)
    await match.agree_to_rest(0)
    await match.agree_to_rest(1)
    assert left(parts, match) == REST + TURN
    await match.end_rest()
    assert left(parts, match) == DAY + TURN
    await match.set_away(seat, parts.now())
    assert left(parts, match) == TURN


async def test_c_14_a_restart_keeps_it_and_gives_nothing_twice(parts: Parts, match: LiveMatch) -> None:
    seat = asked(match)
    await parts.store.record_heartbeat(parts.now())
    await match.set_away(seat, parts.now() + 2 * DAY)
    await match.agree_to_rest(seat)
    again, restored = await parts.restarted()
    assert restored.away == match.away
    assert restored.position.timers == match.position.timers
    assert await restored.set_away(seat, parts.now())
    assert left(parts, restored) == TURN
    await again.close()


@pytest.mark.parametrize("outage", [DAY, 3 * DAY])
async def test_c_14_an_outage_gives_and_takes_nothing(parts: Parts, match: LiveMatch, outage: int) -> None:
    await parts.pass_time(20 * HOUR)
    await parts.store.record_heartbeat(parts.now())
    seat, until = asked(match), parts.now() + 2 * DAY
    await match.set_away(seat, until)
    parts.clock.pause()
    await parts.pass_time(outage)
    await parts.clock.credit()
    await match.set_away(seat, until)  # as the person's row has it
    assert left(parts, match) == 4 * HOUR + max(0, until - parts.now())
    row = there(await parts.store.match(match.id))
    assert (row.away_until or (None, None))[seat] == (match.away_until(seat) or None)
    assert await parts.store.timers(match.id) == [*match.position.timers]


@pytest.mark.parametrize("by", [-HOUR, HOUR])
async def test_c_14_a_corrected_clock_gives_and_takes_nothing(parts: Parts, match: LiveMatch, by: int) -> None:
    await parts.pass_time(20 * HOUR)
    seat, until = asked(match), parts.now() + 2 * DAY
    await match.set_away(seat, until)
    async with parts.clock.kept_waiting():
        parts.scheduler.correct(by)
        parts.clock.shift_time(by)
        await parts.store.shift_time(by)
    await match.set_away(seat, until)
    assert left(parts, match) == 4 * HOUR + until - parts.now()
    assert await parts.store.timers(match.id) == [*match.position.timers]


async def test_c_14_a_match_that_loses_its_place_meanwhile_goes_on_as_it_was(parts: Parts, match: LiveMatch) -> None:
    seat = asked(match)
    await parts.pass_time(20 * HOUR)
    await match.set_away(seat, parts.now() + 4 * DAY)
    await match.suspend(Suspension.CHANNEL_GONE)
    await parts.pass_time(DAY)
    assert await match.resume(77, seat, {}) is not None
    stands = 3 * DAY
    assert TURN + stands >= left(parts, match) >= 4 * HOUR + stands
    await match.set_away(seat, parts.now())
    assert TURN >= left(parts, match) >= 4 * HOUR


async def test_c_14_an_outage_while_a_match_is_on_hold_takes_nothing_after_a_restart(
    parts: Parts, match: LiveMatch
) -> None:
    await parts.pass_time(20 * HOUR)
    seat, until = asked(match), parts.now() + 4 * DAY
    await match.set_away(seat, until)
    await match.suspend(Suspension.CHANNEL_GONE)
    await parts.store.record_heartbeat(parts.now())
    parts.clock.pause()
    await parts.pass_time(DAY)
    await parts.clock.credit()
    await match.set_away(seat, until)  # as the person's row has it
    assert await match.resume(77, seat, {}) is not None
    own = left(parts, match) - (until - parts.now())
    again, restored = await parts.restarted()
    await restored.set_away(seat, until)
    assert left(parts, restored) - (until - parts.now()) == own
    await again.close()


async def test_c_14_an_outage_gives_and_takes_nothing_also_if_the_store_fails_after_the_credit(
    parts: Parts, match: LiveMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    await parts.store.record_heartbeat(parts.now())
    seat, until = asked(match), parts.now() + 4 * DAY
    await match.set_away(seat, until)
    credit = parts.store.credit_downtime

    async def and_then_fails(now: int) -> int:
        monkeypatch.setattr(parts.store, "all_timers", raising(NotSaved("the database can't be read")))
        return await credit(now)

    parts.clock.pause()
    await parts.pass_time(DAY)
    with monkeypatch.context() as failing, suppress(NotSaved):
        failing.setattr(parts.store, "credit_downtime", and_then_fails)
        await parts.clock.credit()
    monkeypatch.undo()
    await parts.clock.credit()  # as it is tried again
    assert there(await parts.store.match(match.id)).away_until[seat] == match.away_until(seat)
    assert await parts.store.timers(match.id) == [*match.position.timers]


async def test_c_14_a_match_that_waits_to_be_restored_during_an_outage_gives_and_takes_nothing(
    parts: Parts, match: LiveMatch
) -> None:
    seat, until = asked(match), parts.now() + 4 * DAY
    await match.set_away(seat, until)
    again = Parts(parts.store, parts.scheduler)
    await again.restorer.begin()
    again.clock.pause()
    await parts.pass_time(DAY)
    await again.clock.credit()
    await again.restorer.run()
    (restored,) = again.registry.live()
    await restored.set_away(seat, until)
    assert left(parts, restored) == TURN + until - parts.now()
    assert there(await parts.store.match(match.id)).away_until[seat] == restored.away_until(seat) == until
    await again.close()


class Played:
    """A match at random, beside a plain count of what is gone of its open question's time."""

    def __init__(self, parts: Parts, match: LiveMatch, rng: random.Random) -> None:
        self.parts, self.match, self.rng = parts, match, rng
        self.gone, self.window = 0, match.window_number
        self.away: dict[int, int] = {}
        self.rests = 0

    @property
    def stood(self) -> int:
        """Until when the clock stands (ms UTC)."""
        return max([self.rests, *(self.away.get(seat, 0) for seat in self.match.awaited)])

    def check(self) -> None:
        if self.match.window_number != self.window:
            self.gone, self.window = 0, self.match.window_number
        (shown,) = {timer.deadline for timer in self.match.position.timers}
        assert shown == max(self.parts.now(), self.stood) + TURN - self.gone

    async def act(self) -> None:
        await act(self.match, self.rng)
        self.parts.clock.settle(self.match)

    async def wait(self) -> None:
        passing = self.rng.randrange(1, 6 * HOUR)
        running = passing - max(0, min(passing, self.stood - self.parts.now()))
        if self.gone + running >= TURN:
            await self.act()
            return
        await self.parts.pass_time(passing)
        self.gone += running

    async def leave(self) -> None:
        seat, until = self.rng.randrange(2), self.parts.now() + self.rng.randrange(3 * DAY)
        if await self.match.set_away(seat, until):
            self.away[seat] = until

    async def rest(self) -> None:
        await self.match.agree_to_rest(0)
        if await self.match.agree_to_rest(1):
            self.rests = self.match.rests_until or 0

    async def go_on(self) -> None:
        if await self.match.end_rest():
            self.rests = self.parts.now()

    async def outage(self) -> None:
        await self.parts.store.record_heartbeat(self.parts.now())
        self.parts.clock.pause()
        lost = self.rng.randrange(2 * DAY)
        await self.parts.pass_time(lost)
        await self.parts.clock.credit()
        self.parts.clock.resume()
        await self.known_again(lost)

    async def correct(self) -> None:
        by = self.rng.randrange(-HOUR, HOUR)
        async with self.parts.clock.kept_waiting():
            self.parts.scheduler.correct(by)
            self.parts.clock.shift_time(by)
            await self.parts.store.shift_time(by)
        await self.known_again(by)

    async def restart(self) -> None:
        await self.parts.store.record_heartbeat(self.parts.now())
        await self.parts.clock.close()
        again = Parts(self.parts.store, self.parts.scheduler, self.rng.randrange(1000))
        await again.restore_all()
        (self.match,) = again.registry.live()
        self.parts = again

    async def known_again(self, moved: int) -> None:
        """A pause is as long as it was, and people are away until the time of day that they said."""
        self.rests += moved
        for seat in range(2):
            await self.match.set_away(seat, self.away.get(seat, 0))


@pytest.mark.parametrize("seed", range(20))
async def test_c_14_whatever_happens_everybody_has_all_of_their_time_and_no_more(parts: Parts, seed: int) -> None:
    """The law: of a turn is gone what passed while its seat was asked, was there, the match did not rest, and the bot
    could be reached. Restarts and a corrected clock change nothing."""
    rng = random.Random(seed)
    game = rng.choice(["haymaker", "unbreakable", "champions", "ciq"])
    played = Played(parts, await parts.opened(ANN, BOB, "daily", game), rng)
    doings = (Played.wait, Played.act, Played.leave, Played.rest, Played.go_on)
    steps = (*doings, Played.outage, Played.correct, Played.restart)
    for _ in range(60):
        if played.match.over or not played.match.awaited:
            break
        played.check()
        await rng.choice(steps)(played)
    await played.parts.close()
