"""Copies made beside play: each is of one moment, lacks nothing that was changed, and is never half."""

from __future__ import annotations

import asyncio
import errno
import os
import random
import shutil
import signal
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bot.ops import backups
from bot.store.errors import Damaged, NotSaved, StoreError
from bot.store.sqlite import page_copies, schema
from bot.store.sqlite.backup import another_sound, examine, restore, verify_copy
from bot.store.sqlite.changed_pages import LostTrackError, Pages, Run
from bot.store.sqlite.changes_file import HEADER, assemble, read_header
from bot.store.sqlite.page_copies import AlteredError
from bot.store.sqlite.store import SqliteStore
from bot.telemetry import NO_TELEMETRY
from tests import new_database
from tests.bot.ops.databases import ROOT, environment, fill, rows
from tests.bot.store.backup_steps import back_up
from tests.bot.store.open_stores import closed_after
from tests.fork_server import command_server
from tests.known import there

MANY_FRAMES = 10_000
"""Pages of one commit: more than the first two blocks of the WAL-index have."""


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    new_database.lay_out(tmp_path / "cardroom.db")
    (tmp_path / "backups").mkdir()
    store = await SqliteStore.open(tmp_path / "cardroom.db", now=lambda: 1500)
    yield store
    await store.close()


async def pair(store: SqliteStore, rng: random.Random, count: int = 1) -> None:
    """Write two rows far from each other that always have the same value, or so many such pairs in one commit."""

    def write(db: sqlite3.Connection) -> None:
        for _ in range(count):
            row, value = rng.randrange(2000), rng.randbytes(rng.randrange(1200)).hex()
            for side in "ab":
                db.execute("INSERT OR REPLACE INTO facts (key, value) VALUES (?, ?)", (f"{side}{row}", value))

    await store.database.write(write)


def facts(path: Path) -> dict[str, str]:
    with closing(sqlite3.connect(path)) as db:
        return dict(db.execute("SELECT key, value FROM facts"))


async def facts_now(store: SqliteStore) -> dict[str, str]:
    return await store.database.read(lambda db: dict(db.execute("SELECT key, value FROM facts").fetchall()))


def assembled(changes: Path) -> Path:
    """The whole database of a backup with changes."""
    to = changes.with_suffix(".whole")
    assemble(changes, to)
    verify_copy(to)
    return to


@pytest.mark.real_time
async def test_copies_beside_writes_are_each_of_one_moment_and_lack_nothing(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_copies, "SLICE", 16)
    monkeypatch.setattr(page_copies, "FEW", 50)
    rng, written = random.Random(1), 0
    await pair(store, rng, 500)

    async def write_on() -> None:
        nonlocal written
        while True:
            await pair(store, rng)
            written += 1
            await asyncio.sleep(0.005)

    writing = asyncio.create_task(write_on())
    whole = tmp_path / "backups" / "whole.db"
    await store.copies.whole(whole)
    copies = [whole]
    assert written > 5, "it goes on meanwhile"
    for number in range(4):
        until = written + 20
        while written < until:  # noqa: ASYNC110  it counts, and nothing else happens here
            await asyncio.sleep(0.01)
        await store.copies.compare(whole, None)
        copies.append(tmp_path / "backups" / f"{number}.pages")
        await store.copies.changes(copies[-1])
    writing.cancel()
    await asyncio.gather(writing, return_exceptions=True)
    for copy in copies:
        kept = facts(copy if copy is whole else assembled(copy))
        assert len(kept) > 400
        assert [key for key in kept if kept[key] != kept[f"{'b' if key[0] == 'a' else 'a'}{key[1:]}"]] == []
    await store.copies.changes(tmp_path / "backups" / "last.pages")
    assert facts(assembled(tmp_path / "backups" / "last.pages")) == await facts_now(store)


