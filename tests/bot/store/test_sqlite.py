"""The SQLite store keeps the contract, and answers from indexes."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bot.store.person_key import FILE_NAME
from bot.store.queries.leaderboards import ALL_GAMES, Leaderboard, Span
from bot.store.queries.seasons import SeasonFirst
from bot.store.sqlite.store import SqliteStore
from bot.store.store import Store
from cogs.conditions.queries import ConditionQueries
from cogs.daily.queries import DailyQueries
from cogs.leaderboards.queries import LeaderboardQueries, PageOf, PageRequest
from cogs.leagues.queries import LeagueQueries
from cogs.personal_data.export import everything_of
from cogs.replays.queries import HistoryQuery, ReplayQueries
from cogs.tournaments.queries import TournamentQueries
from cogs.weekly.queries import WeeklyQueries
from tests import new_database
from tests.bench import operations
from tests.bot.store.contract import (
    KEY,
    TODAY,
    WRITES,
    Call,
    FailingWrite,
    OpenStore,
    StorePromises,
    all_rows,
    filled,
    filled_tables,
)
from tests.bot.store.memory_store import Data, MemoryStore
from tests.bot.store.rows import (
    ANN,
    BOB,
    CAT,
    DAY,
    GAME,
    GUILD,
    WEEK,
    played,
)
from tests.bot.store.subjects import exports

_filled: list[bytes] = []


async def filled_file() -> bytes:
    """A database with what `filled` leaves. It is made once: copying it costs a tenth of writing it."""
    if not _filled:
        with TemporaryDirectory() as folder:
            path = Path(folder, "cardroom.db")
            Path(folder, FILE_NAME).write_text(KEY, "ascii")  # noqa: ASYNC240  nothing else goes on
            store = await SqliteStore.open(path, now=lambda: 1500)
            await filled(store)
            await store.close()
            _filled.append(path.read_bytes())  # noqa: ASYNC240  nothing else goes on
    return _filled[0]


@pytest.mark.slow  # has a file for each test
class TestSqliteStore(StorePromises):
    """The store in memory asks its tables the same, so what is asked by subject is tested there."""

    @pytest.fixture
    def open_store(self, tmp_path: Path) -> OpenStore:
        async def open_store() -> Store:
            new_database.lay_out(tmp_path / "cardroom.db")
            return await SqliteStore.open(tmp_path / "cardroom.db", now=lambda: 1500)

        return open_store

    @pytest.fixture
    async def filled_store(self, open_store: OpenStore, tmp_path: Path) -> AsyncIterator[Store]:
        (tmp_path / FILE_NAME).write_text(KEY, "ascii")
        (tmp_path / "cardroom.db").write_bytes(await filled_file())
        store = await open_store()
        yield store
        await store.close()

    @pytest.fixture
    def failing_write(self) -> FailingWrite:
        @asynccontextmanager
        async def failing_write(store: Store) -> AsyncIterator[None]:
            assert isinstance(store, SqliteStore)
            await store.database.read(lambda db: db.execute("PRAGMA query_only = ON").close())
            yield
            await store.database.read(lambda db: db.execute("PRAGMA query_only = OFF").close())

        return failing_write


SMALL = {
    *("absences", "bars", "blocks", "comeback_searches", "deletions", "departures", "first_matches", "gateway_servers"),
    *("gateway_sessions", "greetings", "heartbeat", "job_leases", "judged_seasons", "looks", "notices", "open_hands"),
    *("postings", "progress", "recounts", "server_settings", "setting_changes", "shard_claims", "shard_leases"),
    *("shard_owners", "standings_resets", "table_notices", "table_subscriptions", "timers", "turns", "week_firsts"),
    "week_posts",
}
"""Tables that do not grow with every match and every person, so that they may be read whole."""
OF_LIVE_ROWS = (
    *("matches_live", "invitations_open", "invitations_open_here", "leagues_unfinished", "tournaments_unfinished"),
)
"""Indexes that hold live rows only, so that they may be read whole too."""


async def come_back(store: Store) -> None:
    """Somebody who was first of a season is deleted and comes back; then all is purged."""
    await store.judge_seasons(GUILD, 31, [(CAT, SeasonFirst(GAME, 31))])
    await LeaderboardQueries(store).set_hidden(GUILD, CAT, hidden=True)
    await store.anonymise(GUILD, CAT, -1, {"over"})
    await played(store, "back", (1, 2), seats=(CAT, BOB))
    await store.purge_guild(GUILD)


ASKED: tuple[Call, ...] = (
    all_rows,
    come_back,
    lambda store: everything_of(store, GUILD, ANN, exports=exports(store)),
    lambda store: store.live_matches(),
    lambda store: store.matches_ended_since(0),
    lambda store: LeaderboardQueries(store).page(
        Leaderboard(GUILD, GAME, Span.ALL_TIME), ANN, PageRequest(PageOf.OWN), 10
    ),
    lambda store: LeaderboardQueries(store).page(Leaderboard(GUILD, ALL_GAMES, Span.SEASON), ANN, PageRequest(), 10),
    lambda store: store.leaderboard_place(Leaderboard(GUILD, GAME, Span.ALL_TIME), ANN),
    lambda store: LeaderboardQueries(store).is_current(GUILD, TODAY),
    lambda store: store.days_between(GUILD, range(30), None, 5),
    lambda store: store.count_ranked(GUILD, GAME),
    lambda store: store.latest_finished(GUILD, ANN, 5, 1),
    lambda store: store.head_to_head(GUILD, GAME, (CAT, CAT + 1), "over"),
    lambda store: TournamentQueries(store).of_server(GUILD),
    lambda store: TournamentQueries(store).unfinished(),
    lambda store: TournamentQueries(store).ended_since(1),
    lambda store: TournamentQueries(store).latest_over(GUILD),
    lambda store: TournamentQueries(store).ended_legs(GUILD, "cup1"),
    lambda store: LeagueQueries(store).of_server(GUILD),
    lambda store: LeagueQueries(store).unfinished(),
    lambda store: DailyQueries(store).attempt(GUILD, GAME, DAY, CAT),
    lambda store: DailyQueries(store).streak(GUILD, GAME, CAT, DAY),
    lambda store: DailyQueries(store).unshown_attempts(DAY),
    lambda store: ConditionQueries(store).matches(),
    lambda store: WeeklyQueries(store).is_played(GAME, WEEK),
    lambda store: WeeklyQueries(store).best_in(GAME, WEEK, GUILD, 10),
    lambda store: WeeklyQueries(store).standings(GAME, WEEK, 10, GUILD),
    lambda store: store.derivable(GUILD, "over", CAT, DAY),
    lambda store: ReplayQueries(store).finished_matches(
        HistoryQuery(GUILD, CAT, CAT + 1, DAY, GAME), 5, before="over", after="over"
    ),
)
"""What is read, beside `questions` and `WRITES`."""


EXPLAINED = {
    "SELECT 1 FROM board_days": "the first day counts, but of who is being deleted",
    "SELECT DISTINCT match_id FROM seats": "a page of one person's matches: 2.4 ms of 10,000",
    "tournaments.ended_at >=": "only at a start",
    "DELETE FROM season_firsts": "one for each season and game",
    "AS rated": "the ten first, unless one person has hardly played but alone: 1.7 ms of 10,000 matches",
    "DELETE FROM conditional_moves": "one seat plans a few",
    "DELETE FROM weekly_servers": "a server has one",
    "SELECT max(number) FROM results": "the last of the index",
    "(SELECT min(game) FROM": "the first of the index, game by game",
    'SELECT "guild_id", "tournament_id"': "an export: 3 ms of 40,000",
    'SELECT "guild_id", "league_id"': "an export: 3 ms of 40,000",
}
"""Parts of statements that read more of what a server or a person has than they answer, and why that is little."""


async def test_no_question_reads_a_table_that_grows_from_end_to_end() -> None:
    plans, tables = await plans_and_tables()
    assert [(sql, read) for sql, steps in plans.items() if (read := read_whole(steps, tables - SMALL))] == []


async def test_no_question_reads_all_rows_of_a_server_for_some_of_them() -> None:
    """A search by the server alone, or by less than the bounds in which the answer is, takes longer with every match
    that was played there. SQLite prefers the primary key of a table without row ids to an index that fits better."""
    plans, tables = await plans_and_tables()
    growing = {sql: steps for sql, steps in plans.items() if any(table_of(step) in tables - SMALL for step in steps)}
    named = {sql for sql, steps in growing.items() if reads_a_server(sql, steps, tables - SMALL) or unused(sql, steps)}
    assert [sql for sql in named if not any(part in sql for part in EXPLAINED)] == []
    assert [part for part in EXPLAINED if not any(part in sql for sql in named)] == [], "nothing to explain"


_plans: dict[str, list[str]] = {}


async def plans_and_tables() -> tuple[dict[str, list[str]], set[str]]:
    """SQLite's plan for each statement of `ASKED` and `WRITES`, made once, and all tables. SQLite answers in the same
    way from memory."""
    data = Data(await filled_tables())
    tables = {name for (name,) in data.connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    for call in () if _plans else (*ASKED, *questions(), *WRITES.values()):
        data, asked = Data(await filled_tables()), set[str]()
        data.connection.set_trace_callback(asked.add)
        await call(MemoryStore(now=lambda: 1500, data=data))
        data.connection.set_trace_callback(None)
        _plans.update({sql: plan(data.connection, sql) for sql in asked if plannable(sql)})
    assert len(_plans) > 500
    assert tables > SMALL
    return _plans, tables


def questions() -> list[Call]:
    """What the benchmark of operations asks: every method of a store."""

    def first(call: operations.Call) -> Call:
        return lambda store: call(store, 1)

    return [first(call) for call in (operations.reads(operations.BRIEF) | operations.pages(operations.BRIEF)).values()]


def read_whole(steps: list[str], tables: set[str]) -> list[str]:
    """The steps of a plan that go through all rows of one of these tables, or through all live rows for each other
    row."""
    once = next((index for index, step in enumerate(steps) if step.startswith("CORRELATED")), len(steps))
    return [
        step
        for index, step in enumerate(steps)
        if step.startswith("SCAN") and table_of(step) in tables and (index > once or not step.endswith(OF_LIVE_ROWS))
    ]


def reads_a_server(sql: str, steps: list[str], tables: set[str]) -> bool:
    """Whether a statement goes through all rows that a server has in one of these tables, to sort them or for some of
    them. Who asks for any of them, as a deletion in slices does, may find them by the server alone."""
    by_server = {
        table_of(step)
        for step in steps
        if step.endswith("(guild_id=?)") and not any(live in step for live in OF_LIVE_ROWS)
    }
    sorted_ = any(step.startswith("USE TEMP B-TREE FOR ORDER BY") for step in steps)
    any_row = r" FROM {}( INDEXED BY \w+)? WHERE guild_id = \d+( ORDER BY [^()]*)? LIMIT \d+"
    return any(sorted_ or not re.search(any_row.format(table), sql) for table in by_server & tables)


def unused(sql: str, steps: list[str]) -> set[str]:
    """The columns that a statement compares with a bound and no step of its plan searches by. The ids of deleted people
    are below 0, which is no bound."""
    bounded = set(re.findall(r"(?:WHERE|AND) (?:\w+\.)?(\w+) [<>]=? [-\d']", sql.replace("user_id > 0", "")))
    return {name for name in bounded if not any(re.search(rf"\b({name}|rowid)[<>]", step) for step in steps)}


def table_of(step: str) -> str:
    """The table of a step of a plan, or another name, or none."""
    return " ".join(step.split()[1:2])


def plannable(sql: str) -> bool:
    """Whether a traced statement is one of ours that asks or changes rows."""
    return sql.split(maxsplit=1)[0] in {"SELECT", "UPDATE", "DELETE", "INSERT", "WITH"}


def plan(db: sqlite3.Connection, sql: str) -> list[str]:
    """SQLite's plan for a statement, a line a step, with the names of tables in the places of others for them."""
    steps = [str(row[3]) for row in db.execute(f"EXPLAIN QUERY PLAN {sql}")]
    names = {other: table for table, other in re.findall(r"(?:FROM|JOIN) (\w+) AS (\w+)", sql)}
    return [
        re.sub(r"^(SCAN|SEARCH) (\w+)", lambda found: f"{found[1]} {names.get(found[2], found[2])}", step)
        for step in steps
    ]
