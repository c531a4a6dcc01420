"""The SQLite store keeps the contract, and answers from indexes."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bot.store.person_key import FILE_NAME
from bot.store.queries import begun_deletions
from bot.store.queries.begun_deletions import Deletion
from bot.store.queries.leaderboards import ALL_GAMES, Leaderboard, LeaderboardDates, Span
from bot.store.queries.matches import Suspension
from bot.store.queries.seasons import SeasonFirst
from bot.store.sqlite.store import SqliteStore
from bot.store.store import Store
from cogs.conditions.queries import ConditionTables, Outcome
from cogs.daily.queries import DailyTables
from cogs.leaderboards.queries import LeaderboardTables, PageOf, PageRequest
from cogs.leagues.queries import LeagueTables
from cogs.profiles.queries import ProfileTables
from cogs.replays.queries import HistoryQuery, ReplayTables
from cogs.tournaments.queries import TournamentTables
from cogs.weekly.queries import WeeklyTables
from tests import new_database
from tests.bot.store.contract import KEY, FailingWrite, OpenStore, StorePromises, filled
from tests.bot.store.contract_leagues import LEAGUE_HERE, league_began
from tests.bot.store.contract_servers import HERE, THERE, lived_in
from tests.bot.store.contract_tournaments import began
from tests.bot.store.packing import pack_all
from tests.bot.store.rows import (
    ANN,
    BOB,
    CAT,
    DAY,
    GAME,
    GUILD,
    WEEK,
    attempted,
    daily_message,
    hand,
    opened,
    planned,
    played,
    record,
    result,
    tried_weekly,
)

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


GROWING = {
    "invitations",
    "matches",
    "seats",
    "records",
    "packed_logs",
    "results",
    "standings",
    "encounters",
    "opponents",
    "player_results",
    "attendances",
    "rating_changes",
    "held_ratings",
    "rating_starts",
    "board_days",
    "board_entries",
    "board_buckets",
    "board_hidden",
    "set_asides",
    "season_firsts",
    "names",
    "facts",
    "notice_levels",
    "digest_servers",
    "turn_digests",
    "last_pings",
    "preferences",
    "drafts",
    "daily_deals",
    "daily_attempts",
    "daily_messages",
    "conditional_moves",
    "weekly_deals",
    "weekly_attempts",
    "weekly_scores",
    "weekly_servers",
    "tournaments",
    "tournament_hosts",
    "tournament_entrants",
    "tournament_asks",
    "tournament_rounds",
    "tournament_deals",
    "tournament_pairings",
    "tournament_legs",
    "tournament_corrections",
    "leagues",
    "league_hosts",
    "league_members",
    "league_places",
    "league_pairings",
    "league_offers",
}
OF_LIVE_ROWS = ("matches_live", "invitations_open", "leagues_unfinished", "tournaments_unfinished")
"""Indexes that hold live rows only, so that they may be read whole."""


async def test_no_question_reads_a_table_that_grows_from_end_to_end(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "cardroom.db", now=lambda: 1500)
    try:
        await played(store, "m1", (1, 2), seats=(ANN, BOB))
        asked: list[str] = []
        await store.database.read(lambda db: db.set_trace_callback(asked.append))
        await opened(store, "m2")
        await store.append(record(1, "m2", interaction=71), (), result("m2"))
        await store.set_board("m2", 1, 2, 3)
        await opened(store, "m3", seats=(CAT, CAT + 1))
        await store.suspend_match("m3", 5000, Suspension.REMOVED)
        await store.resume_match("m3", 1, ())
        await store.agree_to_call_off("m2", 0)
        await store.credit_downtime(5000)
        await store.open_invitations()
        await store.match_of_interaction(71)
        await store.live_matches()
        await store.matches_ended_since(0)
        await store.match("m1")
        await store.result("m1")
        await store.records("m1")
        await store.standing(GUILD, GAME, ANN)
        await LeaderboardTables(store).page(Leaderboard(GUILD, GAME, Span.ALL_TIME), ANN, PageRequest(PageOf.OWN), 10)
        await LeaderboardTables(store).page(Leaderboard(GUILD, ALL_GAMES, Span.SEASON), ANN, PageRequest(), 10)
        await store.leaderboard_place(Leaderboard(GUILD, GAME, Span.ALL_TIME), ANN)
        await LeaderboardTables(store).is_current(GUILD, LeaderboardDates.on(100, 90))
        await LeaderboardTables(store).roll(GUILD, LeaderboardDates.on(100, 90))
        await LeaderboardTables(store).set_hidden(GUILD, ANN, hidden=True)
        await store.counted_days(GUILD, ANN)
        await store.days_between(GUILD, range(30), None, 5)
        await store.judged_until(GUILD)
        await store.judge_seasons(GUILD, 31, [(BOB, SeasonFirst(GAME, 31))])
        await store.season_firsts(GUILD, ANN)
        await store.count_ranked(GUILD, GAME)
        await store.games_played(GUILD)
        await store.names(GUILD, [ANN, BOB])
        await store.notice_level(GUILD, ANN)
        await store.set_preference(ANN, "card_style", "words")
        await store.preferences([ANN, BOB])
        await store.save_selection("m2", 0, 1, "attack.a")
        await store.selection("m2", 0, 1)
        await store.matches_of(GUILD, ANN)
        await store.latest_finished(GUILD, ANN, 5, 1)
        await store.head_to_head(GUILD, GAME, (ANN, BOB), "m1")
        await ProfileTables(store).most_met(GUILD, ANN, 3)
        await store.attendances(GUILD, ANN, 9)
        await store.known_guilds()
        await store.invitations_of(GUILD, ANN)
        await attempted(store, "a1", CAT)
        await DailyTables(store).deal(GUILD, GAME, DAY)
        await DailyTables(store).attempt(GUILD, GAME, DAY, CAT)
        await began(store)
        await TournamentTables(store).of_server(GUILD)
        await TournamentTables(store).unfinished()
        await TournamentTables(store).ended_since(1)
        await TournamentTables(store).latest_over(GUILD)
        await TournamentTables(store).whole(GUILD, "cup1")
        await store.end_match(result("cupmatch"), None)
        await TournamentTables(store).ended_legs(GUILD, "cup1")
        await TournamentTables(store).deals(GUILD, "cup1")
        await TournamentTables(store).export(GUILD, ANN)
        await league_began(store)
        await LeagueTables(store).of_server(GUILD)
        await LeagueTables(store).unfinished()
        await LeagueTables(store).whole(*LEAGUE_HERE)
        await LeagueTables(store).export(GUILD, ANN)
        await DailyTables(store).attempts_on(GUILD, DAY)
        await DailyTables(store).attempts_by(GUILD, CAT)
        await DailyTables(store).streak(GUILD, GAME, CAT, DAY)
        await DailyTables(store).unshown_attempts(DAY)
        await DailyTables(store).note_shown("a1")
        await ConditionTables(store).add(planned())
        await ConditionTables(store).of_match("m1")
        await ConditionTables(store).of_person(GUILD, ANN)
        await ConditionTables(store).matches()
        await ConditionTables(store).conclude(planned(), Outcome.MADE, 1)
        await tried_weekly(store, "w1", CAT)
        await WeeklyTables(store).deal(GAME, WEEK)
        await WeeklyTables(store).attempt(GAME, WEEK, CAT)
        await WeeklyTables(store).is_played(GAME, WEEK)
        await WeeklyTables(store).unscored(GAME, WEEK)
        await store.append(record(1, "w1"), (), result("w1", counted=False))
        await WeeklyTables(store).score("w1")
        await WeeklyTables(store).best_in(GAME, WEEK, GUILD, 10)
        await WeeklyTables(store).standings(GAME, WEEK, 10, GUILD)
        await WeeklyTables(store).attempts_by(GUILD, CAT)
        await DailyTables(store).put_message(daily_message())
        await DailyTables(store).message(GUILD, 5, DAY)
        await ReplayTables(store).set_private_wish("m1", 0, wanted=True)
        await store.finished_match(GUILD, "m1", ANN, DAY)
        await store.derivable(GUILD, "m1", CAT, DAY)
        await ReplayTables(store).finished_matches(HistoryQuery(GUILD, ANN, BOB, DAY, GAME), 5, before="m2", after="m1")
        await store.anonymise(GUILD, ANN, -1, {"m1", "m2", "cupmatch"})
        await played(store, "back", (1, 2), seats=(ANN, BOB))
        await store.rating_changes("m1")
        await store.held_ratings(GUILD, ANN)
        await store.rating_starts(GUILD, ANN)
        await store.record_look(5000, None)
        await store.metadata("a")
        assert await pack_all(store)
        await store.records("m1")
        await store.purge_guild(GUILD)
        plans = await store.database.read(lambda db: {sql: plan(db, sql) for sql in asked if plannable(sql)})
    finally:
        await store.close()
    assert len(plans) > 30
    read_whole = [(sql, step) for sql, steps in plans.items() for step in steps if reads_a_growing_table(step)]
    assert read_whole == []


async def test_a_purge_misses_no_table_whose_rows_name_a_server(tmp_path: Path) -> None:
    def named(db: sqlite3.Connection) -> dict[str, set[int]]:
        """The servers that each table names, of all the tables that can."""
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        columns = {name: {row[1] for row in db.execute(f"PRAGMA table_info({name})")} for name in tables}
        return {
            name: {guild for (guild,) in db.execute(f"SELECT guild_id FROM {name}")}
            for name, has in columns.items()
            if "guild_id" in has
        }

    store = await SqliteStore.open(tmp_path / "cardroom.db", now=lambda: 1500)
    try:
        for guild, mark in ((HERE, "1"), (THERE, "2")):
            await lived_in(store, guild, mark)
            await store.record_departure(guild, 1000)  # this deletes its hands
            await store.write_open_hands([hand(f"live{mark}")], [], 1000)
            await store.database.write(partial(begun_deletions.begin, deletion=Deletion(guild, ANN, -1)))
        before = await store.database.read(named)
        assert len(before) > 10
        assert {name for name, guilds in before.items() if guilds != {HERE, THERE}} == set(), "fill them in lived_in"
        await store.purge_guild(HERE)
        after = await store.database.read(named)
        assert {name for name, guilds in after.items() if guilds != {THERE}} == set()
    finally:
        await store.close()


def reads_a_growing_table(step: str) -> bool:
    """Whether a step of a plan goes through all rows of a table that grows with every match."""
    words = step.split()
    return words[0] == "SCAN" and words[1] in GROWING and not step.endswith(OF_LIVE_ROWS)


def plannable(sql: str) -> bool:
    """Whether a traced statement is one of ours that asks or changes rows."""
    return sql.split(maxsplit=1)[0] in {"SELECT", "UPDATE", "DELETE", "INSERT", "WITH"}


def plan(db: sqlite3.Connection, sql: str) -> list[str]:
    """SQLite's plan for a statement, a line a step."""
    return [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {sql}")]
