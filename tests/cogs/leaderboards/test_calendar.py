"""Leaderboards are brought up to date when a day has begun, before anybody looks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial

import pytest

from bot.play.days import Days
from bot.play.seasons import SeasonFirsts, season_of
from bot.play.server_settings import KnownServerSettings
from bot.scheduler import DAY, day_of
from bot.shard_range import ShardRange
from bot.store import match_weights
from bot.store.errors import NotSaved
from bot.store.queries import begun_deletions
from bot.store.queries.begun_deletions import Deletion
from bot.store.queries.leaderboards import ALL_GAMES, Leaderboard, LeaderboardDates, Span
from cogs.leaderboards.calendar import FIRST_AFTER, LOOKS_EVERY, SAVING, LeaderboardCalendar
from cogs.leaderboards.queries import LeaderboardQueries, PageRequest
from tests.bot.store.contract_boards import ended
from tests.bot.store.memory_store import MemoryStore
from tests.bot.store.rows import ANN, BOB, CAT, GAME, GUILD
from tests.end_to_end.cardroom import eventually
from tests.movable_scheduler import MovableScheduler

SERVERS = (GUILD, GUILD + (1 << 22), GUILD + (2 << 22))
"""Of different shards."""


class House:
    """Some servers with matches, and the calendar of the process that serves them."""

    def __init__(self) -> None:
        self.scheduler = MovableScheduler()
        self.store = MemoryStore(now=self.scheduler.now)
        self.queries = LeaderboardQueries(self.store)
        days = Days(None, None, None, self.scheduler)  # type: ignore[arg-type]  # it only tells the day
        settings = KnownServerSettings(self.store, self.scheduler.now)
        self.calendar = LeaderboardCalendar(self.queries, SeasonFirsts(self.store), settings, days, self.scheduler)

    @property
    def today(self) -> int:
        return day_of(self.scheduler.now())

    async def play(self, name: str) -> None:
        """Three people play in every server, today."""
        for server in SERVERS:
            for number in range(10):
                seats = (ANN, (BOB, CAT)[number % 2])
                await ended(self.store, f"{name}.{server}.{number}", seats, (1, 2), day=self.today, guild=server)

    async def begin(self) -> None:
        """Begin as after a start, and look for the first time."""
        await self.calendar.resume()
        await asyncio.sleep(0)  # it begins
        self.scheduler.advance(FIRST_AFTER)

    def to_the_next_season(self) -> None:
        """Let the time pass until a season has begun, and all matches of the last one are saved."""
        self.scheduler.advance(self.to_season_end() + SAVING + 1)

    def to_season_end(self) -> float:
        """How many seconds are left of the season."""
        length = self.calendar.server_settings.of(GUILD).season
        return (season_of(self.today, length).stop * DAY - self.scheduler.now()) / 1000

    async def are_current(self) -> list[bool]:
        return [await self.queries.is_current(server, self.calendar.dates(server)) for server in SERVERS]

    async def until(self, reached: Callable[[list[bool]], bool]) -> None:
        """Wait until so many servers are up to date."""

        async def is_reached() -> bool:
            self.scheduler.advance(0.02)
            return reached(await self.are_current())

        await eventually(is_reached)


@pytest.fixture
async def house(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    monkeypatch.setattr(match_weights, "YOUNG", 0)  # few are enough for a game to count over all games
    found = House()
    yield found
    await found.calendar.close()
    await found.store.close()


async def eventually_first(house: House, server: int) -> int:
    """Who was first of the season that was judged."""
    found: list[int] = []

    async def is_judged() -> bool:
        found.extend([user for user in (ANN, BOB, CAT) if await house.store.season_firsts(server, user)])
        return bool(found)

    await eventually(is_judged)
    (first,) = found
    return first


async def test_when_a_season_has_ended_the_first_reader_of_any_server_sees_the_new_one(house: House) -> None:
    await house.play("old")
    await house.begin()
    await house.until(all)
    house.to_the_next_season()
    assert await house.are_current() == [False] * 3
    await house.until(all)
    for server in SERVERS:
        for game in (GAME, ALL_GAMES):
            page = await house.queries.page(Leaderboard(server, game, Span.SEASON), ANN, PageRequest(), 9)
            assert (page.entries, page.own) == ((), None)
            assert (await house.queries.page(Leaderboard(server, game, Span.ALL_TIME), ANN, PageRequest(), 9)).own
        await eventually(partial(house.store.season_firsts, server, ANN))  # and who was first gets an award


async def test_a_match_that_ended_with_its_season_counts_though_it_is_saved_a_moment_later(house: House) -> None:
    house.to_the_next_season()
    await house.calendar.resume()
    await asyncio.sleep(0)  # it begins
    house.scheduler.advance(house.to_season_end() - 60)
    await house.play("old")
    last = house.today
    await asyncio.sleep(0.1)  # it has looked, and waits for midnight
    house.scheduler.advance(61)
    await asyncio.sleep(0.1)
    for number in range(20):
        await ended(house.store, f"late.{number}", (BOB, (ANN, CAT)[number % 2]), (1, 2), day=last, guild=GUILD)
    house.scheduler.advance(SAVING)
    await house.until(all)
    assert await eventually_first(house, GUILD) == BOB
    assert await eventually_first(house, SERVERS[1]) == ANN


async def test_what_happened_while_the_bot_was_down_is_moved_after_a_start(house: House) -> None:
    await house.play("old")
    house.to_the_next_season()
    await house.calendar.resume()
    await asyncio.sleep(0)  # it begins
    assert await house.are_current() == [False] * 3  # a start has more to do at first
    house.scheduler.advance(FIRST_AFTER)
    await house.until(all)


async def test_a_server_that_cannot_be_saved_keeps_no_other_waiting_and_is_tried_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.play("old")
    house.to_the_next_season()
    bring, failing = LeaderboardCalendar.bring_up_to_date, [NotSaved("the disk is full"), RuntimeError("a mistake")]

    async def bring_some(calendar: LeaderboardCalendar, guild_id: int) -> None:
        if guild_id in SERVERS[:2] and failing:
            raise failing.pop(0)
        await bring(calendar, guild_id)

    monkeypatch.setattr(LeaderboardCalendar, "bring_up_to_date", bring_some)
    await house.begin()
    await house.until(lambda current: current == [False, False, True])
    await asyncio.sleep(0.1)  # it waits again
    house.scheduler.advance(LOOKS_EVERY)
    await house.until(all)


async def test_each_process_looks_after_its_own_servers(house: House) -> None:
    await house.play("old")
    house.to_the_next_season()
    house.store.serves = _of(SERVERS[1])
    await house.begin()
    await house.until(lambda current: current[1])
    house.scheduler.advance(LOOKS_EVERY)
    await asyncio.sleep(0.1)
    assert await house.are_current() == [False, True, False]


def _of(server: int) -> ShardRange:
    """The shards of a process that serves one of three."""
    shard = (server >> 22) % 3
    return ShardRange(shard, shard, 3)


async def test_a_count_that_a_stop_has_interrupted_is_finished_after_the_next_start(house: House) -> None:
    await house.play("old")
    assert await house.queries.reset(GUILD)
    house.calendar.count_again(GUILD)
    await asyncio.sleep(0)  # it begins
    await house.calendar.close()
    assert await house.queries.is_counting(GUILD)
    await ended(house.store, "since", (BOB, ANN), (1, 2), day=house.today)
    await house.begin()

    async def is_counted() -> bool:
        house.scheduler.advance(0.02)
        return not await house.queries.is_counting(GUILD)

    await eventually(is_counted)
    found = await house.store.standing(GUILD, GAME, ANN)
    assert found is not None
    assert (found.wins, found.losses) == (0, 1)


async def test_a_count_that_cannot_be_saved_is_tried_again_in_some_minutes(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.play("old")
    await house.begin()
    await house.until(all)
    assert await house.queries.reset(GUILD)
    count_some = house.queries.count_some
    refused: list[int] = []

    async def refuse_once(guild_id: int) -> bool:
        if not refused:
            refused.append(guild_id)
            raise NotSaved("the disk is full")
        return await count_some(guild_id)

    monkeypatch.setattr(house.queries, "count_some", refuse_once)
    house.calendar.count_again(GUILD)

    async def is_counted() -> bool:
        house.scheduler.advance(LOOKS_EVERY / 10 if refused else 0)
        return not await house.queries.is_counting(GUILD)

    await eventually(is_counted)
    assert refused == [GUILD]


async def test_a_deletion_that_never_ends_keeps_no_other_server_from_being_brought_up_to_date(house: House) -> None:
    await house.play("old")
    deletion = Deletion(GUILD, 77, -77)
    await house.store.database.write(lambda db: begun_deletions.begin(db, deletion))
    assert await house.queries.reset(GUILD)
    house.to_the_next_season()
    await house.begin()
    await house.until(lambda current: all(current[1:]))
    assert await house.queries.is_counting(GUILD)


async def test_a_season_that_begins_while_a_server_is_brought_up_to_date_begins_there_too(house: House) -> None:
    await house.play("old")
    house.to_the_next_season()
    await house.play("new")
    rolled, roll = asyncio.Event(), house.queries.roll

    async def counted(guild_id: int, dates: LeaderboardDates) -> bool:
        done = await roll(guild_id, dates)
        rolled.set()
        return done

    house.queries.roll = counted  # type: ignore[method-assign]
    bringing = asyncio.create_task(house.calendar.bring_up_to_date(GUILD))
    await asyncio.wait_for(rolled.wait(), 10)
    house.to_the_next_season()

    async def is_brought() -> bool:
        house.scheduler.advance(0.02)
        return bringing.done()

    await eventually(is_brought)
    assert await house.queries.is_current(GUILD, house.calendar.dates(GUILD))
