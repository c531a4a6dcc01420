"""A match that loses its place: what is left of its time, how often that may happen, and who is still in."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.play.access import ASK_SECONDS, obstacles
from bot.play.live_match import LiveMatch
from bot.play.match_row import MOST_LOSSES
from bot.play.refusals import NotAllCanPlay, Refused
from bot.store.errors import Damaged, NotSaved, StoreError
from bot.store.queries.matches import Obstacle, Suspension
from bot.time_controls import resume_grace
from engines.game import Resign
from tests.bot.play.parts import BOB, CAT, CHANNEL, ELSEWHERE, Parts, an_act, on_turn, press_ids
from tests.failing_rules import raising
from tests.known import there

THREAD, GONE, REMOVED = Suspension.THREAD_CLOSED, Suspension.CHANNEL_GONE, Suspension.REMOVED
TURN = 120_000
"""A turn of the clock "normal", in ms."""


def left(parts: Parts, match: LiveMatch) -> int:
    (timer,) = match.position.timers
    return timer.deadline - parts.now()


async def lose_and_resume(parts: Parts, match: LiveMatch, why: Suspension) -> None:
    await parts.lifecycle.suspend(match, why)
    assert await match.resume(CHANNEL, 0, {}) is not None


async def test_it_goes_on_with_what_was_left_and_a_grace_but_never_with_more_than_a_whole_turn(parts: Parts) -> None:
    match = await parts.opened(clock="normal")
    await parts.pass_time(100_000)
    await parts.lifecycle.suspend(match, THREAD)
    await parts.pass_time(3_600_000)
    assert await match.resume(ELSEWHERE, 0, {}) is not None
    assert left(parts, match) == 20_000 + 30_000
    assert await parts.store.timers(match.id) == list(match.position.timers)
    await match.suspend(GONE)
    assert await match.resume(ELSEWHERE, 0, {}) is not None
    assert left(parts, match) == 80_000
    for why in (Suspension.NO_ACCESS, Suspension.NO_SENDING, REMOVED):
        await lose_and_resume(parts, match, why)
    assert left(parts, match) == TURN


async def test_time_in_which_discord_was_out_of_reach_is_not_taken_from_what_is_left(parts: Parts) -> None:
    match = await parts.opened(clock="normal")
    await parts.pass_time(100_000)
    parts.clock.pause()
    await parts.pass_time(15_000)
    await parts.lifecycle.suspend(match, REMOVED)
    parts.clock.resume()
    assert await match.resume(CHANNEL, 0, {}) is not None
    assert left(parts, match) == 20_000 + 30_000


async def test_a_question_that_was_asked_meanwhile_has_its_whole_time(parts: Parts) -> None:
    match = await parts.opened(clock="normal")
    await parts.pass_time(100_000)
    await lose_and_resume(parts, match, THREAD)
    await match.act(on_turn(match), an_act(match))
    await lose_and_resume(parts, match, THREAD)
    await lose_and_resume(parts, match, THREAD)
    assert not match.over
    assert match.position.acts == 1


@pytest.mark.parametrize("length", [1, 30, 120, 900, 86_400, 604_800])
def test_the_grace_is_long_enough_to_notice_and_short_enough_not_to_be_worth_a_trick(length: int) -> None:
    assert 15 <= resume_grace(length) <= max(15, length // 4)
    assert resume_grace(length) <= 3600


async def test_the_third_loss_by_the_same_cause_ends_it_and_it_does_not_count(parts: Parts) -> None:
    match = await parts.opened()
    for _ in range(MOST_LOSSES):
        for why in (THREAD, GONE):
            await lose_and_resume(parts, match, why)
    assert not match.over
    parts.heard.take()
    await parts.lifecycle.suspend(match, GONE)
    assert match.result is not None
    assert (match.result.kind, match.result.counted) == ("lost_place", False)
    assert await parts.store.result(match.id) == match.result
    assert parts.heard.take() == [("changed", match)]
    assert list(parts.registry.live()) == []
    assert parts.clock.idle


async def test_what_was_lost_outlasts_a_restart(parts: Parts) -> None:
    match = await parts.opened(clock="normal")
    await parts.pass_time(100_000)
    for _ in range(MOST_LOSSES - 1):
        await lose_and_resume(parts, match, THREAD)
    await parts.lifecycle.suspend(match, THREAD)
    again, restored = await parts.restarted()
    assert restored.last_suspension
    assert await restored.resume(CHANNEL, 0, {}) is not None
    assert left(again, restored) == 50_000 + 30_000
    await again.lifecycle.suspend(restored, THREAD)
    assert restored.over
    await again.close()


async def test_a_loss_that_gets_another_cause_is_still_one(parts: Parts) -> None:
    match = await parts.opened(clock="normal")
    await parts.pass_time(100_000)
    await parts.lifecycle.suspend(match, THREAD)
    await parts.pass_time(10_000)
    await parts.lifecycle.suspend(match, REMOVED)
    assert there(await parts.store.match(match.id)).lost_places.causes == (REMOVED,)
    assert await match.resume(CHANNEL, 0, {}) is not None
    assert left(parts, match) == 50_000


# ---------------------------------------------------------------------------------------------- who can follow


async def test_for_those_about_whom_nothing_is_known_a_second_player_agrees_in_the_same_channel(parts: Parts) -> None:
    match = await parts.opened()
    await match.suspend(GONE)
    for channel in (ELSEWHERE, ELSEWHERE, CHANNEL):
        with pytest.raises(NotAllCanPlay) as refused:
            await match.resume(channel, 0, {1: Obstacle.UNKNOWN})
        assert (refused.value.key, refused.value.seat) == ("resume.unknown", 1)
    assert await match.resume(ELSEWHERE, 1, {0: Obstacle.UNKNOWN}) is not None


async def test_agreement_ends_with_the_suspension(parts: Parts) -> None:
    match = await parts.opened()
    await match.suspend(GONE)
    with pytest.raises(NotAllCanPlay):
        await match.resume(ELSEWHERE, 0, {1: Obstacle.UNKNOWN})
    assert await match.resume(CHANNEL, 0, {}) is not None
    await match.suspend(GONE)
    with pytest.raises(NotAllCanPlay):
        await match.resume(ELSEWHERE, 1, {0: Obstacle.UNKNOWN})


async def test_a_player_who_has_left_keeps_nobody_waiting(parts: Parts) -> None:
    match = await parts.opened()
    await match.suspend(GONE)
    assert await match.resume(ELSEWHERE, 0, {1: Obstacle.GONE}) is not None


@pytest.mark.parametrize("game", ["haymaker", "unbreakable", "champions", "ciq", "tivmiv"])
async def test_who_has_resigned_is_no_longer_in(parts: Parts, game: str) -> None:
    match = await parts.opened(game=game)
    assert [match.is_in(0), match.is_in(1)] == [True, True]
    await match.act(0, Resign())
    assert [match.is_in(0), match.is_in(1)] == [False, False]


async def test_nobody_is_stuck_in_it_who_resigns_and_no_clock_runs_until_the_others_resume(parts: Parts) -> None:
    two, three = await parts.opened(), await parts.opened(game="champions", more=(CAT,))
    for match in (two, three):
        await match.suspend(GONE)
        await match.act(0, Resign())
    assert (two.over, two.suspended) == (True, None)
    assert (three.over, three.suspended, three.position.timers) == (False, GONE, ())
    assert await parts.store.timers(three.id) == []
    assert await three.resume(ELSEWHERE, 1, {}) is not None
    assert three.position.timers


async def test_what_could_not_be_saved_goes_on_and_is_tried_again(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await parts.opened()
    with monkeypatch.context() as patched:
        patched.setattr(parts.store, "suspend_match", raising(NotSaved("the disk is full")))
        await parts.lifecycle.suspend(match, GONE)
    assert match.suspended is None
    assert match.position.timers
    await parts.lifecycle.suspend(match, GONE)
    assert match.suspended is GONE


@pytest.mark.parametrize("error", [NotSaved("the disk is full"), Damaged("the file can't be read just now")])
async def test_a_match_has_begun_also_if_the_one_that_gives_place_to_it_cannot_be_suspended(
    parts: Parts, monkeypatch: pytest.MonkeyPatch, error: StoreError
) -> None:
    former = await parts.opened(11, 12)
    limits = parts.lifecycle.limits
    one = limits.settings.model_copy(update={"max_matches_per_channel": 1})
    parts.lifecycle.limits = replace(limits, settings=one)
    monkeypatch.setattr(parts.store, "suspend_match", raising(error))
    match = await parts.opened()
    assert (former.suspended, match.over) == (None, False)
    assert parts.invitations.open() == ()


async def test_a_full_channel_takes_none_that_goes_on(parts: Parts) -> None:
    match = await parts.opened()
    await parts.lifecycle.suspend(match, THREAD)
    await parts.opened()
    limits = parts.lifecycle.limits
    one = limits.settings.model_copy(update={"max_matches_per_channel": 1})
    parts.lifecycle.limits = replace(limits, settings=one)
    with parts.presses.take_up(match.id, next(press_ids)) as press:
        with pytest.raises(Refused, match=r"limit\.share"):
            await parts.lifecycle.resume(match, CHANNEL, 0, press)
        assert match.suspended is THREAD
        assert await parts.lifecycle.resume(match, ELSEWHERE, 0, press)


async def test_two_that_go_on_at_once_in_a_full_channel_each_have_another_one_give_place(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    former, latter = [[await parts.opened(host, host + 1) for host in hosts] for hosts in ((11, 13), (15, 17))]
    for match in latter:
        await parts.lifecycle.suspend(match, THREAD)
    limits, gave = parts.lifecycle.limits, list[LiveMatch]()
    two = limits.settings.model_copy(update={"max_matches_per_channel": 2})
    parts.lifecycle.limits = replace(limits, settings=two)
    monkeypatch.setattr(parts.heard, "match_gave_place", gave.append)

    async def resumed(match: LiveMatch) -> None:
        with parts.presses.take_up(match.id, next(press_ids)) as press:
            assert await parts.lifecycle.resume(match, CHANNEL, 0, press)

    await asyncio.gather(*map(resumed, latter))
    assert [match.suspended for match in (*former, *latter)] == [Suspension.GAVE_PLACE] * 2 + [None] * 2
    assert gave == former


class Silent:
    """An `Access` that never answers about one person, and fails about everybody else."""

    async def obstacle(self, _guild_id: int, _channel_id: int, user_id: int) -> Obstacle | None:
        if user_id == BOB:
            await asyncio.sleep(100 * ASK_SECONDS)
        raise ConnectionError


async def test_what_discord_does_not_say_is_unknown() -> None:
    found = await obstacles(Silent(), 1, 2, (BOB, BOB + 1))
    assert found == {BOB: Obstacle.UNKNOWN, BOB + 1: Obstacle.UNKNOWN}
