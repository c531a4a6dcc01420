"""When the clock acts, and when it waits."""

from __future__ import annotations

import asyncio
import random

import pytest

from bot.play.clocks.deadlines import GRACE
from bot.play.clocks.match_clock import UNSAVED_GRACE, MatchClock
from bot.store.errors import Conflict, Damaged, NotSaved, StoreError
from bot.store.queries.matches import Obstacle, Unrated
from discord_sandbox.virtual_time import settle
from laws.play import random_act
from tests.bot.play.parts import ANN, BOB, CAT, Parts, an_act, on_turn, press_ids
from tests.failing_rules import raising
from tests.known import there

TURN = 30_000
OUTAGE = 3_600_000


async def test_it_acts_once_the_grace_after_the_deadline_is_over_and_tells(parts: Parts) -> None:
    match = await parts.opened()
    await parts.pass_time(TURN + GRACE - 1)
    assert not match.over
    await parts.pass_time(1)
    assert match.over
    assert parts.heard.take() == [("changed", match)]
    assert list(parts.registry.live()) == []
    assert parts.clock.idle


async def test_it_counts_from_when_the_question_is_shown(parts: Parts) -> None:
    match = await parts.opened()
    await match.act(on_turn(match), an_act(match))
    parts.clock.settle(match)
    (timer,) = match.position.timers
    await parts.pass_time(5_000)
    parts.clock.mark_shown(match, match.window_number)
    await parts.pass_time(timer.deadline + GRACE - parts.now())
    assert match.position.acts == 1
    await parts.pass_time(5_000)
    assert match.position.acts == 2


async def test_it_waits_for_a_press_that_is_being_worked_out(parts: Parts) -> None:
    match = await parts.opened()
    with parts.presses.take_up(match.id, 1) as press:
        await parts.pass_time(TURN + GRACE)
        assert not match.over
        waiting = 1 - on_turn(match)
        assert await press.call_off(match, waiting)  # more than half of the time has passed, so one is enough
    await parts.pass_time(0)
    assert there(match.result).kind == "called_off"


@pytest.mark.parametrize("gone", [(ANN,), (ANN, BOB)])
async def test_only_who_loses_by_the_clock_is_the_reason_why_a_match_does_not_count(
    parts: Parts, gone: tuple[int, ...]
) -> None:
    """Both are late, and one of them acts while Discord is asked whether they could."""
    match = await parts.opened(game="unbreakable")
    parts.clock.forget(match)
    clock = MatchClock(parts.store, parts.registry, parts.observers, parts.scheduler, access=SlowToAnswer(gone))
    clock.follow(match)
    assert match.awaited == {match.seats.index(ANN), match.seats.index(BOB)}
    await parts.pass_time(TURN + GRACE + 1000)
    seat = match.seats.index(ANN)
    await match.act(seat, random_act(match.choices(seat), random.Random(1)), window=match.window_number)
    await parts.pass_time(1000)
    assert match.over
    assert match.unrated == (Unrated(match.seats.index(BOB), Obstacle.GONE) if BOB in gone else None)
    await clock.close()


class SlowToAnswer:
    """An `Access` that says after two seconds who has left."""

    def __init__(self, gone: tuple[int, ...]) -> None:
        self.gone = gone

    async def obstacle(self, _guild_id: int, _channel_id: int, user_id: int) -> Obstacle | None:
        await asyncio.sleep(2)
        return Obstacle.GONE if user_id in self.gone else None


async def test_it_does_not_wait_for_presses_on_other_matches(parts: Parts) -> None:
    match = await parts.opened()
    with parts.presses.take_up("another", 1):
        await parts.pass_time(TURN + GRACE)
        assert match.over


async def test_it_is_paused_and_after_a_short_loss_leaves_time_for_presses(parts: Parts) -> None:
    match = await parts.opened()
    parts.clock.pause()
    await parts.pass_time(2 * TURN)
    assert parts.clock.paused
    assert not match.over
    parts.clock.resume()
    await parts.pass_time(GRACE - 1)
    assert not match.over
    await parts.pass_time(1)
    assert match.over


