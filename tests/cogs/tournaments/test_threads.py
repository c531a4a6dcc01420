"""Where the matches of a round are played: threads that begin together, and what happens if they can't."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.store.errors import Busy
from cogs.tournaments.threads import NO_THREADS_HERE, MatchThreads
from cogs.updates.channel_messages import NotTaken
from tests.cogs.tournaments.made import tournament

CUP = replace(tournament(), round=1)
SEATS = [(number, 100 + number) for number in range(1, 9)]


class Threads:
    """Threads that take a while to begin, with the id of who sits first; or are refused."""

    def __init__(self, refused: int | None = None) -> None:
        self.refused, self.asked, self.at_once, self.most = refused, 0, 0, 0
        self.fails: set[tuple[int, int]] = set()

    def wanted(self, _guild_id: int) -> bool:
        return True

    async def begin_alone(self, *_: object) -> int:
        seats = cast("Sequence[int]", _[-1])
        self.asked, self.at_once = self.asked + 1, self.at_once + 1
        self.most = max(self.most, self.at_once)
        if seats in self.fails:
            raise Busy("no names")
        await asyncio.sleep(0.2)
        self.at_once -= 1
        if self.refused is not None:
            raise NotTaken("Forbidden", self.refused, status=403, answered=True)
        return seats[0]


async def test_threads_of_a_round_begin_at_the_same_time_after_the_first() -> None:
    begun = Threads()
    threads = MatchThreads(cast("Any", begun))
    started = asyncio.get_running_loop().time()
    await threads.prepare(CUP, SEATS)
    assert [await threads.venue(CUP, each) for each in SEATS] == [first for first, _ in SEATS]
    assert (begun.asked, begun.most) == (len(SEATS), len(SEATS) - 1)
    assert asyncio.get_running_loop().time() - started < 0.2 * 3
    assert await threads.venue(CUP, SEATS[0]) == SEATS[0][0]
    assert begun.asked == len(SEATS)
    threads.opened(CUP, cast("Any", SimpleNamespace(seats=SEATS[0], channel_id=CUP.channel_id)))
    assert await threads.venue(CUP, SEATS[0]) == SEATS[0][0]  # a later match of theirs has another one
    assert begun.asked == len(SEATS) + 1


@pytest.mark.parametrize(("code", "asked"), [(50013, 1), (NO_THREADS_HERE, len(SEATS))])
async def test_what_fails_is_not_tried_again_in_the_round(code: int, asked: int) -> None:
    begun = Threads(refused=code)
    threads = MatchThreads(cast("Any", begun))
    await threads.prepare(CUP, SEATS)
    assert {await threads.venue(CUP, each) for each in SEATS} == {CUP.channel_id}
    assert begun.asked == asked
    assert threads.lacks(CUP) is (code == 50013)
    threads.forget(CUP)
    assert not threads.lacks(replace(CUP, round=2))
    begun.refused = None
    assert await threads.venue(replace(CUP, round=2), SEATS[0]) == SEATS[0][0]


async def test_what_was_prepared_in_a_channel_counts_there_alone() -> None:
    begun = Threads(refused=50013)
    threads = MatchThreads(cast("Any", begun))
    await threads.prepare(CUP, SEATS)
    assert await threads.venue(replace(CUP, channel_id=9), SEATS[0]) == 9


async def test_threads_that_were_begun_with_one_that_failed_are_not_begun_again() -> None:
    begun = Threads()
    threads = MatchThreads(cast("Any", begun))
    begun.fails = {SEATS[3]}
    with pytest.raises(Busy):
        await threads.prepare(CUP, SEATS)
    begun.fails = set()
    await threads.prepare(CUP, SEATS)
    assert begun.asked == len(SEATS) + 1
    assert [await threads.venue(CUP, each) for each in SEATS] == [first for first, _ in SEATS]
