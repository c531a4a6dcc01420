"""A live match changes by its own methods, one after the other."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from bot.play.match_state import Offer
from bot.play.own_acts import SeenQuestion
from bot.play.refusals import AlreadyMade, StaleQuestion
from bot.store.errors import NotSaved, StoreError
from tests.bot.play.parts import CHANNEL, ELSEWHERE, MESSAGE, Parts, an_act, on_turn
from tests.failing_rules import raising
from tests.known import there


class SlowInk:
    """A store's `append` that waits until a test lets it write."""

    def __init__(self, parts: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
        self.writing, self.go = asyncio.Event(), asyncio.Event()
        self._append: Any = parts.store.append
        monkeypatch.setattr(parts.store, "append", self._slowly)

    async def _slowly(self, *row: object) -> None:
        self.writing.set()
        await self.go.wait()
        await self._append(*row)


async def test_a_board_that_was_posted_waits_for_a_move_that_is_being_written(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await parts.opened()
    ink = SlowInk(parts, monkeypatch)
    moving = asyncio.create_task(match.act(on_turn(match), an_act(match)))
    await ink.writing.wait()
    placing = asyncio.create_task(match.place_board(CHANNEL, MESSAGE + 1))
    await asyncio.sleep(0.01)
    assert match.board_id == MESSAGE
    ink.go.set()
    await moving
    assert await placing
    assert (match.board_id, match.board_at, match.position.acts) == (MESSAGE + 1, parts.now(), 1)
    assert there(await parts.store.match(match.id)).board_id == MESSAGE + 1


async def test_a_board_in_a_channel_that_the_match_has_left_is_not_its_board(parts: Parts) -> None:
    match = await parts.opened()
    assert not await match.place_board(ELSEWHERE, MESSAGE + 1)
    assert (match.channel_id, match.board_id) == (CHANNEL, MESSAGE)


async def test_a_board_is_where_it_is_though_that_cannot_be_saved(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await parts.opened()

    monkeypatch.setattr(parts.store, "set_board", raising(NotSaved("the disk is full")))
    with pytest.raises(StoreError):
        await match.place_board(CHANNEL, MESSAGE + 1)
    assert match.board_id == MESSAGE + 1


async def test_deadlines_are_put_off_and_never_brought_forward(parts: Parts) -> None:
    match = await parts.opened()
    (before,) = match.position.timers
    await match.postpone(lambda timer: timer.deadline - 1)
    assert match.position.timers == (before,)
    await match.postpone(lambda timer: timer.deadline + 7)
    assert match.position.timers == (replace(before, deadline=before.deadline + 7),)


async def test_of_two_answers_to_a_question_the_second_finds_it_answered(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await parts.opened()
    ink = SlowInk(parts, monkeypatch)
    seat, window, act = on_turn(match), match.window_number, an_act(match)
    asked: list[int] = []

    async def answered(press: int) -> None:
        async def meant(_: Offer | None) -> object:
            asked.append(press)
            return act

        await match.answer(seat, "whatever", SeenQuestion(window), meant, press)

    first, second = asyncio.create_task(answered(1)), asyncio.create_task(answered(2))
    await ink.writing.wait()
    ink.go.set()
    await first
    with pytest.raises(AlreadyMade) as told:  # nobody knows yet whether the player has seen an answer to the first
        await second
    assert [made.action for made in told.value.made] == [act]
    match.own_acts.confirm(seat, [1])
    with pytest.raises(StaleQuestion):
        await answered(3)
    with pytest.raises(AlreadyMade) as again:  # the first one, come once more
        await answered(1)
    assert again.value.made == ()
    assert asked == [1]
    assert match.position.acts == 1


async def test_a_move_is_made_whole_though_its_caller_goes_away(parts: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    match = await parts.opened()
    ink = SlowInk(parts, monkeypatch)
    moving = asyncio.create_task(match.act(on_turn(match), an_act(match)))
    await ink.writing.wait()
    moving.cancel()
    ink.go.set()
    await asyncio.wait({moving})
    await match.postpone(lambda timer: timer.deadline)  # waits for its turn in the queue
    assert match.position.acts == 1
    assert [record.seq for record in await parts.store.records(match.id)] == [0, 1]
