"""When a season begins and ends, by UTC, and who was first of it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from bot.play import seasons
from bot.play.seasons import SeasonFirsts, SeasonLength, season_of
from bot.scheduler import day_of
from bot.store import match_weights
from bot.store.queries.seasons import SeasonFirst
from cogs.leaderboards.queries import LeaderboardQueries
from tests.bot.store.contract_boards import ended
from tests.bot.store.memory_store import MemoryStore
from tests.bot.store.rows import ANN, BOB, CAT, GAME, GUILD


def day(year: int, month: int, number: int) -> int:
    return day_of(int(datetime(year, month, number, tzinfo=UTC).timestamp()) * 1000)


@pytest.mark.parametrize(
    ("today", "length", "begins", "ends"),
    [
        ((2026, 11, 22), SeasonLength.MONTH, (2026, 11, 1), (2026, 12, 1)),
        ((2026, 12, 31), SeasonLength.MONTH, (2026, 12, 1), (2027, 1, 1)),
        ((2028, 2, 29), SeasonLength.MONTH, (2028, 2, 1), (2028, 3, 1)),
        ((2026, 11, 22), SeasonLength.QUARTER, (2026, 10, 1), (2027, 1, 1)),
        ((2026, 3, 31), SeasonLength.QUARTER, (2026, 1, 1), (2026, 4, 1)),
        ((2026, 4, 1), SeasonLength.QUARTER, (2026, 4, 1), (2026, 7, 1)),
        ((2026, 1, 1), SeasonLength.YEAR, (2026, 1, 1), (2027, 1, 1)),
        ((2026, 12, 31), SeasonLength.YEAR, (2026, 1, 1), (2027, 1, 1)),
    ],
)
def test_a_season_is_whole_months(
    today: tuple[int, int, int], length: SeasonLength, begins: tuple[int, int, int], ends: tuple[int, int, int]
) -> None:
    assert season_of(day(*today), length) == range(day(*begins), day(*ends))


@pytest.mark.parametrize("length", SeasonLength)
def test_every_day_is_in_one_season(length: SeasonLength) -> None:
    first = season_of(day(2027, 1, 1), length)
    season = first
    while season.start < day(2031, 1, 1):
        assert all(season_of(each, length) == season for each in (season.start, season.stop - 1))
        following = season_of(season.stop, length)
        assert following.start == season.stop
        season = following


@pytest.fixture(autouse=True)
def _grown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few are enough for a game to count over all games."""
    monkeypatch.setattr(match_weights, "YOUNG", 0)


async def month_of_matches(store: MemoryStore, winner: int, *losers: int, first: int) -> None:
    """Let somebody win two matches of each of ten days against each of the others."""
    for number in range(20):
        for loser in losers:
            name = f"m{first}.{number}.{loser}"
            await ended(store, name, (winner, loser), (1, 2), day=first + number // 2)


async def test_who_has_the_most_points_when_a_season_ends_is_first_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seasons, "ROWS", 7)
    store = MemoryStore(now=lambda: 1500)
    firsts, month = SeasonFirsts(store), SeasonLength.MONTH
    november, january = day(2026, 11, 1), day(2027, 1, 1)
    await firsts.judge(GUILD, november, month)
    assert await store.judged_until(GUILD) is None  # nobody has played
    await month_of_matches(store, ANN, BOB, CAT, first=november)
    await firsts.judge(GUILD, day(2026, 11, 30), month)
    assert await store.season_firsts(GUILD, ANN) == []  # it has not ended
    await month_of_matches(store, BOB, CAT, first=day(2026, 12, 5))  # nobody is first among two
    await month_of_matches(store, CAT, ANN, BOB, first=january)
    await asyncio.gather(*(firsts.judge(GUILD, day(2027, 1, 15), month) for _ in range(2)))
    assert await store.judged_until(GUILD) == january
    stop = day(2026, 12, 1)
    assert await store.season_firsts(GUILD, ANN) == [SeasonFirst("", stop), SeasonFirst(GAME, stop)]
    assert await store.season_firsts(GUILD, BOB) == await store.season_firsts(GUILD, CAT) == []


async def test_who_hides_leaves_the_season_to_the_next() -> None:
    store = MemoryStore(now=lambda: 1500)
    await month_of_matches(store, ANN, BOB, CAT, CAT + 1, first=day(2026, 11, 1))
    await month_of_matches(store, BOB, CAT, CAT + 1, first=day(2026, 11, 12))
    await LeaderboardQueries(store).set_hidden(GUILD, ANN, hidden=True)
    await SeasonFirsts(store).judge(GUILD, day(2026, 12, 1), SeasonLength.MONTH)
    assert await store.season_firsts(GUILD, ANN) == []
    assert len(await store.season_firsts(GUILD, BOB)) == 2


async def test_a_longer_season_counts_from_its_own_first_day() -> None:
    store = MemoryStore(now=lambda: 1500)
    firsts = SeasonFirsts(store)
    await month_of_matches(store, ANN, BOB, CAT, first=day(2026, 10, 1))
    await month_of_matches(store, BOB, CAT, CAT + 1, first=day(2026, 11, 1))
    await firsts.judge(GUILD, day(2026, 11, 20), SeasonLength.MONTH)
    await firsts.judge(GUILD, day(2026, 11, 20), SeasonLength.QUARTER)  # since then the server's seasons are longer
    await firsts.judge(GUILD, day(2027, 1, 20), SeasonLength.QUARTER)
    stops = {user: {first.stop for first in await store.season_firsts(GUILD, user)} for user in (ANN, BOB)}
    assert stops == {ANN: {day(2026, 11, 1), day(2027, 1, 1)}, BOB: set()}
