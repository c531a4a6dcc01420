"""Matches that begin without a press: once or not at all, with a room of their own, and unrated if that was agreed."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from bot.budgets import MOST_RESERVED
from bot.play.clocks.deadlines import GRACE
from bot.play.live_match import LiveMatch
from bot.play.match_lifecycle import row_of
from bot.play.refusals import Refused
from bot.store.errors import Conflict
from bot.store.queries.matches import Suspension
from engines.game import Resign
from tests.bot.play.parts import ANN, BOB, CAT, CHANNEL, ELSEWHERE, GUILD, Parts, an_act, on_turn, press_ids
from tests.known import there
from tests.shared_deals import asked, begin, save, sealed

HERE = GUILD, CHANNEL


async def begun(parts: Parts, *seats: int, **terms: Any) -> LiveMatch:
    (match,) = await begin(parts.store, parts.lifecycle, [seats or (ANN, BOB)], HERE, **terms)
    return match


async def ended(parts: Parts, match: LiveMatch) -> None:
    """Play until it is long enough to count, and then have who is on turn resign, if it isn't over by then."""
    while not match.over:
        long_enough = match.position.acts >= match.game.info.shortest_counted
        await match.act(on_turn(match), Resign() if long_enough else an_act(match))
    parts.clock.settle(match)


async def test_it_is_in_play_with_a_clock_and_the_observers_are_told(parts: Parts) -> None:
    match = await begun(parts)
    assert parts.heard.take() == [("changed", match)]
    assert parts.registry.playing(match.id) is match
    assert (match.channel_id, match.board_id, match.has_board) == (CHANNEL, None, True)
    assert match.position.timers == tuple(await parts.store.timers(match.id))
    assert len(match.position.timers) == 1
    row = there(await parts.store.match(match.id))
    assert (row.shared, row.rated, row.reserved) == (True, True, True)


async def test_its_first_question_has_its_whole_time_from_the_board_on(parts: Parts) -> None:
    match = await begun(parts)
    (timer,) = match.position.timers
    await parts.pass_time(20_000)
    parts.clock.mark_shown(match, match.window_number)
    assert match.deadline_with_grace(timer) == timer.deadline + 20_000 + GRACE


@pytest.mark.newcomers
async def test_it_is_one_of_its_newcomers_first_matches(parts: Parts) -> None:
    match = await begun(parts)
    assert match.newcomers == (0, 1)
    for _ in range(3):
        await begun(parts, ANN, CAT)
    assert (await begun(parts, ANN, BOB)).newcomers == (1,)


async def test_it_begins_once(parts: Parts) -> None:
    invitation = asked(sealed(), (ANN, BOB), HERE, parts.now())
    row, saving = row_of(invitation, parts.now()), partial(save, parts.store)
    await parts.lifecycle.open_now(invitation, row, saving)
    parts.heard.take()
    with pytest.raises(Conflict):
        await parts.lifecycle.open_now(invitation, row, saving)
    assert parts.heard.take() == []
    assert len(parts.registry) == 1


async def test_an_altered_deal_is_not_dealt(parts: Parts) -> None:
    invitation = replace(asked(sealed(), (ANN, BOB), HERE, parts.now()), seed=bytes(32))
    with pytest.raises(Refused, match=r"challenge\.deal_altered"):
        await parts.lifecycle.open_now(invitation, row_of(invitation, parts.now()), partial(save, parts.store))
    assert await parts.store.match(invitation.id) is None


async def test_all_of_a_deal_are_dealt_alike_whoever_sits_there(parts: Parts) -> None:
    pairs = [(ANN, BOB), (CAT, 4), (6, 5)]
    matches = await begin(parts.store, parts.lifecycle, pairs, HERE)
    dealt = {(await parts.store.records(match.id))[0].events for match in matches}
    assert len(dealt) == 1
    assert len({match.commitment for match in matches}) == 1


async def test_as_many_begin_in_a_server_as_there_is_room_for(parts: Parts) -> None:
    pairs = [(10 + number, 100 + number) for number in range(MOST_RESERVED)]
    matches = await begin(parts.store, parts.lifecycle, pairs, HERE)
    with pytest.raises(Refused, match=r"limit\.reserved"):
        await begun(parts)
    assert await begin(parts.store, parts.lifecycle, [(ANN, BOB)], (GUILD + 1, CHANNEL))
    await ended(parts, matches[0])
    await begun(parts)


async def test_no_more_begin_if_they_begin_at_the_same_moment(parts: Parts) -> None:
    pairs = [(10 + number, 100 + number) for number in range(MOST_RESERVED + 1)]
    found = await asyncio.gather(*(begun(parts, *pair) for pair in pairs), return_exceptions=True)
    assert [type(each) for each in found if not isinstance(each, LiveMatch)] == [Refused]


async def test_it_takes_no_room_from_others_and_needs_none_to_be_resumed(parts: Parts) -> None:
    limits = replace(
        parts.lifecycle.limits,
        settings=parts.lifecycle.limits.settings.model_copy(
            update={"max_matches_per_channel": 1, "max_matches_per_server": 1, "max_matches_per_player": 1}
        ),
    )
    parts.lifecycle.limits = parts.seating.limits = parts.inviting.limits = limits
    first = await parts.opened(CAT, 4)
    match = await begun(parts)
    assert first.suspended is None
    second = await parts.opened(ANN, BOB)
    assert match.suspended is None
    assert {first.suspended, second.suspended} == {None, Suspension.GAVE_PLACE}
    await parts.lifecycle.suspend(match, Suspension.CHANNEL_GONE)
    with parts.presses.take_up(match.id, next(press_ids)) as press:
        assert await parts.lifecycle.resume(match, ELSEWHERE, 0, press)
    assert second.suspended is None


@pytest.mark.parametrize(("rated", "shared"), [(True, False), (True, True), (False, False)])
async def test_it_is_held_against_who_leaves_and_moves_ratings_if_that_was_agreed_and_nobody_else_has_its_deal(
    parts: Parts, rated: bool, shared: bool
) -> None:
    long_enough = sealed(source=random.Random(1))
    match = await begun(parts, deal=long_enough, rated=rated, shared=shared)
    await ended(parts, match)
    assert match.result is not None
    assert bool(match.result.attendances) is rated
    assert match.result.counted is (rated and not shared)
    assert (await parts.store.standing(GUILD, "haymaker", ANN) is not None) is match.result.counted


async def test_it_is_restored_as_it_was_begun(parts: Parts) -> None:
    match = await begun(parts, rated=False)
    await match.act(on_turn(match), an_act(match))
    later = Parts(parts.store, parts.scheduler, seed=2)
    await later.restore_all()
    restored = there(later.registry.playing(match.id))
    assert (restored.shared, restored.rated, restored.reserved) == (True, False, True)
    assert restored.position.state == match.position.state
