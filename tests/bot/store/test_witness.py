"""The witness outside the database, and what is kept in the WAL alone: F-28."""

# ruff: noqa: ASYNC240  nobody else is on the loop while a test looks at a small file
# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.errors import Older, TooNew
from bot.store.migrations import LATEST, TABLES
from bot.store.sqlite import upkeep, witness
from bot.store.sqlite.backup import back_up, restore
from bot.store.sqlite.dump import dump_lines, load_dump
from bot.store.sqlite.store import SqliteStore
from bot.store.sqlite.witness import Witness
from tests.bot.store.gate import Gate
from tests.bot.store.rows import opened, record
from tests.bot.store.test_group_commit import traced
from tests.known import there

BEAT = 5.0
NOW = 1_800_000_000_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cardroom.db"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqliteStore]:
    store = await open_store(path)
    yield store
    await store.close()


async def open_store(path: Path, *, accept_older: bool = False) -> SqliteStore:
    return await SqliteStore.open(path, now=lambda: NOW, busy_timeout=2000, accept_older=accept_older)


def seen(path: Path) -> Witness:
    """What the witness says."""
    return there(witness.read(path))


def in_the_wal(path: Path) -> int:
    """How many bytes are in the WAL."""
    wal = path.with_name("cardroom.db-wal")
    return wal.stat().st_size if wal.exists() else 0


def in_the_file_alone(path: Path, folder: Path) -> list[str]:
    """The matches in a database without its WAL."""
    folder.mkdir()
    shutil.copy(path, folder / path.name)
    with closing(sqlite3.connect(folder / path.name)) as db:
        return [name for (name,) in db.execute("SELECT id FROM matches ORDER BY id")]


# ------------------------------------------------------------------------------------------ little is in the WAL alone


async def test_F_28_after_a_start_and_whenever_it_is_idle_nothing_is_in_the_wal_alone(
    store: SqliteStore, path: Path, tmp_path: Path
) -> None:
    assert in_the_wal(path) == 0
    await opened(store)
    assert in_the_wal(path) > 0
    await asyncio.sleep(1.5 * upkeep.QUIET)
    assert in_the_wal(path) == 0
    assert in_the_file_alone(path, tmp_path / "alone") == ["m1"]
    assert seen(path).progress == store.database.progress


async def test_F_28_a_busy_database_is_witnessed_every_beat_and_moved_into_its_file_every_minute(
    store: SqliteStore, path: Path
) -> None:
    await opened(store)
    reached: list[int] = []
    emptied = 0
    for number in range(1, 200):
        await store.append(record(number), ())
        reached.append(store.database.progress.commits)
        await asyncio.sleep(upkeep.QUIET / 2)
        emptied += in_the_wal(path) == 0
        beats = round(BEAT / (upkeep.QUIET / 2))
        if number > beats:
            assert seen(path).progress.commits >= reached[-1 - beats]
    assert emptied == 1


async def test_a_heartbeat_alone_is_neither_counted_nor_moved(store: SqliteStore, path: Path) -> None:
    before = store.database.progress
    written = path.with_name("cardroom.db.witness").stat().st_mtime_ns
    for beat in range(20):
        await store.record_heartbeat(NOW + beat)
        await asyncio.sleep(BEAT)
    assert store.database.progress == before
    assert path.with_name("cardroom.db.witness").stat().st_mtime_ns == written


async def test_a_checkpoint_lets_waiting_writes_go_first(store: SqliteStore, path: Path) -> None:
    await opened(store)
    gate = Gate()
    holding = asyncio.create_task(store.database.read(gate))
    await gate.reached()
    moving = asyncio.create_task(store.database.checkpoint(overdue=False))
    await asyncio.sleep(0)
    writing = asyncio.create_task(store.append(record(1), ()))
    await asyncio.sleep(0)
    gate.open()
    await asyncio.gather(holding, writing)
    assert not await moving
    assert in_the_wal(path) > 0


async def test_a_reader_makes_no_press_wait_for_a_checkpoint(store: SqliteStore, path: Path) -> None:
    await opened(store)
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM matches").fetchall()
        await store.append(record(1), ())
        statements = await traced(store)
        await store.database.checkpoint(
            overdue=True
        )  # with the two seconds that a write waits, a virtual second would have passed
        assert "PRAGMA busy_timeout = 0" in statements
        assert statements[-1] == "PRAGMA busy_timeout = 2000"
        assert in_the_wal(path) > 0
        await asyncio.sleep(20 * BEAT)
        assert in_the_wal(path) > 0
    await asyncio.sleep(2 * BEAT)
    assert in_the_wal(path) == 0, "it is tried again"


