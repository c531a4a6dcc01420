"""`kill -9`: what was acknowledged is there, and nothing is half there."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.migrations import TABLES, migrations
from bot.store.sqlite.store import SqliteStore
from tests.bot.store.open_stores import closed_after
from tests.bot.store.other_process import OtherProcess
from tests.bot.store.rows import ANN, BOB, standings_of

pytestmark = pytest.mark.real_time

LATEST = len(migrations())


def killed_after(seconds: float, path: Path) -> dict[str, int]:
    """Write until killed; the last seq acknowledged of every match."""
    writer = OtherProcess("play", path)
    writer.until_said()
    time.sleep(seconds)
    writer.kill()
    assert writer.ended() == -signal.SIGKILL
    acknowledged: dict[str, int] = {}
    for line in writer.said.splitlines(keepends=True):
        if line.endswith("\n"):
            match_id, seq = line.split()
            acknowledged[match_id] = int(seq)
    return acknowledged


@pytest.mark.nightly  # kills a process at many moments
@pytest.mark.parametrize("seconds", [0.05, 0.3, 0.61])
async def test_all_that_was_acknowledged_is_there_and_nothing_half(tmp_path: Path, seconds: float) -> None:
    path = tmp_path / "cardroom.db"
    acknowledged = killed_after(seconds, path)
    assert len(acknowledged) >= 1
    async with closed_after(SqliteStore.open(path, now=lambda: 0)) as store:
        for match_id, seq in acknowledged.items():
            log = await store.records(match_id)
            assert [entry.seq for entry in log] == list(range(len(log)))
            assert len(log) > seq
        live = {row.id for row in await store.live_matches()}
        counted = [row.id for row in await store.matches_ended_since(0)]
        assert live.isdisjoint(counted)
        for match_id in {*live, *acknowledged}:
            log = await store.records(match_id)
            last = len(log) - 1
            over = last == 19
            assert over == (match_id in counted) == (match_id not in live)
            assert [timer.key for timer in await store.timers(match_id)] == ([] if over or last == 0 else [str(last)])
        players = await standings_of(store, (ANN, BOB))
        assert [player.matches for player in players] == [len(counted)] * (2 if counted else 0)


SLOW = """
CREATE TABLE extra (a INTEGER) STRICT;
INSERT INTO extra
    WITH RECURSIVE n (a) AS (VALUES (1) UNION ALL SELECT a + 1 FROM n WHERE a < 100000000) SELECT a FROM n;
"""


def kill_in_migration(path: Path, folder: Path, backup: Path) -> None:
    """Start the program with these migrations and kill it while the last one writes."""
    grown = path.with_name(f"{path.name}-wal")
    migrating = OtherProcess("migrate", path, folder)
    try:
        deadline = time.monotonic() + 20
        while not (backup.exists() and grown.exists() and grown.stat().st_size > 100_000):
            assert time.monotonic() < deadline
            time.sleep(0.01)
    finally:
        migrating.kill()
    assert migrating.ended() == -signal.SIGKILL


async def test_a_migration_killed_in_the_middle_leaves_the_version_before_and_a_backup(tmp_path: Path) -> None:
    path = tmp_path / "cardroom.db"
    acknowledged = killed_after(0.1, path)
    await (await SqliteStore.open(path, now=lambda: 0)).close()
    folder = tmp_path / "later"
    shutil.copytree(TABLES, folder)
    (folder / f"{LATEST + 1:04}_slow.sql").write_text(SLOW)
    backup = path.with_name(f"cardroom.db.v{LATEST}.backup")
    kill_in_migration(path, folder, backup)
    async with closed_after(SqliteStore.open(path, now=lambda: 0)) as store:
        matches = await store.live_matches()
        for match_id, seq in acknowledged.items():
            assert len(await store.records(match_id)) > seq
    for file in (path, backup):
        with closing(sqlite3.connect(file)) as db:
            assert db.execute("PRAGMA user_version").fetchone() == (LATEST,)
            assert db.execute("SELECT count(*) FROM matches WHERE live = 1").fetchone() == (len(matches),)
            assert db.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'extra'").fetchone() == (0,)
