"""Clocks on which each player has one time for all turns: what each answer does to it, whose time runs out, and that
nobody pays for what isn't their fault (C-15)."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.durations import BANKS, Bank
from bot.play.clocks.banks import Banks
from bot.play.clocks.deadlines import GRACE
from bot.play.computers.stand_ins import TakenBack, TakenOver
from bot.play.live_match import LiveMatch
from bot.play.refusals import Unsaved
from bot.scheduler import DAY
from bot.store.errors import NotSaved
from bot.store.queries.invitations import StandIn
from bot.store.queries.matches import Suspension
from bot.time_controls import time_control
from engines.game import Reply, Resign, Seconds, Timer, TimeUp, Turn, Window
from laws.play import random_act
from tests.bot.play.exported import row_of
from tests.bot.play.held_matches import Playing
from tests.bot.play.parts import ANN, BOB, Parts, an_act, on_turn
from tests.bot.play.test_stoppable_match import Played, act
from tests.known import there

FAST, SLOW, DAILY = (time_control(bank.key) for bank in BANKS)
HOUR = 3_600_000
WHOLE, MORE = 600_000, 10_000
"""What the fast one has, in ms."""
BLOCK = 60_000
"""What a block in CIQ has in fast play."""


def question(number: int, *awaited: int) -> Window:
    return Window.asking(number, frozenset(awaited), Timer.of_turn(number))


def of(clock: Any = FAST, *left: int, by_computers: frozenset[int] = frozenset(), each: bool = True) -> Banks:
    return Banks(clock, left or (1000 * clock.turn,) * 2, by_computers, each)


# ---------------------------------------------------------------------------------------------- the arithmetic


def test_c_15_an_answer_costs_what_it_took_and_gets_more_and_nothing_exceeds_the_whole() -> None:
    asked, then = question(1, 0), question(2, 1)
    assert of().after(asked, then, 0, "act", 30_000, 0).left == (WHOLE - 20_000, WHOLE)
    assert of().after(asked, then, 0, "act", 4_000, 0).left == (WHOLE, WHOLE)
    assert of(FAST, 5_000, 7_000).after(asked, then, 0, "act", 6_000, 0).left == (MORE, 7_000), "a press at the last"


def test_c_15_of_several_who_are_asked_each_pays_when_they_answer_and_for_no_question_that_is_dropped() -> None:
    asked, still = question(1, 0, 1), question(1, 1)
    one = of().after(asked, still, 0, "act", 60_000, 0)
    assert one.left == (WHOLE - 50_000, WHOLE)
    assert one.after(still, question(2, 0), 1, "act", 90_000, 0).left == (WHOLE - 50_000, WHOLE - 80_000)
    assert of().after(asked, question(2, 1), 0, Resign(), 60_000, 0).left == (WHOLE, WHOLE)
    assert of().after(asked, asked, 0, "one card of two", 60_000, 0).left == (WHOLE, WHOLE)


def test_c_15_whose_time_ran_out_and_who_plays_on_has_what_an_answer_gets() -> None:
    asked = question(1, 0, 1)
    assert of(FAST, 5_000, 9_000).after(asked, question(1, 1), None, TimeUp("turn", "1", (0,)), 8_500, 0).left == (
        MORE,
        9_000,
    )
    taken = TakenOver((0,), "normal", (1,))
    assert of(FAST, 5_000, 9_000).after(asked, asked, None, taken, 8_500, 0).left == (MORE, 9_000)
    assert of(FAST, 5_000, 9_000).after(asked, asked, 0, taken, 4_000, 0).left == (5_000, 9_000), "by choice: nothing"
    assert of(FAST, 5_000, 9_000).after(asked, asked, 0, TakenBack(), 4_000, 0).left == (5_000, 9_000)


def test_c_15_the_time_of_a_day_comes_to_all_with_the_first_act_of_a_day() -> None:
    asked, then, day = question(1, 0), question(2, 1), DAY
    banks = of(DAILY, 2 * day, day)
    assert banks.after(asked, then, 0, "act", HOUR, 0).left == (2 * day - HOUR, day), "nothing comes with an answer"
    assert banks.after(asked, then, 0, "act", day, 1).left == (day + day // 2, day + day // 2)
    assert banks.after(asked, then, 0, "act", day, 9).left == (3 * day, 3 * day)
    assert of(DAILY, 0, day).after(asked, then, None, TimeUp("turn", "1", (0,)), 0, 0).left == (day // 2, day)


def test_c_15_computers_have_the_whole_time_for_each_question_and_keep_that_of_who_they_play_for() -> None:
    banks = of(FAST, 3_000, 5_000, by_computers=frozenset({0}))
    assert (banks.of(0), banks.of(1), banks.lasts((0,)), banks.lasts((0, 1))) == (WHOLE, 5_000, WHOLE, 5_000)
    assert banks.after(question(1, 0), question(2, 1), 0, "act", 400_000, 0).left == (3_000, 5_000)


def test_c_15_a_question_lasts_until_the_first_has_nothing_left_and_takes_only_those() -> None:
    banks = of(FAST, 5_000, 9_000, 5_000)
    assert (banks.lasts((0, 1, 2)), banks.late((0, 1, 2))) == (5_000, (0, 2))
    shared = replace(banks, each=False)
    assert (shared.lasts((0, 1, 2)), shared.late((0, 1, 2))) == (9_000, ())


def test_c_15_answers_to_be_given_at_once_have_a_time_of_their_own_but_in_slow_play() -> None:
    assert [FAST.runs_bank(length) for length in (Turn(), Reply(60), Seconds(5))] == [True, False, False]
    assert [SLOW.runs_bank(length) for length in (Turn(), Reply(60), Seconds(5))] == [True, True, False]
    assert (FAST.length(Reply(60)), FAST.slow, SLOW.slow, DAILY.slow) == (60, False, True, True)
    block = replace(question(1, 0), timers=(Timer("block", "1", Reply(60)),))
    assert of().after(block, question(2, 1), 0, "act", 50_000, 0).left == (WHOLE, WHOLE)


USES = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 900_000), st.integers(0, 60_000), st.integers(0, 2)))


@given(st.sampled_from([FAST, SLOW, DAILY]), USES)
def test_c_15_who_used_less_never_has_less_and_nobody_gains_more_than_was_agreed(clock: Any, uses: Any) -> None:
    """What a log shows is at most what was left: in it everybody used more, because a clock can stand."""
    bank = clock.bank
    real, logged, most = of(clock), of(clock), 1000 * clock.turn
    for number, (seat, used, stood, days) in enumerate(uses):
        asked, then = question(number, seat), question(number + 1, 1 - seat)
        before = real
        real = real.after(asked, then, seat, "act", min(used, real.of(seat)), days)
        logged = logged.after(asked, then, seat, "act", used + stood, days)
        assert all(0 <= low <= left <= most for low, left in zip(logged.left, real.left, strict=True))
        gained = 1000 * bank.more * (days if bank.by_day else 1)
        assert real.left[seat] <= max(0, before.left[seat] - used) + gained


# ---------------------------------------------------------------------------------------------- matches


def left(parts: Parts, match: LiveMatch) -> int:
    (timer,) = match.position.timers
    return timer.deadline - parts.now()


def kept(match: LiveMatch) -> tuple[int, ...]:
    return there(match.banks).left


async def choose(match: LiveMatch, seat: int) -> None:
    """Have a seat choose one of its weapons in Unbreakable."""
    await match.act(seat, random_act(match.choices(seat), random.Random(1)))


async def a_shorter_bank(parts: Parts) -> tuple[LiveMatch, int]:
    """A match that asks both at once, of whom one player has 200 seconds less; with their seat."""
    match = await parts.opened(clock=FAST.key, game="unbreakable")
    await choose(match, 1)
    await parts.pass_time(210_000)
    await choose(match, 0)
    while len(match.awaited) < 2:
        await act(match)
    parts.clock.settle(match)
    parts.clock.mark_shown(match, match.window_number)
    assert kept(match)[0] < kept(match)[1] == WHOLE
    return match, 0


async def test_c_5_only_the_one_whose_bank_is_empty_leaves(parts: Parts) -> None:
    match, seat = await a_shorter_bank(parts)
    own = kept(match)[seat]
    assert left(parts, match) == own
    assert (match.due_for(seat), match.due_for(1 - seat)) == (parts.now() + own, parts.now() + WHOLE)
    await parts.pass_time(own + 2 * GRACE)
    assert match.result is not None
    assert (match.result.kind, match.result.ranks[1 - seat], match.result.ranks[seat]) == ("time", 1, 2)


async def test_c_5_at_equal_times_both_leave_at_once(parts: Parts) -> None:
    match = await parts.opened(clock=FAST.key, game="unbreakable")
    assert kept(match) == (WHOLE, WHOLE)
    await parts.pass_time(WHOLE + 2 * GRACE)
    assert match.result is not None
    assert (match.result.kind, match.result.ranks) == ("time", (1, 1))


async def test_c_15_who_answers_in_time_is_no_longer_waited_for_and_the_other_has_their_own(parts: Parts) -> None:
    match, seat = await a_shorter_bank(parts)
    own = kept(match)[seat]
    await parts.pass_time(100_000)
    await choose(match, seat)
    parts.clock.settle(match)
    assert match.awaited == {1 - seat}
    assert left(parts, match) == WHOLE - 100_000
    assert kept(match)[seat] == own - 100_000 + MORE


async def test_c_15_a_question_that_appears_late_costs_nobody_that_time(parts: Parts) -> None:
    match = await parts.opened(clock=FAST.key)
    seat = on_turn(match)
    await match.act(seat, an_act(match))
    await parts.pass_time(40_000)  # the board is slow
    parts.clock.mark_shown(match, match.window_number)
    await parts.pass_time(30_000)
    other = on_turn(match)
    await match.act(other, an_act(match))
    assert kept(match)[other] == WHOLE - 20_000


@pytest.mark.parametrize("committed", [False, True])
async def test_c_15_a_kill_around_the_commit_of_an_act_has_deadline_and_banks_of_before_or_after_it(
    parts: Parts, monkeypatch: pytest.MonkeyPatch, *, committed: bool
) -> None:
    match = await parts.opened(clock=FAST.key)
    await parts.pass_time(50_000)
    seat, before, append = on_turn(match), match.position.timers, parts.store.append

    async def killed(*given: Any) -> None:
        if committed:
            await append(*given)
        raise NotSaved("the process was killed")

    with monkeypatch.context() as patched:
        patched.setattr(parts.store, "append", killed, raising=False)
        with pytest.raises(Unsaved):
            await match.act(seat, an_act(match))
    again, restored = await parts.restarted()
    assert kept(restored)[seat] == (WHOLE - 40_000 if committed else WHOLE)
    assert (restored.position.timers == before) is not committed
    assert left(parts, restored) == (WHOLE if committed else WHOLE - 50_000)
    await again.close()


async def test_c_15_a_restart_in_the_middle_of_a_turn_keeps_what_everybody_has(parts: Parts) -> None:
    match = await parts.opened(clock=FAST.key)
    seat = on_turn(match)
    await parts.pass_time(100_000)
    await match.act(seat, an_act(match))
    parts.clock.mark_shown(match, match.window_number)
    other = on_turn(match)
    assert kept(match)[seat] == WHOLE - 90_000
    await parts.pass_time(50_000)
    await parts.store.record_heartbeat(parts.now())
    await parts.clock.close()
    again, restored = await parts.restarted()
    again.clock.mark_shown(restored, restored.window_number)
    assert kept(restored) == kept(match)
    await restored.act(other, an_act(restored))
    assert kept(restored)[other] == WHOLE - 40_000
    await again.close()


async def test_c_15_a_match_that_loses_its_place_goes_on_with_what_was_left(parts: Parts) -> None:
    match = await parts.opened(clock=SLOW.key)
    seat = on_turn(match)
    await parts.pass_time(20 * HOUR)
    await match.suspend(Suspension.CHANNEL_GONE)
    await parts.pass_time(DAY)
    await match.resume(77, seat, {})
    assert 53 * HOUR >= left(parts, match) >= 52 * HOUR
    parts.clock.mark_shown(match, match.window_number)
    await match.act(seat, an_act(match))
    assert 65 * HOUR >= kept(match)[seat] >= 64 * HOUR


async def test_c_8_a_computer_has_the_whole_time_and_who_takes_the_seat_back_has_what_an_answer_gets(
    parts: Parts,
) -> None:
    match = await parts.opened(clock=FAST.key, stand_in=StandIn.UNRATED)
    seat = on_turn(match)
    await parts.pass_time(WHOLE + 2 * GRACE)
    assert match.has_stand_in(seat)
    assert (left(parts, match) > WHOLE - 2 * GRACE, kept(match)[seat]) == (True, MORE)
    await match.take_back(seat, 5)
    parts.clock.settle(match)
    assert left(parts, match) <= MORE
    await parts.pass_time(MORE + 2 * GRACE)
    assert there(match.result).kind == "time"


async def test_c_8_handing_a_seat_over_and_taking_it_back_gives_no_time(parts: Parts) -> None:
    match = await parts.opened(clock=FAST.key, stand_in=StandIn.UNRATED)
    seat = on_turn(match)
    await parts.pass_time(WHOLE - 30_000)
    await match.let_play(seat, 5)
    await match.take_back(seat, 6)
    assert (left(parts, match), kept(match)[seat]) == (30_000, WHOLE)


async def test_c_13_in_a_first_match_a_bank_has_five_minutes_more_until_the_first_answer() -> None:
    for clock, more in ((FAST, 300_000), (SLOW, 0)):
        row = replace(row_of("haymaker", "default", 2), clock=clock.key, newcomers=(0, 1), reads_until=(None, None))
        playing = Playing(row)
        await playing.begin()
        match, whole = playing.match, 1000 * clock.turn
        (seat,) = match.awaited
        assert kept(match) == (whole + more, whole + more)
        assert match.position.timers[0].deadline - playing.now == whole + more
        match.mark_shown(match.window_number)
        await act(match)
        assert (kept(match)[seat], kept(match)[1 - seat]) == (whole, whole + more)


class PlayedWithBanks(Played):
    """The same with a bank for each seat, also counted plainly."""

    def __init__(self, parts: Parts, match: LiveMatch, rng: random.Random) -> None:
        super().__init__(parts, match, rng)
        assert match.time_control.bank is not None
        self.bank: Bank = match.time_control.bank
        self.banks = [1000 * self.bank.whole] * 2
        self.day = parts.now() // DAY

    @property
    def runs(self) -> bool:
        """Whether the open question runs the banks, and is not one to be answered at once."""
        return self.match.time_control.slow or {each.name for each in self.match.position.timers} != {"block"}

    @property
    def least(self) -> int:
        return min(self.banks[seat] for seat in self.match.awaited) if self.runs else BLOCK

    def check(self) -> None:
        if self.match.window_number != self.window:
            self.gone, self.window = 0, self.match.window_number
        (timer,) = self.match.position.timers
        assert timer.deadline == max(self.parts.now(), self.stood) + self.least - self.gone
        assert kept(self.match) == tuple(self.banks)

    async def act(self) -> None:
        seat, more, runs = min(self.match.awaited), 1000 * self.bank.more, self.runs
        await super().act()
        self.parts.clock.mark_shown(self.match, self.match.window_number)
        if self.match.over:
            return
        whole = 1000 * self.bank.whole
        today = (await self.parts.store.records(self.match.id))[-1].at // DAY
        days, self.day = today - self.day, today
        daily = days if self.bank.by_day else 0
        answered = max(0, self.banks[seat] - self.gone) + (0 if self.bank.by_day else more)
        self.banks[seat] = min(whole, answered) if runs else self.banks[seat]
        self.banks = [min(whole, each + daily * more) for each in self.banks]

    async def restart(self) -> None:
        await super().restart()
        self.parts.clock.mark_shown(self.match, self.match.window_number)

    async def wait(self) -> None:
        passing = self.rng.randrange(1, 6 * HOUR if self.match.time_control.slow else 60_000)
        running = passing - max(0, min(passing, self.stood - self.parts.now()))
        if self.gone + running >= self.least:
            await self.act()
            return
        await self.parts.pass_time(passing)
        self.gone += running


@pytest.mark.parametrize("seed", range(30))
async def test_c_15_whatever_happens_everybody_has_all_of_their_bank_and_no_more(parts: Parts, seed: int) -> None:
    """The law of C-14 with banks: outages, restarts, corrected clocks, pauses and away days cost nobody anything."""
    rng = random.Random(seed)
    game = rng.choice(["haymaker", "unbreakable", "champions", "ciq"])
    clock = rng.choice([FAST, SLOW, DAILY]).key
    played = PlayedWithBanks(parts, await parts.opened(ANN, BOB, clock, game), rng)
    doings = (Played.leave, Played.rest, Played.go_on, Played.outage, Played.correct, PlayedWithBanks.restart)
    steps = (PlayedWithBanks.wait, PlayedWithBanks.act, PlayedWithBanks.act, *doings)
    for _ in range(60):
        if played.match.over or not played.match.awaited:
            break
        played.check()
        await rng.choice(steps)(played)
    await played.parts.close()
