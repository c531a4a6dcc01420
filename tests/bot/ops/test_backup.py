"""`cardroom backup`, `check-backup` and `restore` on real files, and the backups a running bot makes."""

# ruff: noqa: ASYNC240  nobody else is on the loop while a test looks at a small file
# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
import logging
import re
import shutil
import sqlite3
import stat
from contextlib import closing
from datetime import datetime, tzinfo
from pathlib import Path

import pytest

from bot.ops import backups
from bot.ops.metrics import Metrics
from bot.store.sqlite.backup import verify_copy
from bot.store.sqlite.store import SqliteStore
from bot.telemetry import NO_TELEMETRY
from discord_sandbox import Sandbox
from tests.bot.ops.databases import ROOT, cardroom, fill, refused, rows
from tests.bot.store.rows import opened, record
from tests.bot.store.test_opening import ADDED
from tests.end_to_end.cardroom import eventually
from tests.faults.bot_process import forked
from tests.figures import now
from tests.fork_server import ForkServer


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
    store = await SqliteStore.open(tmp_path / "cardroom.db", now=lambda: 1500)
    try:
        await opened(store, "late")  # stands in the journal only
        done = await asyncio.to_thread(cardroom, tmp_path, "backup", tmp_path / "copy" / "b.db")
        await store.append(record(1, "late"), ())
    finally:
        await store.close()
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


def test_a_file_that_is_there_is_never_written_over(path: Path) -> None:
    there = path.parent / "letter"
    there.write_text("dear")
    assert "exists" in refused(cardroom(path.parent, "backup", there), 1)
    assert there.read_text() == "dear"


def test_a_backup_of_nothing_makes_nothing(tmp_path: Path) -> None:
    refused(cardroom(tmp_path, "backup"), 73)
    assert not (tmp_path / "cardroom.db").exists()


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


def test_restore_where_nothing_was(path: Path, tmp_path: Path) -> None:
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    assert cardroom(fresh, "restore", path).returncode == 0
    assert rows(fresh / "cardroom.db") == rows(path)


@pytest.mark.real_time
async def test_restore_is_refused_while_a_bot_has_the_database(path: Path) -> None:
    cardroom(path.parent, "backup", path.parent / "b.db")
    store = await SqliteStore.open(path, now=lambda: 1500)
    try:
        line = refused(await asyncio.to_thread(cardroom, path.parent, "restore", path.parent / "b.db"), 73)
        assert "stop it first" in line
    finally:
        await store.close()
    assert not list(path.parent.glob("*.replaced-*"))


def test_a_wrong_setting_ends_every_command(path: Path) -> None:
    for arguments in (["backup"], ["check-backup", path], ["restore", path]):
        refused(cardroom(path.parent, *arguments, CARDROOM_BACKUP_HOURS="often"), 78)


# ------------------------------------------------------------------------------------------ by the running bot


def test_one_backup_an_interval_and_no_more_kept_than_wanted(path: Path) -> None:
    folder = path.parent / "backups"
    folder.mkdir()
    others = [folder / "cardroom-20200101T000000Z.db", folder / "notes.txt"]
    old = [folder / f"hourly-00000{day}-2020010{day}T000000Z.db" for day in range(1, 6)]
    for file in [*others, *old, folder / "hourly-000009-20200109T000000Z.db.unfinished"]:
        file.touch()
    metrics = Metrics()
    new = backups.back_up_once(path, folder, 3, metrics, every=3600)
    assert new is not None
    assert verify_copy(new).live == 1
    assert set(folder.iterdir()) == {*others, *old[-2:], new}
    assert backups.back_up_once(path, folder, 3, metrics, every=3600) is None
    assert now(metrics)["cardroom_backup_failures_total"] == 0  # none was due
    assert 3500 < backups.until_due(folder, 3600) <= 3600


def test_a_clock_set_back_does_not_end_the_backups(path: Path) -> None:
    folder = path.parent / "backups"
    folder.mkdir()
    (folder / "hourly-000001-29990101T000000Z.db").touch()
    assert backups.until_due(folder, 3600) == 0


