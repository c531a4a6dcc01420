"""Who is away is brought to their matches, also after a kill between the two writes (C-14)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator

import pytest

from bot.play.clocks.stops import ClockStops
from bot.play.live_match import LiveMatch
from bot.scheduler import DAY
from bot.store.errors import NotSaved
from cogs.away.keeper import EVERY, AwayKeeper
from cogs.away.queries import Absences
from discord_sandbox.virtual_time import settle
from laws.play import random_act
from tests.bot.play.parts import ANN, BOB, Parts
from tests.bot.store.memory_store import MemoryStore


def kept(parts: Parts) -> AwayKeeper:
    keeper = AwayKeeper(
        Absences(parts.store), parts.registry, ClockStops(parts.registry, parts.clock, parts.observers), parts.scheduler
    )
    parts.observers.add(keeper)
    return keeper


@pytest.fixture
async def keeper(parts: Parts) -> AsyncIterator[AwayKeeper]:
    made = kept(parts)
    yield made
    await made.close()


def left(parts: Parts, match: LiveMatch) -> int:
    return match.position.timers[0].deadline - parts.now()


def asked(match: LiveMatch) -> int:
    (seat,) = match.awaited
    return match.seats[seat]


async def acts(parts: Parts, match: LiveMatch) -> None:
    """Who is asked makes a move."""
    seat = min(match.awaited)
    await match.act(seat, random_act(match.choices(seat), random.Random(1)), window=match.window_number)
    parts.observers.match_changed(match)


async def test_all_slow_matches_know_at_once_and_no_other(parts: Parts, keeper: AwayKeeper) -> None:
    slow = [await parts.opened(clock="daily"), await parts.opened(ANN, 77, "relaxed")]
    fast = await parts.opened(ANN, 78)
    before = fast.position.timers
    until = await keeper.leave(ANN, 2)
    assert until == parts.now() + 2 * DAY
    assert [match.away.get(match.seat_of(ANN) or 0) for match in slow] == [until, until]
    assert (fast.away, fast.position.timers) == ({}, before)
    await parts.pass_time(DAY // 2)
    for _ in range(2):
        await keeper.come_back(ANN)
        assert [match.away for match in slow] == [{}, {}]


async def test_a_match_that_begins_meanwhile_knows_soon(parts: Parts, keeper: AwayKeeper) -> None:
    await keeper.leave(ANN, 1)
    await keeper.leave(BOB, 1)
    await keeper.resume()
    match = await parts.opened(clock="daily")
    await parts.pass_time(round(1000 * EVERY))
    assert len(match.away) == 2
    assert left(parts, match) > DAY + DAY // 2


async def test_who_plays_is_back_everywhere(parts: Parts, keeper: AwayKeeper) -> None:
    match, other = await parts.opened(clock="daily"), await parts.opened(clock="daily")
    user = asked(match)
    await keeper.leave(user, 3)
    await parts.pass_time(1000)
    await acts(parts, match)
    await settle()
    assert (match.away, other.away) == ({}, {})
    assert await Absences(parts.store).current(parts.now()) == []


async def test_who_plays_during_a_look_is_back(
    parts: Parts, keeper: AwayKeeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await parts.opened(clock="daily")
    await keeper.leave(asked(match), 3)
    current = keeper.absences.current

    async def read(now: int) -> list[tuple[int, int]]:
        await acts(parts, match)
        return await current(now)

    monkeypatch.setattr(keeper.absences, "current", read)
    await keeper.look()
    await settle()
    assert match.away == {}


async def test_who_leaves_during_a_look_stays_away(
    parts: Parts, keeper: AwayKeeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await parts.opened(clock="daily")
    user, current = asked(match), keeper.absences.current
    leaving: list[asyncio.Task[int | None]] = []

    async def read(now: int) -> list[tuple[int, int]]:
        found = await current(now)
        leaving.append(asyncio.get_running_loop().create_task(keeper.leave(user, 1)))
        await settle()
        return found

    monkeypatch.setattr(keeper.absences, "current", read)
    await keeper.look()
    until = await leaving[0]
    assert [*match.away.values()] == [until]


async def test_an_act_of_somebody_else_brings_nobody_back(parts: Parts, keeper: AwayKeeper) -> None:
    match = await parts.opened(clock="daily")
    user = match.seats[1 - min(match.awaited)]
    await keeper.leave(user, 3)
    await acts(parts, match)
    await settle()
    assert [*match.away.values()] == [until for _, until in await Absences(parts.store).current(parts.now())]


@pytest.mark.parametrize("back", [False, True])
async def test_a_kill_between_the_persons_row_and_the_match_loses_nothing(parts: Parts, back: bool) -> None:
    """Going away or coming back was saved for the person, and the process ended before any match knew."""
    match = await parts.opened(clock="daily")
    user, turn = asked(match), left(parts, match)
    absences, store = Absences(parts.store), parts.store
    assert isinstance(store, MemoryStore)
    await store.record_heartbeat(parts.now())
    if back:
        await kept(parts).leave(user, 2)
        await absences.end(user, parts.now())
    else:
        await absences.begin(user, parts.now(), 2)
    again = Parts(store, parts.scheduler)
    await again.restore_all()
    keeper = kept(again)
    await keeper.look()
    (restored,) = again.registry.live()
    assert left(parts, restored) == turn + (0 if back else 2 * DAY)
    assert await store.timers(match.id) == [*restored.position.timers]
    await keeper.look()
    assert left(parts, restored) == turn + (0 if back else 2 * DAY), "a second look changes nothing"
    await again.close()


async def test_a_match_that_cannot_be_saved_runs_as_before_and_is_tried_again(parts: Parts, keeper: AwayKeeper) -> None:
    match, store = await parts.opened(clock="daily"), parts.store
    before = match.position.timers
    await Absences(store).begin(asked(match), parts.now(), 1)
    assert isinstance(store, MemoryStore)
    store.fail_next_write(NotSaved("the disk failed"))
    await keeper.look()
    assert (match.position.timers, match.away) == (before, {})
    await keeper.look()
    assert left(parts, match) == 2 * DAY


async def test_the_board_is_told_when_an_absence_or_a_pause_is_over(parts: Parts, keeper: AwayKeeper) -> None:
    match = await parts.opened(clock="daily")
    await keeper.leave(asked(match), 1)
    await match.agree_to_rest(0)
    await match.agree_to_rest(1)
    await keeper.look()
    for days in (1, 2):
        parts.heard.take()
        await parts.pass_time(days * DAY)
        await keeper.look()
        assert [name for name, _ in parts.heard.take()] == ["changed"]
    assert left(parts, match) == DAY
    row = await parts.store.match(match.id)
    assert row is not None
    assert (row.away_until, row.rests_until) == ((), None)
