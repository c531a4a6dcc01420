"""The benchmark of operations knows every method of a store, and boards of many cost as little as those of few. That
all benchmarks run is seen by `make bench ARGS=--brief`."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from bot.store.migrations import migrations
from bot.store.queries import leaderboard_keeping
from bot.store.sqlite.schema import connect
from bot.store.sqlite.store import BUSY_TIMEOUT
from tests.bench import boards, large_database, operations
from tests.bench.large_database import Size
from tests.bot.store.subjects import methods

pytestmark = pytest.mark.slow  # lays out large databases

SMALL = ("LeagueQueries", "TournamentQueries")
"""Tables that a budget keeps small however large the house grows (`docs/limits.md`), and that no press waits for."""


@pytest.mark.nightly  # the benchmark runs for each commit by itself
def test_the_benchmark_of_operations_times_every_method_of_a_store(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in (("BRIEF", Size(results=200, live=120, attempts=3)), ("TIMES", 2), ("LIMIT_MS", 10_000.0)):
        monkeypatch.setattr(operations, name, value)
    assert operations.main(["--brief"]) == 0
    timed = {line.split()[0] for line in capsys.readouterr().out.splitlines()[1:-1]}
    untimed = methods().keys() - {"close", "is_shared", "data_clock", "keep_renewing"} - timed
    assert {name for name in untimed if not name.startswith(SMALL)} == set()


def test_nothing_moves_on_the_leaderboards_of_the_large_database(tmp_path: Path) -> None:
    """Otherwise the first row would answer what takes long where there is none."""
    large_database.lay_out(tmp_path / "large.db", Size(results=200, live=10, attempts=3))
    with closing(sqlite3.connect(tmp_path / "large.db")) as db:
        assert leaderboard_keeping.is_current(db, large_database.GUILD, large_database.DATES)
        days = db.execute("SELECT count(*) FROM board_days WHERE in_season = 0").fetchone()
    assert days > (100,)


def test_the_benchmark_of_operations_fails_where_one_takes_too_long(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def measured(*_: object) -> dict[str, float]:
        return {"purge_guild": 5.1, "live_matches": 500.0, "append": 4.9}

    monkeypatch.setattr(operations, "measure", measured)
    monkeypatch.setattr(operations, "lay_out", lambda *_: None)
    assert operations.main() == 1
    printed = capsys.readouterr().out
    assert operations.main(["--brief"]) == 0, "a brief run is beside others"
    assert [line.split()[0] for line in printed.splitlines() if "TOO LONG" in line] == ["purge_guild"]


@pytest.mark.nightly  # a second
def test_a_leaderboard_of_many_takes_hardly_more_work_than_one_of_few(tmp_path: Path) -> None:
    """In instructions of SQLite's machine, so that the load of this one doesn't matter."""
    taken: dict[int, list[int]] = {}
    for players in (500, 5_000):
        with closing(connect(tmp_path / f"{players}.db", migrations(), BUSY_TIMEOUT)) as db:
            boards.fill(db, players)
            for what, ask in boards.screens(db):
                if what != boards.BY_NUMBER:
                    taken.setdefault(players, []).append(instructions(db, partial(ask, players // 2)))
    assert all(many < 2 * few for few, many in zip(taken[500], taken[5_000], strict=True)), taken
    assert max(taken[5_000]) < 100 * PER_STEP


PER_STEP = 100


def instructions(db: sqlite3.Connection, ask: Callable[[], object]) -> int:
    """How many instructions SQLite runs, rounded down to hundreds."""
    steps = 0

    def step() -> int:
        nonlocal steps
        steps += PER_STEP
        return 0

    db.set_progress_handler(step, PER_STEP)
    ask()
    db.set_progress_handler(None, 0)
    return steps
