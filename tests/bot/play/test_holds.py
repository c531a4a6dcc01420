"""A match that a moderator calls off is held for ten minutes. Then it ends, unless they take that back."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.play.holds import HOLD, Holds
from bot.play.refusals import Refused, Suspended, Unsaved
from bot.store.errors import NotSaved
from bot.store.queries.matches import Suspension
from tests.bot.play.parts import ANN, CHANNEL, ELSEWHERE, MESSAGE, Parts, press_ids
from tests.known import there

MINUTE = 60_000


@pytest.fixture
async def holds(parts: Parts) -> AsyncIterator[Holds]:
    made = Holds(parts.registry, parts.lifecycle, parts.scheduler)
    yield made
    await made.close()


async def test_a_held_match_ends_after_ten_minutes_without_a_winner(parts: Parts, holds: Holds) -> None:
    match = await parts.opened()
    await holds.hold(match)
    assert (match.suspended, match.venue_lost, match.position.timers) == (Suspension.MODERATED, False, ())
    assert parts.heard.take() == [("changed", match)]
    await parts.pass_time(HOLD - 1000)
    assert not match.over
    await parts.pass_time(1000)
    assert match.result is not None
    assert (match.result.kind, match.result.counted) == ("moderated", False)
    assert parts.heard.take() == [("changed", match)]


async def test_taken_back_it_goes_on_where_it_was_with_the_time_that_was_left(parts: Parts, holds: Holds) -> None:
    match = await parts.opened(clock="normal")
    await parts.pass_time(MINUTE)
    ((left, key),) = [(timer.deadline - parts.now(), timer.key) for timer in match.position.timers]
    await holds.hold(match)
    await parts.pass_time(5 * MINUTE)
    assert await holds.release(match)
    assert (match.suspended, match.channel_id, match.board_id) == (None, CHANNEL, MESSAGE)
    ((again, same),) = [(timer.deadline - parts.now(), timer.key) for timer in match.position.timers]
    assert same == key
    assert left <= again <= 2 * MINUTE
    assert await parts.store.timers(match.id) == list(match.position.timers)
    assert not await holds.release(match)
    parts.clock.mark_shown(match, match.window_number)
    await parts.pass_time(HOLD)
    assert there(match.result).kind == "time"


async def test_it_may_be_held_and_brought_back_again_and_again(parts: Parts, holds: Holds) -> None:
    match = await parts.opened(clock="604800s")
    for _ in range(5):
        await holds.hold(match)
        assert await holds.release(match)
    assert not match.over


async def test_nobody_resumes_a_held_match(parts: Parts, holds: Holds) -> None:
    match = await parts.opened()
    await holds.hold(match)
    with parts.presses.take_up(match.id, next(press_ids)) as press, pytest.raises(Suspended, match="moderated"):
        await parts.lifecycle.resume(match, ELSEWHERE, 0, press)
    assert match.suspended is Suspension.MODERATED


@pytest.mark.parametrize("why", [Suspension.GAVE_PLACE, Suspension.THREAD_CLOSED])
async def test_a_match_on_hold_is_on_hold_again_when_it_is_brought_back(
    parts: Parts, holds: Holds, why: Suspension
) -> None:
    match = await parts.opened(clock="normal")
    await parts.lifecycle.suspend(match, why)
    await parts.pass_time(20 * MINUTE)
    await holds.hold(match)
    assert match.suspended is Suspension.MODERATED
    assert match.venue_lost is (why is Suspension.THREAD_CLOSED)
    await parts.pass_time(MINUTE)
    assert await holds.release(match)
    assert match.suspended is why
    with parts.presses.take_up(match.id, next(press_ids)) as press:
        assert await parts.lifecycle.resume(match, ELSEWHERE, 0, press)
    assert match.position.timers


async def test_a_held_match_that_loses_its_place_is_still_called_off(parts: Parts, holds: Holds) -> None:
    match, other = await parts.opened(), await parts.opened(guest=7)
    for each in (match, other):
        await holds.hold(each)
        for _ in range(2):
            await parts.lifecycle.suspend(each, Suspension.CHANNEL_GONE, CHANNEL)
        assert (each.suspended, each.venue_lost) == (Suspension.MODERATED, True)
    assert await holds.release(other)
    assert other.suspended is Suspension.CHANNEL_GONE
    await parts.pass_time(HOLD)
    assert match.over
    assert not other.over


@pytest.mark.parametrize("down", [2 * MINUTE, 3 * HOLD])
async def test_it_ends_also_if_the_process_that_held_it_has_ended(parts: Parts, holds: Holds, down: int) -> None:
    match = await parts.opened()
    await holds.hold(match)
    await holds.close()
    await parts.close()
    await parts.pass_time(down)
    again = Parts(parts.store, parts.scheduler, seed=2)
    ended = Holds(again.registry, again.lifecycle, again.scheduler)
    await again.restorer.begin()
    ended.resume()
    await again.restorer.run()
    (restored,) = again.registry.live()
    assert restored.suspended is Suspension.MODERATED
    await again.pass_time(max(0, HOLD - down))
    assert there(await again.store.result(match.id)).kind == "moderated"
    await ended.close()
    await again.close()


async def test_what_cannot_be_saved_is_refused_and_ending_is_tried_again(
    parts: Parts, holds: Holds, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: object) -> None:
        raise NotSaved("disk full")

    match = await parts.opened()
    with monkeypatch.context() as patched:
        patched.setattr(parts.store, "suspend_match", full)
        with pytest.raises(Unsaved):
            await holds.hold(match)
    assert match.suspended is None
    await holds.hold(match)
    with monkeypatch.context() as patched:
        patched.setattr(parts.store, "end_match", full)
        await parts.pass_time(HOLD)
        assert not match.over
    await parts.pass_time(2 * MINUTE)
    assert match.over


async def test_a_match_that_is_over_is_not_held(parts: Parts, holds: Holds) -> None:
    match = await parts.ended()
    with pytest.raises(Refused, match=r"refusal\.match_over"):
        await holds.hold(match)
    assert not await holds.release(match)
    assert ANN in match.seats
