"""What takes the one worker for it seconds is worked out once, and one thing at a time for each person."""

from __future__ import annotations

import asyncio

import pytest

from bot.computers.reviewer import NotReviewed
from bot.play.refusals import Refused
from cogs.reviews.shared_work import SharedWork
from discord_sandbox.virtual_time import settle

ANN, BOB = 1, 2


class Work:
    """Works things out once it may."""

    def __init__(self) -> None:
        self.may, self.begun = asyncio.Event(), 0

    async def __call__(self) -> int:
        self.begun += 1
        number = self.begun
        await self.may.wait()
        return number


async def test_the_same_is_worked_out_once_for_all_who_wait() -> None:
    shared, work = SharedWork(), Work()
    waiting = [asyncio.create_task(shared.done(user, "match", work)) for user in (ANN, ANN, BOB)]
    await settle()
    waiting.pop(0).cancel()  # the bot gives one answer up
    work.may.set()
    assert await asyncio.gather(*waiting) == [1, 1]
    assert await shared.done(ANN, "match", work) == 2


async def test_somebody_waits_for_one_thing_and_keeps_no_others_waiting() -> None:
    shared, work = SharedWork(), Work()
    waiting = asyncio.create_task(shared.done(ANN, "one", work))
    await settle()
    with pytest.raises(Refused) as refused:
        await shared.done(ANN, "another", work)
    assert (refused.value.key, work.begun) == ("review.later", 1)
    other = asyncio.create_task(shared.done(BOB, "another", work))
    work.may.set()
    assert [await waiting, await other] == [1, 2]
    assert await shared.done(ANN, "another", work) == 3


async def test_who_waited_for_what_failed_may_ask_again() -> None:
    shared, work = SharedWork(), Work()
    work.may.set()

    async def failing() -> int:
        raise NotReviewed

    with pytest.raises(NotReviewed):
        await shared.done(ANN, "match", failing)
    assert await shared.done(ANN, "match", work) == 1
