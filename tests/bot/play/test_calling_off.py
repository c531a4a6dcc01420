"""Calling a match off (C-6): by all together, or alone by a player whom the match does not keep waiting."""

# ruff: noqa: N802  a test's name bears the number of its ruling

from __future__ import annotations

import pytest

from bot.play.clocks.deadlines import UNSEEN
from bot.play.live_match import LiveMatch
from tests.bot.play.parts import Parts, on_turn, press_ids

TURN = 30_000
READY_TIME = 60
"""Seconds after which a race begins though nobody is ready."""


async def call_off(match: LiveMatch, seat: int) -> bool:
    return await match.call_off(seat, next(press_ids))


async def test_C_6_the_other_player_may_once_half_of_the_first_time_has_passed(parts: Parts) -> None:
    match = await parts.opened()
    waiting = 1 - on_turn(match)
    await parts.pass_time(TURN // 2 - 1)
    assert not await call_off(match, waiting)
    await parts.pass_time(1)
    assert await call_off(match, waiting)


async def test_C_6_the_player_to_move_never_may_alone(parts: Parts) -> None:
    match = await parts.opened()
    await parts.pass_time(TURN)
    assert not await call_off(match, on_turn(match))
    assert await call_off(match, 1 - on_turn(match))


@pytest.mark.parametrize(
    ("game", "seconds", "awaited"),
    [
        pytest.param("unbreakable", 20 * 3600, 2, id="choosing"),
        pytest.param("tivmiv", READY_TIME - 1, 2, id="before the first phase"),
        pytest.param("tivmiv", READY_TIME + 30, 0, id="in the race"),
    ],
)
async def test_C_6_where_all_are_awaited_or_nobody_is_it_takes_all(
    parts: Parts, game: str, seconds: int, awaited: int
) -> None:
    match = await parts.opened(game=game, clock="daily")
    await parts.pass_time(seconds * 1000)
    assert len(match.awaited) == awaited
    for _ in range(2):
        assert not await call_off(match, 0)
    assert await call_off(match, 1)


async def test_C_6_the_first_time_begins_when_the_question_is_shown(parts: Parts) -> None:
    invitation = await parts.invited()
    match = await parts.accepted(invitation.id, 2)
    waiting = 1 - on_turn(match)
    await parts.pass_time(TURN // 2)
    assert not await call_off(match, waiting)
    parts.clock.mark_shown(match, match.window_number)
    assert TURN // 2 < UNSEEN
    await parts.pass_time(TURN // 2 - 1)
    assert not await call_off(match, waiting)
    await parts.pass_time(1)
    assert await call_off(match, waiting)