async def test_after_a_copy_that_could_not_be_finished_the_next_one_lacks_nothing(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was written just before the file was to be kept as it is, which failed, is noted no second time."""
    rng, whole, changes = random.Random(1), tmp_path / "backups" / "whole.db", tmp_path / "backups" / "next.pages"
    await pair(store, rng, 500)
    await store.copies.whole(whole)
    await store.copies.compare(whole, None)
    read = store.database.read

    async def after_a_write(work: Callable[[sqlite3.Connection], Any]) -> Any:
        await pair(store, rng, 20)
        return await read(work)

    def no_more_files(*_: object, **__: object) -> sqlite3.Connection:
        raise sqlite3.OperationalError("unable to open database file")

    with monkeypatch.context() as failing:
        failing.setattr(store.database, "read", after_a_write)
        failing.setattr(page_copies, "connect_to", no_more_files)
        with pytest.raises(sqlite3.OperationalError):
            await store.copies.changes(changes)
    await store.copies.compare(whole, None)
    await store.copies.changes(changes)
    assert facts(assembled(changes)) == await facts_now(store)


async def test_the_wal_is_moved_into_the_file_while_a_copy_is_made(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_copies, "SLICE", 16)
    monkeypatch.setattr(page_copies, "FEW", 10)
    await pair(store, random.Random(1), 500)
    emptied = []

    async def rested(work: object) -> object:
        await pair(store, random.Random(2))
        emptied.append(await store.database.checkpoint(overdue=True))
        return work()  # type: ignore[operator]  # whatever is to be done

    monkeypatch.setattr(page_copies, "_rested", rested)
    await store.copies.whole(tmp_path / "backups" / "whole.db")
    assert len(emptied) > 3
    assert all(emptied)


async def test_the_pages_of_a_commit_are_found_in_every_block_of_the_wal_index(
    store: SqliteStore, tmp_path: Path
) -> None:
    whole, changes = tmp_path / "backups" / "whole.db", tmp_path / "backups" / "changes.pages"
    await store.copies.whole(whole)

    def write(db: sqlite3.Connection) -> None:
        content = "x" * 4000
        db.executemany(
            "INSERT INTO facts (key, value) VALUES (?, ?)", ((f"k{row}", content) for row in range(MANY_FRAMES))
        )

    await store.database.write(write)
    assert await store.copies.compare(whole, None) > MANY_FRAMES * 4096
    await store.copies.changes(changes)
    assert read_header(changes).changed > MANY_FRAMES
    assert facts(assembled(changes)) == await facts_now(store)


async def test_a_new_process_finds_out_what_has_changed_by_comparing(store: SqliteStore, tmp_path: Path) -> None:
    whole, changes = tmp_path / "backups" / "whole.db", tmp_path / "backups" / "changes.pages"
    await pair(store, random.Random(1), 300)
    await store.copies.whole(whole)
    await store.copies.compare(whole, None)
    await store.copies.changes(changes)
    await pair(store, random.Random(2))
    await store.close()
    async with closed_after(SqliteStore.open(tmp_path / "cardroom.db", now=lambda: 1500)) as again:
        await pair(again, random.Random(3))
        size = await again.copies.compare(whole, read_header(changes).base_sum)
        assert 0 < size < whole.stat().st_size / 4
        await again.copies.changes(changes)
        assert facts(assembled(changes)) == await facts_now(again)
        with pytest.raises(AlteredError, match="is not as it was"):
            await PageCopiesAnew(again, tmp_path).compare(whole, 1)


def PageCopiesAnew(store: SqliteStore, folder: Path) -> page_copies.PageCopies:  # noqa: N802  stands for the class
    """Copies that know nothing yet. Their files are closed by nobody until the store is."""
    return page_copies.PageCopies(store.database, folder / "cardroom.db")


async def test_what_another_program_writes_is_noticed_and_looked_for(store: SqliteStore, tmp_path: Path) -> None:
    whole, changes = tmp_path / "backups" / "whole.db", tmp_path / "backups" / "changes.pages"
    await pair(store, random.Random(1))
    await store.copies.whole(whole)
    with closing(sqlite3.connect(tmp_path / "cardroom.db")) as db:
        db.execute("INSERT INTO facts (key, value) VALUES ('not', 'ours')")
        db.commit()
    await pair(store, random.Random(2))
    with pytest.raises(LostTrackError):
        await store.copies.compare(whole, None)
    await store.copies.compare(whole, None)
    await store.copies.changes(changes)
    assert facts(assembled(changes))["not"] == "ours"


async def test_a_reader_that_stays_delays_a_copy_and_then_it_is_made(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_copies, "TRIES", 1)
    with closing(sqlite3.connect(tmp_path / "cardroom.db", isolation_level=None)) as db:
        await pair(store, random.Random(1))
        db.execute("BEGIN")
        db.execute("SELECT count(*) FROM facts").fetchone()
        await pair(store, random.Random(2))
        with pytest.raises(StoreError, match="another program keeps reading"):
            await store.copies.whole(tmp_path / "backups" / "whole.db")
    assert list((tmp_path / "backups").iterdir()) == []
    await store.copies.whole(tmp_path / "backups" / "whole.db")


@pytest.mark.parametrize("at", ["copied", "read to its end"])
async def test_a_copy_that_is_called_off_leaves_nothing_and_another_is_made(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    monkeypatch.setattr(page_copies, "FEW", 10)
    await pair(store, random.Random(1), 500)
    whole = tmp_path / "backups" / "whole.db"
    copying = asyncio.create_task(store.copies.whole(whole))

    async def rested(work: object) -> None:
        copying.cancel()
        await asyncio.sleep(0)

    def read(_copy: Path, opened: Callable[[sqlite3.Connection], None], **_: bool) -> None:
        with closing(sqlite3.connect(":memory:", check_same_thread=False)) as endless:
            opened(endless)
            loop.call_soon_threadsafe(copying.cancel)
            endless.execute("WITH RECURSIVE n (a) AS (VALUES (1) UNION ALL SELECT a FROM n) SELECT count(*) FROM n")

    loop = asyncio.get_running_loop()
    with monkeypatch.context() as patch:
        if at == "copied":
            patch.setattr(page_copies, "_rested", rested)
        else:
            patch.setattr(page_copies, "verify_copy", read)
        with pytest.raises(asyncio.CancelledError):
            await copying
    assert list((tmp_path / "backups").iterdir()) == []
    await store.copies.whole(whole)
    examine(whole)


async def test_the_thread_that_reads_a_copy_gives_way_only_to_sqlite_and_nobody_waits_for_its_end(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it has Python's lock, or is waited for, everybody waits for the processor with it."""
    steps: list[str] = []
    examined = schema.examine_schema

    class Threads(ThreadPoolExecutor):
        def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
            steps.append("is waited for" if wait else "ends by itself")
            super().shutdown(wait, cancel_futures=cancel_futures)

    def examine_schema(*given: Any) -> int:
        steps.append("examines the tables")
        return examined(*given)

    monkeypatch.setattr("bot.store.sqlite.backup.examine_schema", examine_schema)
    monkeypatch.setattr(page_copies, "ThreadPoolExecutor", Threads)
    monkeypatch.setattr(page_copies, "_give_way", lambda: steps.append("gives way"))
    async with store.copies.lock:
        await store.copies.whole(tmp_path / "backups" / "whole.db")
    assert steps == ["examines the tables", "gives way", "ends by itself"]


def test_pages_are_kept_as_runs() -> None:
    pages = Pages()
    for run in (Run(3, 2), Run(9, 1), Run(4, 3)):
        pages.add(run)
    assert [*pages.runs(longest=10)] == [Run(3, 4), Run(9, 1)]
    assert [*pages.runs(longest=3)] == [Run(3, 3), Run(6, 1), Run(9, 1)]
    more = Pages(all_up_to=2)
    more.update(pages)
    assert (len(more), [*more.runs(longest=10)]) == (7, [Run(1, 6), Run(9, 1)])


# ------------------------------------------------------------------------------------------ killed, or full


def sound_ones(folder: Path) -> list[Path]:
    """The backups that are there, each of which can be restored."""
    found = [each.file for each in backups.kept(folder / "backups")]
    now = rows(folder / "cardroom.db")
    for file in found:
        restored = folder / "restored"
        shutil.rmtree(restored, ignore_errors=True)
        restored.mkdir()
        restore(file, restored / "cardroom.db")  # which refuses what is not sound
        assert {**rows(restored / "cardroom.db"), "facts": []} == {**now, "facts": []}
    return found


async def made_at_each_step(tmp_path: Path, befalls: Callable[[Path, int], Awaitable[bool]]) -> set[int]:
    """Have something befall a backup at each of its steps; it says whether there was such a step. Returns how many
    backups there were afterwards."""
    await fill(tmp_path / "cardroom.db")
    made = set()
    for step in count(1):
        folder = tmp_path / str(step)
        folder.mkdir()
        shutil.copy(tmp_path / "cardroom.db", folder)
        happened = await befalls(folder, step)
        made.add(len(sound_ones(folder)))
        assert await back_up(folder, 0, lambda: None) == (True, True)
        assert not list((folder / "backups").glob("*.unfinished"))
        sound_ones(folder)
        shutil.rmtree(folder)
        if not happened:
            assert step > 15
            return made
    raise AssertionError


@pytest.mark.real_time
async def test_a_backup_killed_at_any_step_leaves_only_whole_ones_and_the_next_one_is_made(tmp_path: Path) -> None:
    async def killed(folder: Path, step: int) -> bool:
        ended = await asyncio.to_thread(
            command_server().run,
            "tests.bot.store.backup_steps",
            str(folder),
            str(step),
            environ=environment(folder),
            folder=ROOT,
        )
        assert ended.returncode in {0, -signal.SIGKILL}, ended.stderr
        return ended.returncode != 0

    assert await made_at_each_step(tmp_path, killed) == {0, 1, 2}


@pytest.mark.real_time
async def test_a_disk_that_is_full_at_any_step_leaves_only_whole_ones_and_the_next_one_is_made(tmp_path: Path) -> None:
    def full() -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    async def filled(folder: Path, step: int) -> bool:
        happened, _ = await back_up(folder, step, full)
        return happened

    assert await made_at_each_step(tmp_path, filled) == {1, 2}, "the second one is made as a whole one then"


# ------------------------------------------------------------------------------------------ broken chains


@pytest.fixture
async def chain(store: SqliteStore, tmp_path: Path) -> tuple[Path, Path, Path]:
    """A whole backup, and two with what changed since."""
    folder = tmp_path / "backups"
    kept = backups.Backups(store.copies, folder, NO_TELEMETRY)
    made = []
    for number in range(3):
        await pair(store, random.Random(number))
        made.append(there(await kept.back_up()))
    whole, first, second = made
    return whole, first, second


async def test_a_backup_of_changes_with_any_altered_byte_is_refused(
    chain: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    _, first, second = chain
    content = second.read_bytes()
    rng = random.Random(1)
    said = len(content[:HEADER].rstrip())  # what follows are spaces
    for place in (*range(said), *rng.sample(range(HEADER, len(content)), 200)):
        altered = bytearray(content)
        altered[place] ^= 1 << rng.randrange(8)
        second.write_bytes(altered)
        with pytest.raises((Damaged, NotSaved)):
            examine(second)
    second.write_bytes(content[:-100])
    with pytest.raises(Damaged):
        restore(second, tmp_path / "restored.db")
    assert not (tmp_path / "restored.db").exists()
    assert another_sound(second) == first


async def test_what_needs_an_altered_or_missing_backup_is_refused(chain: tuple[Path, Path, Path]) -> None:
    whole, first, second = chain
    content = bytearray(whole.read_bytes())
    content[-1] ^= 1
    whole.write_bytes(content)
    for changes in (first, second):
        with pytest.raises(Damaged, match=f"needs {whole.name}, which is not as it was"):
            examine(changes)
    whole.unlink()
    with pytest.raises(NotSaved, match=f"needs {whole.name} beside it, which is missing"):
        examine(second)
    assert another_sound(second) is None
