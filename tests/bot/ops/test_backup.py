"""`cardroom backup`, `check-backup` and `restore` on real files."""

# ruff: noqa: ASYNC240  nobody else is on the loop while a test looks at a small file

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.errors import NotSaved
from bot.store.sqlite import backup
from bot.store.sqlite.store import SqliteStore
from tests.bot.ops.databases import cardroom, fill, refused, rows
from tests.bot.store.failing_disk import file_size_limit
from tests.bot.store.open_stores import closed_after
from tests.bot.store.rows import opened, record
from tests.bot.store.test_opening import ADDED


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    """A database with something in it."""
    await fill(tmp_path / "cardroom.db")
    return tmp_path / "cardroom.db"


def spoil(file: Path) -> None:
    """Damage the middle of a database file."""
    content = bytearray(file.read_bytes())
    content[4096 : len(content) - 4096] = b"\xa5" * (len(content) - 8192)
    file.write_bytes(content)


def versioned(file: Path, version: int) -> None:
    """Give a database file another version."""
    with closing(sqlite3.connect(file)) as db:
        db.execute(f"PRAGMA user_version = {version}")


# ------------------------------------------------------------------------------------------ backup


async def test_a_backup_of_a_database_in_use_holds_all_that_is_committed(tmp_path: Path) -> None:
    await fill(tmp_path / "cardroom.db")
    async with closed_after(SqliteStore.open(tmp_path / "cardroom.db", now=lambda: 1500)) as store:
        await opened(store, "late")  # stands in the journal only
        done = await asyncio.to_thread(cardroom, tmp_path, "backup", tmp_path / "copy" / "b.db")
        await store.append(record(1, "late"), ())
    assert done.returncode == 0, done.stderr
    assert "3 matches (2 live)" in done.stdout
    copy = tmp_path / "copy" / "b.db"
    assert [entry.name for entry in copy.parent.iterdir()] == ["b.db"]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    kept = rows(copy)
    assert len(kept["records"]) + 1 == len(rows(tmp_path / "cardroom.db")["records"])


def test_without_a_name_it_goes_to_the_folder_of_backups(path: Path) -> None:
    assert cardroom(path.parent, "backup").returncode == 0
    (made,) = (path.parent / "backups").iterdir()
    assert rows(made) == rows(path)


@pytest.mark.parametrize("command", ["backup", "dump"])
def test_a_file_that_is_there_is_never_written_over(path: Path, command: str) -> None:
    there = path.parent / "letter"
    there.write_text("dear")
    assert "exists" in refused(cardroom(path.parent, command, there), 1)
    assert there.read_text() == "dear"


@pytest.mark.parametrize("command", ["backup", "dump", "rebuild-standings"])
def test_where_there_is_no_database_none_is_made(tmp_path: Path, command: str) -> None:
    refused(cardroom(tmp_path, command, *([] if command == "rebuild-standings" else [tmp_path / "made"])), 73)
    assert not [*tmp_path.glob("cardroom.db"), *tmp_path.glob("made*")]


def test_a_damaged_database_gives_no_backup(path: Path) -> None:
    spoil(path)
    refused(cardroom(path.parent, "backup", path.parent / "b.db"), 73)
    assert not (path.parent / "b.db").exists()
    assert not (path.parent / "b.db.unfinished").exists()


# ------------------------------------------------------------------------------------------ check-backup


def test_a_sound_backup_is_told_with_what_it_holds(path: Path) -> None:
    cardroom(path.parent, "backup", path.parent / "b.db")
    before = (path.parent / "b.db").read_bytes()
    done = cardroom(path.parent, "check-backup", path.parent / "b.db")
    assert done.returncode == 0
    assert "is sound: tables of version" in done.stdout
    assert "2 matches (1 live), 4 records" in done.stdout
    assert (path.parent / "b.db").read_bytes() == before
    assert sorted(entry.name for entry in path.parent.glob("b.db*")) == ["b.db"]


@pytest.mark.parametrize(
    "fault", ["missing", "damaged", "text", "empty", "newer", "dangling", "trigger", "view", "table", "index"]
)
def test_an_unsound_backup_is_refused_and_never_restored(path: Path, fault: str) -> None:
    copy = path.parent / "b.db"
    before = rows(path)
    if fault != "missing":
        shutil.copy(path, copy)
    if fault == "damaged":
        spoil(copy)
    elif fault == "text":
        copy.write_text("not a database, whatever it is called")
    elif fault == "empty":
        copy.write_bytes(b"")
    elif fault == "newer":
        versioned(copy, 999)
    elif fault == "dangling":
        with closing(sqlite3.connect(copy)) as db:
            db.execute("DELETE FROM matches")
            db.commit()
    elif fault in ADDED:
        with closing(sqlite3.connect(copy)) as db:
            db.executescript(ADDED[fault])
    refused(cardroom(path.parent, "check-backup", copy), 1)
    refused(cardroom(path.parent, "restore", copy), 1)
    assert rows(path) == before
    assert not list(path.parent.glob("*.replaced-*"))


