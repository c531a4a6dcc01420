"""The database of a release comes up to date whatever interrupts that: a kill at any step, or a disk that is full."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from bot.store.errors import NotSaved
from bot.store.migrations import LATEST
from bot.store.sqlite.schema import version_of
from bot.store.sqlite.store import SqliteStore
from tests.bot.store.failing_disk import file_size_limit
from tests.upgrades.old import SCHEMAS, OfItsDay, Rows, lay, rows
from tests.upgrades.test_databases import alike, kept, ordered

RELEASES: Final = [version for version in SCHEMAS if isinstance(version, OfItsDay) and version < LATEST]
PAGE: Final = 4096
OF_A_STEP: Final = ("BEGIN", "ALTER", "INSERT", "DROP", "COMMIT")
"""How the statements begin before which a process is killed: between two steps, in one, and before it is committed."""
MORE: Final = 3
"""How many pages more a disk has for each try."""


async def open_and_close(path: Path) -> None:
    await (await SqliteStore.open(path, now=lambda: 1500)).close()


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return version_of(db)


async def assert_whole(path: Path, before: Rows) -> None:
    """The next start has all that there was."""
    await open_and_close(path)
    assert version(path) == LATEST
    assert ordered(alike(kept(before), kept(rows(path)))) == ordered(kept(before))


def connected(monkeypatch: pytest.MonkeyPatch, path: Path, then: Callable[[sqlite3.Connection], object]) -> None:
    """Have `then` called with each new connection to a database."""
    connect = sqlite3.connect

    def connect_and_then(to: Any, *given: Any, **more: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(to, *given, **more)
        if to == path:
            then(connection)
        return connection

    monkeypatch.setattr(sqlite3, "connect", connect_and_then)


@pytest.mark.parametrize("release", RELEASES)
async def test_a_kill_at_any_step_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, release: int) -> None:
    """What a kill leaves is what the files contain at that moment: copies of them stand for it."""
    path = lay(tmp_path, release)
    before = rows(path)
    moments: list[Path] = []

    def copy(statement: str) -> None:
        if statement.startswith(OF_A_STEP) and path.with_name(f"{path.name}-wal").exists():
            moments.append(copied(path, tmp_path / f"killed {len(moments)}"))

    connected(monkeypatch, path, lambda connection: connection.set_trace_callback(copy))
    await open_and_close(path)
    monkeypatch.undo()
    assert len(moments) > 2 * (LATEST - release)
    assert {version(copied(each, each.parent / "looked at")) for each in moments} == {*range(release, LATEST + 1)}
    for each in moments:
        await assert_whole(each, before)


def copied(path: Path, to: Path) -> Path:
    """A database and its WAL, copied into a folder."""
    to.mkdir()
    for file in (path, path.with_name(f"{path.name}-wal")):
        shutil.copy(file, to)
    return to / path.name


@pytest.mark.parametrize("release", RELEASES)
async def test_a_disk_that_gets_full_at_a_step_leaves_the_version_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, release: int
) -> None:
    path = lay(tmp_path, release)
    before, pages = rows(path), path.stat().st_size // PAGE
    connected(monkeypatch, path, lambda connection: connection.execute(f"PRAGMA max_page_count = {pages:d}"))
    left: list[int] = []
    while version(path) < LATEST:
        with contextlib.suppress(NotSaved):
            await open_and_close(path)
        left.append(version(path))
        now = rows(path)
        assert ordered(alike(kept(before), kept(now))) == ordered(kept(before))
        pages += MORE
    monkeypatch.undo()
    assert left == sorted(left)
    assert len({*left}) > (LATEST - release) / 2
    await assert_whole(path, before)


@pytest.mark.parametrize("release", RELEASES)
async def test_without_room_for_a_backup_nothing_changes(tmp_path: Path, release: int) -> None:
    path = lay(tmp_path, release)
    before = rows(path)
    with file_size_limit(path.stat().st_size - PAGE), pytest.raises(NotSaved):
        await open_and_close(path)
    assert version(path) == release
    assert rows(path) == before
    await assert_whole(path, before)
    assert rows(path.with_name(f"{path.name}.v{release}.backup")) == before