def at(moment: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the clock that backups are made by."""

    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Clock:
            return cls.fromisoformat(moment).astimezone(tz)

    monkeypatch.setattr("bot.ops.backups.datetime", Clock)
    monkeypatch.setattr("bot.store.sqlite.backup.datetime", Clock)


def test_F_30_a_clock_that_was_ahead_makes_no_backup_remove_itself(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    folder = path.parent / "backups"
    for hour in range(4):
        at(f"2026-02-01T{hour:02}:00:00+00:00", monkeypatch)
        assert backups.back_up_once(path, folder, 4, NO_TELEMETRY, every=3600) is not None
    caplog.clear()
    new = []
    for hour in range(3):
        at(f"2026-01-01T{hour:02}:00:00+00:00", monkeypatch)
        made = backups.back_up_once(path, folder, 4, NO_TELEMETRY, every=3600)
        assert made is not None
        new.append(made)
        assert backups.back_up_once(path, folder, 4, NO_TELEMETRY, every=3600) is None, "one an hour"
        assert backups.made(folder)[-len(new) :] == new
    assert len(backups.made(folder)) == 4
    assert "1 backups have names of the future" in caplog.messages[-1]


async def test_F_30_a_backup_before_a_purge_is_made_at_once_and_the_last_three_are_kept(path: Path) -> None:
    folder = path.parent / "backups"
    hourly = backups.back_up_once(path, folder, 1, NO_TELEMETRY)
    safeguard = backups.PurgeSafeguard(path, folder, NO_TELEMETRY)
    for _ in range(4):
        assert await safeguard.back_up()
    assert [file.name[:13] for file in backups.made(folder, backups.BEFORE_PURGE)] == [
        "purge-000003-",
        "purge-000004-",
        "purge-000005-",
    ]
    assert backups.made(folder) == [hourly]
    spoil(path)
    assert not await safeguard.back_up()


@pytest.mark.parametrize(
    ("moment", "doubt"),
    [
        ("2001-01-01T00:00:00+00:00", "before this program was released"),
        ("2029-12-31T23:00:00+00:00", "before the newest backup"),
        ("2030-01-01T00:00:00+00:00", ""),
        ("2059-01-01T00:00:00+00:00", ""),
    ],
)
def test_F_30_a_clock_before_the_release_or_the_newest_backup_is_doubted(
    tmp_path: Path, moment: str, doubt: str
) -> None:
    for name in ("hourly-000001-20400101T000000Z.db", "purge-000002-20300101T000000Z.db"):
        (tmp_path / name).touch()
    safeguard = backups.PurgeSafeguard(tmp_path / "cardroom.db", tmp_path, NO_TELEMETRY)
    assert safeguard.clock_doubt(round(datetime.fromisoformat(moment).timestamp() * 1000)) == doubt
    nowhere = backups.PurgeSafeguard(tmp_path / "cardroom.db", tmp_path / "nowhere", NO_TELEMETRY)
    assert nowhere.clock_doubt(round(datetime.fromisoformat("2029-12-31T23:00:00+00:00").timestamp() * 1000)) == ""


def test_the_day_of_the_newest_release_is_that_of_the_changelog() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    days = re.findall(r"^## \[[\d.]+\] - (\d{4}-\d{2}-\d{2})$", changelog, re.MULTILINE)
    assert f"{backups.RELEASED:%Y-%m-%d}" == max(days, default="2026-11-22")


def test_a_backup_that_fails_is_logged_and_counted_and_leaves_nothing(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    metrics = Metrics()
    folder = path.parent / "backups"
    folder.write_text("in the way")
    with caplog.at_level(logging.ERROR):
        assert backups.back_up_once(path, folder, 3, metrics) is None
    assert "the backup failed" in caplog.text
    assert now(metrics)["cardroom_backup_failures_total"] == 1
    folder.unlink()
    spoil(path)
    caplog.clear()
    with caplog.at_level(logging.ERROR):
        assert backups.back_up_once(path, folder, 3, metrics) is None
    assert "the backup failed" in caplog.text
    assert now(metrics)["cardroom_backup_failures_total"] == 2
    assert list(folder.iterdir()) == []


@pytest.mark.real_time
async def test_the_running_bot_backs_up_by_itself(tmp_path: Path, fork_server: ForkServer) -> None:
    async def twice() -> bool:
        return len(backups.made(tmp_path / "backups")) == 2

    async with (
        Sandbox.running() as sandbox,
        forked(fork_server, sandbox, tmp_path, CARDROOM_BACKUP_HOURS="0.0003", CARDROOM_BACKUPS_KEPT="2") as bot,
    ):
        await eventually(twice, tries=2000)
        assert await bot.stop() == 0
    for copy in backups.made(tmp_path / "backups"):
        assert verify_copy(copy).version > 0


async def test_no_backups_where_none_are_wanted(tmp_path: Path) -> None:
    async def never() -> None:
        raise AssertionError

    never_due = backups.keep(tmp_path / "cardroom.db", tmp_path / "backups", 0, 1, NO_TELEMETRY, checkpoint=never)
    await asyncio.wait_for(never_due, 1)
    assert not (tmp_path / "backups").exists()