def test_a_backup_that_may_not_be_read_is_not_called_damaged(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    with pytest.raises(NotSaved, match=r"may not read .*cardroom\.db"):
        backup.examine(path)


# ------------------------------------------------------------------------------------------ restore


@pytest.mark.real_time
async def test_restore_puts_the_backup_in_place_and_keeps_what_was_there(path: Path) -> None:
    folder = path.parent
    cardroom(folder, "backup", folder / "b.db")
    before = rows(path)
    store = await SqliteStore.open(path, now=lambda: 1500)
    await opened(store, "late")
    await store.close()
    after = rows(path)

    done = cardroom(folder, "restore", folder / "b.db")
    assert done.returncode == 0, done.stderr
    assert rows(path) == before
    (kept,) = folder.glob("cardroom.db.replaced-*")
    assert str(kept) in done.stdout
    assert rows(kept) == after
    store = await SqliteStore.open(path, now=lambda: 1500)
    assert {each.id for each in await store.live_matches()} == {"live0"}
    await store.close()


@pytest.mark.real_time
async def test_what_stood_in_the_journal_is_kept_too(path: Path, tmp_path: Path) -> None:
    cardroom(tmp_path, "backup", tmp_path / "b.db")
    store = await SqliteStore.open(path, now=lambda: 1500)
    await opened(store, "late")
    killed = tmp_path / "killed"  # the files as a killed process leaves them
    killed.mkdir()
    for file in (path, path.with_name("cardroom.db-wal")):
        shutil.copy(file, killed / file.name)
    await store.close()
    assert cardroom(killed, "restore", tmp_path / "b.db").returncode == 0
    (kept,) = killed.glob("cardroom.db.replaced-*Z")
    assert any("late" in row for row in rows(kept)["matches"])
    assert not (killed / "cardroom.db-wal").exists()


@pytest.mark.real_time
async def test_a_damaged_database_is_kept_as_it_is(path: Path) -> None:
    cardroom(path.parent, "backup", path.parent / "b.db")
    path.write_bytes(b"junk" * 5000)
    path.with_name("cardroom.db-wal").write_bytes(b"journal")
    assert cardroom(path.parent, "restore", path.parent / "b.db").returncode == 0
    (kept,) = path.parent.glob("cardroom.db.replaced-*Z")
    assert kept.read_bytes() == b"junk" * 5000
    assert kept.with_name(f"{kept.name}-wal").read_bytes() == b"journal"
    assert rows(path) == rows(path.parent / "b.db")


def test_a_disk_without_room_for_what_is_restored_is_named_and_not_the_backup(path: Path, tmp_path: Path) -> None:
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    with file_size_limit(100_000), pytest.raises(NotSaved, match="the disk"):
        backup.restore(path, fresh / "cardroom.db")
    assert [entry.name for entry in fresh.iterdir()] == ["cardroom.db.lock"]


def test_a_disk_without_room_for_the_former_database_leaves_it_alone_and_no_part_of_a_copy(path: Path) -> None:
    copy = path.rename(path.with_name("b.db"))
    path.write_bytes(b"junk" * 500_000)
    path.with_name("cardroom.db-wal").write_bytes(b"journal")
    with file_size_limit(1_500_000), pytest.raises(OSError, match="File too large"):
        backup.restore(copy, path)
    assert path.read_bytes() == b"junk" * 500_000
    assert path.with_name("cardroom.db-wal").read_bytes() == b"journal"
    assert not [*path.parent.glob("*.replaced-*")]


def test_restore_where_nothing_was(path: Path, tmp_path: Path) -> None:
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    assert cardroom(fresh, "restore", path).returncode == 0
    assert rows(fresh / "cardroom.db") == rows(path)


@pytest.mark.real_time
async def test_restore_is_refused_while_a_bot_has_the_database(path: Path) -> None:
    cardroom(path.parent, "backup", path.parent / "b.db")
    async with closed_after(SqliteStore.open(path, now=lambda: 1500)):
        line = refused(await asyncio.to_thread(cardroom, path.parent, "restore", path.parent / "b.db"), 73)
        assert "stop it first" in line
    assert not list(path.parent.glob("*.replaced-*"))


def test_a_wrong_setting_ends_every_command(path: Path) -> None:
    for arguments in (["backup"], ["check-backup", path], ["restore", path]):
        refused(cardroom(path.parent, *arguments, CARDROOM_BACKUP_HOURS="often"), 78)
