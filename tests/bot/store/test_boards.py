"""A law of leaderboards: what is kept, and each page of it, is what is counted from the results, whatever happened."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from bot import ratings
from bot.store.queries import counting_again
from bot.store.queries.leaderboards import (
    ALL_GAMES,
    Leaderboard,
    LeaderboardDates,
    LineKey,
    Section,
    Span,
    points,
)
from bot.store.queries.matches import Result
from bot.store.sqlite.store import SqliteStore
from bot.store.store import Store
from cogs.leaderboards.queries import LeaderboardPage, LeaderboardQueries, PageOf, PageRequest
from cogs.servers.queries import SetAsides
from tests.bot.store.contract_boards import ended
from tests.bot.store.counted_boards import CountedBoards, counted_again
from tests.bot.store.rows import GUILD, opened, record

pytestmark = pytest.mark.slow  # compares every page of boards with what is counted, after many changes

GAMES = ("skat", "whist")
PEOPLE = range(1, 13)
FIRST_DAY = 20_000


class Happening:
    """Things that happen to a store, by chance."""

    def __init__(self, seed: int, store: Store) -> None:
        self._rng = random.Random(seed)
        self._store = store
        self._day = FIRST_DAY
        self._matches = 0
        self._hiding: set[int] = set()
        self._aside: set[int] = set()

    @property
    def hidden(self) -> set[int]:
        """Who is left out, by their own choice or a moderator's."""
        return self._hiding | self._aside

    @property
    def dates(self) -> LeaderboardDates:
        """Today's, in seasons of twenty days."""
        return LeaderboardDates.on(self._day, self._day // 20 * 20)

    async def happen(self) -> None:
        """One thing."""
        rng = self._rng
        what = rng.choices(("play", "wait", "hide", "aside", "delete", "uncounted", "look"), (12, 3, 2, 2, 1, 1, 3))[0]
        if what == "wait":
            self._day += rng.choice((1, 1, 2, 5, 40))
        elif what == "look":
            await self.roll()
        elif what == "hide":
            who, hidden = rng.choice(PEOPLE), rng.random() < 0.5
            (self._hiding.add if hidden else self._hiding.discard)(who)
            await LeaderboardQueries(self._store).set_hidden(GUILD, who, hidden=hidden)
        elif what == "aside":
            who, aside = rng.choice(PEOPLE), rng.random() < 0.5
            (self._aside.add if aside else self._aside.discard)(who)
            asides = SetAsides(self._store)
            await (asides.set_aside if aside else asides.take_back)(GUILD, who)
        elif what == "delete":
            who, marker = rng.choice(PEOPLE), -1 - rng.getrandbits(40)
            self._hiding.discard(who)  # who was set aside stays so
            known = {row.id for row in await self._store.matches_of(GUILD, who)}
            await self._store.anonymise(GUILD, who, marker, known)
        else:
            await self._play(counted=what == "play")

    async def _play(self, *, counted: bool) -> None:
        rng, store = self._rng, self._store
        self._matches += 1
        seats = tuple(rng.sample(PEOPLE, rng.choice((2, 2, 2, 3, 4))))
        ranks = (1, *(rng.randint(1, len(seats)) for _ in seats[1:]))
        game, name = rng.choice(GAMES), f"m{self._matches}"
        if counted:
            await ended(store, name, seats, ranks, day=self._day, game=game)
        else:
            await opened(store, name, seats=seats, game=game)
            await store.append(record(1, name), (), Result(name, "resignation", ranks, 8000, counted=False))

    async def roll(self) -> None:
        """Bring it up to date."""
        while not await LeaderboardQueries(self._store).roll(GUILD, self.dates):
            pass


ReadPage = Callable[[Leaderboard, int, PageRequest, int], Awaitable[LeaderboardPage]]


async def pages(read: ReadPage) -> list[LeaderboardPage]:
    """Everything that anybody can read on the leaderboards."""
    found: list[LeaderboardPage] = []
    for span in Span:
        for game in (*GAMES, ALL_GAMES):
            board = Leaderboard(GUILD, game, span)
            found += [await read(board, reader, PageRequest(PageOf.OWN), 4) for reader in PEOPLE]
            for position in (0, 5, 9, 13):
                page = await read(board, 0, PageRequest(position=position), 3)
                found.append(page)
                keys = [entry.key for entry in page.entries] or [LineKey(Section.BELOW, 0, 5)]
                for of, key in ((PageOf.AFTER, keys[-1]), (PageOf.BEFORE, keys[0])):
                    found.append(await read(board, 0, PageRequest(of, key=key), 3))
    return found


def left(db: sqlite3.Connection) -> object:
    """How many rows of leaderboards there are."""
    tables = ("board_days", "board_entries", "board_buckets", "board_hidden", "season_firsts", "judged_seasons")
    return tuple(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables)


@pytest.mark.nightly  # each seed goes through the days of a season
@pytest.mark.parametrize("seed", range(2))
async def test_what_is_kept_and_each_page_of_it_is_what_is_counted(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratings, "SETTLED", 960)  # so that one game's community is grown before the other's
    store = await SqliteStore.open(tmp_path / "cardroom.db", now=lambda: 1500)
    happening = Happening(seed, store)
    contained: set[tuple[str, ...]] = set()
    try:
        for _ in range(5):
            for _ in range(3):
                for _ in range(6):
                    await happening.happen()
                assert (await store.database.read(counting_again.recount)).differing_lines == 0
            await happening.roll()
            assert (await store.database.read(counting_again.recount)).differing_lines == 0
            recount = await store.database.read(counted_again)
            counted = CountedBoards(recount, happening.hidden, happening.dates)
            contained.add(
                tuple(game for game in GAMES if counted.contains(Leaderboard(GUILD, ALL_GAMES, Span.SEASON), game))
            )

            async def count(
                board: Leaderboard, reader: int, request: PageRequest, length: int, counted: CountedBoards = counted
            ) -> LeaderboardPage:
                return counted.page(board, reader, request, length)

            assert await pages(LeaderboardQueries(store).page) == await pages(count)
        assert len(contained) > 1, "one game counts over all games before the other"
        await store.purge_guild(GUILD)
        assert await store.database.read(left) == (0,) * 6
    finally:
        await store.close()


def test_a_point_is_a_hundredth_of_a_match_above_what_was_expected() -> None:
    for surplus, shown in ((0.5, 50_000), (-0.25, -25_000), (0.0, 0)):
        assert points(surplus) == shown