async def test_what_cannot_be_renewed_is_logged_and_tried_again(
    store: SqliteStore, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path.with_name("cardroom.db.witness.unfinished").mkdir()
    await opened(store)
    await asyncio.sleep(1.5 * upkeep.QUIET)
    assert "could not be renewed" in caplog.text
    assert seen(path).progress != store.database.progress
    path.with_name("cardroom.db.witness.unfinished").rmdir()
    await asyncio.sleep(2 * BEAT)
    assert seen(path).progress == store.database.progress


# ------------------------------------------------------------------------------------------ a start compares


async def grown(path: Path) -> Path:
    """A database that was used, and a copy of it as it was some writes before."""
    store = await open_store(path)
    await opened(store)
    await store.database.checkpoint(overdue=True)
    earlier = path.with_name("earlier.db")
    shutil.copy(path, earlier)
    await store.append(record(1), ())
    await store.append(record(2), ())
    await store.close()
    return earlier


async def refused(path: Path) -> str:
    """The line with which a start is refused; no file changes."""
    before = {file: file.read_bytes() for file in path.parent.iterdir() if file.is_file() and file.suffix != ".lock"}
    with pytest.raises(Older) as caught:
        await open_store(path)
    assert {file: file.read_bytes() for file in before} == before
    line = str(caught.value)
    assert "\n" not in line
    assert "--accept-older" in line
    return line


async def test_F_28_a_database_older_than_its_witness_is_refused_and_can_be_accepted(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    earlier = await grown(path)
    before = seen(path).progress
    shutil.copy(earlier, path)
    line = await refused(path)
    assert "lacks writes that were saved (2 or more)" in line
    assert "there is no backup" in line
    store = await open_store(path, accept_older=True)
    assert "accepted: the database" in caplog.text
    assert len(await store.records("m1")) == 1
    assert store.database.progress.commits > before.commits
    await store.close()
    await (await open_store(path)).close()


@pytest.mark.parametrize("state", ["missing", "without a byte", "without a table"])
async def test_F_28_an_empty_or_missing_database_beside_a_witness_or_backups_is_refused(path: Path, state: str) -> None:
    await grown(path)
    path.unlink()
    if state != "missing":
        path.touch()
    if state == "without a table":
        with closing(sqlite3.connect(path)) as db:
            db.execute("PRAGMA journal_mode = WAL")
    assert "there is no backup" in await refused(path)
    (path.parent / "backups").mkdir()
    backup = path.parent / "backups" / "mine.db"
    shutil.copy(path.with_name("earlier.db"), backup)
    assert f"cardroom restore {backup}`" in await refused(path)
    witness.remove(path)
    assert f"cardroom restore {backup}`" in await refused(path)
    store = await open_store(path, accept_older=True)
    assert await store.live_matches() == []
    await store.close()
    await (await open_store(path)).close()


async def test_F_28_the_newest_backup_is_the_one_that_has_come_furthest_whatever_the_clock_said(path: Path) -> None:
    store = await open_store(path)
    for number, name in enumerate(["a.db", "c.db", "b.db"]):
        await opened(store, f"m{number}")
        back_up(path, path.parent / "backups" / name)
        os.utime(path.parent / "backups" / name, (2_000_000_000 - number, 2_000_000_000 - number))
    (path.parent / "backups" / "letter.db").write_text("dear")
    await store.close()
    path.unlink()
    assert "b.db`" in await refused(path)


@pytest.mark.parametrize("kind", ["newer", "another", "without a witness", "with a torn witness"])
async def test_what_is_not_older_is_taken_and_witnessed(path: Path, tmp_path: Path, kind: str) -> None:
    await grown(path)
    if kind == "newer":
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("UPDATE progress SET commits = commits + 7")
    elif kind == "another":
        (tmp_path / "elsewhere").mkdir()
        await (await open_store(tmp_path / "elsewhere" / "cardroom.db")).close()
        shutil.copy(tmp_path / "elsewhere" / "cardroom.db", path)
    elif kind == "without a witness":
        witness.remove(path)
    else:
        path.with_name("cardroom.db.witness").write_text("{")
    store = await open_store(path)
    assert seen(path).progress == store.database.progress
    await store.close()


async def test_F_28_a_restored_or_loaded_database_is_witnessed_and_counts_on(path: Path, tmp_path: Path) -> None:
    earlier = await grown(path)
    furthest = seen(path).progress.commits
    restore(earlier, path)
    assert seen(path).progress.commits > furthest
    shutil.copy(path, tmp_path / "copy.db")
    store = await open_store(path)
    await store.append(record(1), ())
    await store.close()
    shutil.copy(tmp_path / "copy.db", path)
    await refused(path)
    lines = list(dump_lines(earlier))
    for file in tmp_path.glob("cardroom.db*"):
        if file.name != "cardroom.db.witness":
            file.unlink()
    load_dump(lines, path)
    store = await open_store(path)
    assert len(await store.records("m1")) == 1
    await store.close()


async def test_the_documented_way_back_works_and_the_way_forward_again(path: Path, tmp_path: Path) -> None:
    """The earlier version restores the backup of its own tables."""
    later = tmp_path / "later"
    shutil.copytree(TABLES, later)
    (later / f"{LATEST + 1:04}_more.sql").write_text("CREATE TABLE more (a TEXT) STRICT;")
    await grown(path)
    old = path.read_bytes()

    async def open_later() -> None:
        await (await SqliteStore.open(path, now=lambda: NOW, busy_timeout=2000, migrations_folder=later)).close()

    await open_later()
    with pytest.raises(TooNew):
        await open_store(path)
    restore(path.with_name(f"cardroom.db.v{LATEST}.backup"), path)
    store = await open_store(path)
    assert seen(path).progress == store.database.progress
    await opened(store, "back")
    await store.close()
    await open_later()
    path.write_bytes(old)
    assert "lacks writes that were saved" in await refused(path)