async def test_after_a_long_loss_it_gives_the_time_back(parts: Parts) -> None:
    match = await parts.opened()
    await parts.store.record_heartbeat(parts.now())
    (before,) = match.position.timers
    parts.clock.pause()
    await parts.pass_time(2 * TURN)
    await parts.clock.credit()
    parts.clock.resume()
    (after,) = match.position.timers
    assert after.deadline == before.deadline + 2 * TURN
    await parts.pass_time(TURN + GRACE - 1)
    assert not match.over
    await parts.pass_time(1)
    assert match.over


async def test_a_match_that_waited_while_clocks_ran_gets_that_back_after_an_outage_too(parts: Parts) -> None:
    """A match that a start has not restored yet: the credit moves what is stored, and its wait comes on top."""
    match = await parts.opened()
    await parts.store.record_heartbeat(parts.now())
    stored = match.position.timers
    parts.clock.pause()
    await parts.clock.credit()
    parts.clock.resume()
    await parts.pass_time(4000)
    await parts.store.record_heartbeat(parts.now())
    parts.clock.pause()
    await parts.pass_time(10 * TURN)
    for connected in (False, True):  # the credit is given, and then the clocks go on
        if connected:
            parts.clock.resume()
        else:
            await parts.clock.credit()
        (timer,) = parts.clock.after_waiting(await parts.store.all_timers())
        assert timer.deadline == stored[0].deadline + 10 * TURN + 4000


async def test_what_cannot_be_saved_is_put_off(parts: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    match = await parts.opened()
    with monkeypatch.context() as patched:
        patched.setattr(parts.store, "append", raising(NotSaved("the disk is full")))
        await parts.pass_time(TURN + GRACE)
    (timer,) = match.position.timers
    assert timer.deadline == parts.now() + UNSAVED_GRACE
    assert parts.heard.take() == [("changed", match)]
    await parts.pass_time(UNSAVED_GRACE + GRACE)
    assert match.over


FAILURES = (Damaged("the database cannot be read"), Conflict("another seq is next"), StoreError("closed"), KeyError(1))


@pytest.mark.parametrize("error", FAILURES, ids=lambda error: type(error).__name__)
async def test_after_any_failure_the_clock_tries_again(
    parts: Parts, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    match = await parts.opened()
    with monkeypatch.context() as patched:
        patched.setattr(parts.store, "append", raising(error))
        await parts.pass_time(TURN + GRACE)
        await parts.pass_time(UNSAVED_GRACE + GRACE)
    assert not match.over
    await parts.pass_time(UNSAVED_GRACE + GRACE)
    assert match.over


async def test_a_match_that_is_forgotten_does_not_ring(parts: Parts) -> None:
    match = await parts.opened()
    parts.clock.forget(match)
    await parts.pass_time(10 * TURN)
    assert match.position.acts == 0


async def test_once_it_is_closed_a_press_under_way_sets_no_new_deadline(parts: Parts) -> None:
    match = await parts.opened()
    with parts.presses.take_up(match.id, next(press_ids)) as press:
        await parts.clock.close()
        await press.act(match, on_turn(match), an_act(match))
    assert not match.over
    assert parts.clock.idle


async def test_an_act_while_an_outage_is_credited_takes_nothing_of_the_credit_from_others(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a question that several are asked, the deadline stays for those who have not acted."""
    match = await parts.opened(game="tivmiv", more=(CAT,))
    await parts.store.record_heartbeat(parts.now())
    (timer,) = match.position.timers
    assert len(match.awaited) > 1
    parts.clock.pause()
    await parts.pass_time(OUTAGE)
    credit, acting = parts.store.credit_downtime, list[asyncio.Task[int]]()

    async def pressed_meanwhile(now: int) -> int:
        credited = await credit(now)
        seat = min(match.awaited)
        acting.append(asyncio.create_task(match.act(seat, random_act(match.choices(seat), random.Random(1)))))
        await settle()
        return credited

    monkeypatch.setattr(parts.store, "credit_downtime", pressed_meanwhile)
    await parts.clock.credit()
    await acting[0]
    assert match.position.acts == 1
    assert [each.deadline for each in match.position.timers] == [timer.deadline + OUTAGE]
    assert [each.deadline for each in await parts.store.all_timers()] == [timer.deadline + OUTAGE]
