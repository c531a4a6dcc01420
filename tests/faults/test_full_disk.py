"""F-50: a small disk fills up while people play, and backups give way.

As root the disk is a real one of 40 MB, in memory. Elsewhere a quota on the folder stands for it: what is free is
counted, and after each hour the files must fit.
"""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from bot.ops import backups
from bot.ops.backups import Backups
from bot.ops.metrics import Metrics
from bot.store.sqlite import page_copies
from bot.store.sqlite.backup import examine, restore
from bot.store.sqlite.store import SqliteStore
from tests.bot.ops.backup_clock import set_backup_clock
from tests.bot.ops.databases import rows
from tests.bot.store.rows import opened, record
from tests.figures import now

SIZE = 40 * 2**20
WEEK = 7 * 24
BEGIN = datetime(2026, 12, 1, tzinfo=UTC)
MOVES = 22
"""Moves in an hour, each of which takes a page. At the end of the week the database takes more than two fifths of the
disk, and with a whole copy nearly all but what stays free."""
LOOKED_AT = 6
"""After so many hours each the newest backup is read whole."""


@contextmanager
def small_disk(at: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[bool]:
    """A folder with room for `SIZE` bytes; whether it is a real disk."""
    at.mkdir()
    mounted = os.getuid() == 0 and _mounted(at)
    if not mounted:
        monkeypatch.setattr("bot.ops.backups.shutil.disk_usage", lambda _: SimpleNamespace(total=SIZE, free=_free(at)))
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", at], check=True, timeout=30)


def _mounted(at: Path) -> bool:
    """Mount it. Not every container lets its root do so, and not every machine has the program."""
    if shutil.which("mount") is None or shutil.which("umount") is None:
        return False
    command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(at)]
    return subprocess.run(command, capture_output=True, check=False, timeout=30).returncode == 0


def _free(at: Path) -> int:
    return SIZE - sum(file.stat().st_size for file in at.rglob("*") if file.is_file())


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[datetime], None]:
    """Sets the clock that backups are made by."""
    return partial(set_backup_clock, monkeypatch)


@pytest.mark.real_time
async def test_F_50_on_a_disk_of_40_MB_no_move_of_a_week_is_lost_to_backups(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    clock: Callable[[datetime], None],
) -> None:
    monkeypatch.setattr(page_copies, "REST", 0.0)
    folder, metrics = tmp_path / "disk", Metrics()
    rng, made = Random(1), list[int]()
    with small_disk(folder, monkeypatch) as real:
        store = await SqliteStore.open(folder / "cardroom.db", now=lambda: 1500)
        try:
            kept = Backups(store.copies, folder / "backups", metrics)
            await opened(store, "m")
            for hour in range(WEEK):
                for seq in range(hour * MOVES + 1, (hour + 1) * MOVES + 1):
                    await store.append(record(seq, "m", interaction=seq, events=f'["{rng.randbytes(500).hex()}"]'), ())
                clock(BEGIN + timedelta(hours=hour))
                kept.give_way()
                if await kept.back_up() is not None:
                    made.append(hour)
                assert real or _free(folder) > 0
                if hour % LOOKED_AT == 0:
                    newest = backups.kept(folder / "backups")[-1]
                    examine(newest.file)
        finally:
            await store.close()
        left = backups.kept(folder / "backups")
        restore(left[-1].file, tmp_path / "restored.db")
        restored = rows(tmp_path / "restored.db")
        saved = rows(folder / "cardroom.db")
        grown = (folder / "cardroom.db").stat().st_size
    assert len(saved["records"]) == WEEK * MOVES + 1
    assert now(metrics)["cardroom_store_failures_total"] == 0
    assert len(restored["records"]) == (made[-1] + 1) * MOVES + 1
    assert "gave up" in caplog.text
    assert made == [*range(WEEK)], "there was room for one each hour"
    assert grown > SIZE * 0.4
