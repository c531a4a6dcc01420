"""Disks that fill up or fail, other programs' locks: nothing half is left, and the store lives on."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.errors import Busy, NotSaved
from bot.store.sqlite.store import SqliteStore
from tests import new_database
from tests.bot.store.failing_disk import file_size_limit, limit_pages, locked_by_another
from tests.bot.store.open_stores import closed_after
from tests.bot.store.rows import ANN, BOB, GAME, GUILD, deal, match, opened, record, result, timer

LARGE = '["' + "x" * 200_000 + '"]'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cardroom.db"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqliteStore]:
    new_database.lay_out(path)
    store = await SqliteStore.open(path, now=lambda: 1500, busy_timeout=100)
    yield store
    await store.close()


async def assert_untouched(store: SqliteStore) -> None:
    """The match `m1` is as `opened` left it."""
    assert await store.live_matches() == [match()]
    assert await store.records("m1") == [deal()]
    assert await store.timers("m1") == [timer()]
    assert await store.result("m1") is None
    assert await store.count_ranked(GUILD, GAME) == 0
    assert await store.match_of_interaction(71) is None


# ------------------------------------------------------------------------------------------ the disk


async def test_a_full_disk_saves_nothing_and_a_free_one_saves_again(store: SqliteStore) -> None:
    await opened(store, timers=(timer(),))
    await limit_pages(store, 2)
    with pytest.raises(NotSaved, match="disk is full") as caught:
        await store.append(record(1, interaction=71, events=LARGE), [timer("2")], result())
    assert caught.value.reason == "the disk is full"
    await assert_untouched(store)
    await limit_pages(store, 1000)
    await store.append(record(1, interaction=71, events=LARGE), [timer("2")], result())
    assert await store.count_ranked(GUILD, GAME) == 2


async def test_a_full_disk_in_a_group_fails_at_most_those_who_need_it(store: SqliteStore) -> None:
    await opened(store, timers=(timer(),))
    await opened(store, "m2")
    await limit_pages(store, 2)
    small, large = await asyncio.gather(
        store.append(record(1, "m2"), ()),
        store.append(record(1, interaction=71, events=LARGE), [timer("2")], result()),
        return_exceptions=True,
    )
    assert isinstance(large, NotSaved)
    assert small is None or isinstance(small, NotSaved)
    assert len(await store.records("m2")) == (2 if small is None else 1)
    assert await store.records("m1") == [deal()]
    assert await store.count_ranked(GUILD, GAME) == 0


async def test_a_file_that_cannot_grow_saves_nothing(store: SqliteStore, path: Path) -> None:
    await opened(store, timers=(timer(),))
    size = path.with_name(f"{path.name}-wal").stat().st_size
    with file_size_limit(size + 10_000):
        for _ in range(3):
            with pytest.raises(NotSaved):
                await store.append(record(1, interaction=71, events=LARGE), [timer("2")], result())
            await assert_untouched(store)
    await store.append(record(1, interaction=71, events=LARGE), [timer("2")], result())
    assert await store.count_ranked(GUILD, GAME) == 2


async def test_a_database_that_may_only_be_read_is_read(store: SqliteStore) -> None:
    await opened(store, timers=(timer(),))
    await store.database.read(lambda db: db.execute("PRAGMA query_only = ON").close())
    with pytest.raises(NotSaved, match="read-only"):
        await store.append(record(1, interaction=71), [timer("2")], result())
    await assert_untouched(store)


@pytest.mark.parametrize("table", ["timers", "results", "seats", "standings"])
async def test_a_fault_at_any_step_of_the_end_leaves_nothing_of_it(store: SqliteStore, table: str) -> None:
    """A trigger stands for the fault: behind the record, the timers, the result, and the first seat's standing."""
    await opened(store, timers=(timer(),))
    event = {"timers": "DELETE", "seats": "UPDATE"}.get(table, "INSERT")
    when = f"WHEN NEW.user_id = {BOB}" if table == "standings" else ""
    await store.database.write(
        lambda db: db.execute(
            f"CREATE TRIGGER fault BEFORE {event} ON {table} {when} BEGIN SELECT raise(ABORT, 'fault'); END"
        ).close()
    )
    with pytest.raises(sqlite3.IntegrityError, match="fault"):
        await store.append(record(1, interaction=71), [timer("2")], result())
    await assert_untouched(store)
    assert await store.standing(GUILD, GAME, ANN) is None
    await store.database.write(lambda db: db.execute("DROP TRIGGER fault").close())
    await store.append(record(1, interaction=71), [timer("2")], result())
    assert await store.count_ranked(GUILD, GAME) == 2


async def test_errors_and_debug_logs_hold_no_values(store: SqliteStore, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    await opened(store, "m1", timers=(timer(),))
    secret = '["KS QH"]'
    await store.append(record(1, events=secret), ())
    await limit_pages(store, 0)
    with pytest.raises(NotSaved) as caught:
        await store.append(record(2, events=f"[{secret},{LARGE}]"), ())
    assert await store.records("m1")
    assert "KS" not in caplog.text
    assert "KS" not in repr(caught.value) + repr(caught.value.__cause__)
    assert any(entry.name == "aiosqlite" for entry in caplog.records)


# ------------------------------------------------------------------------------------------ other programs


@pytest.mark.real_time
async def test_a_locked_database_is_busy_and_is_read_meanwhile(store: SqliteStore, path: Path) -> None:
    await opened(store, timers=(timer(),))
    with locked_by_another(path):
        writing = [store.append(record(1, interaction=71), [timer("2")], result()), store.set_metadata("a", "b")]
        came = await asyncio.gather(*writing, return_exceptions=True)
        assert [type(one) for one in came] == [Busy, Busy]
        await assert_untouched(store)
    await store.append(record(1, interaction=71), [timer("2")], result())
    assert await store.count_ranked(GUILD, GAME) == 2


@pytest.mark.real_time
async def test_a_lock_let_go_in_time_is_waited_for(path: Path) -> None:
    async with closed_after(SqliteStore.open(path, now=lambda: 1500, busy_timeout=5000)) as store:
        with locked_by_another(path) as other:
            writing = asyncio.create_task(store.set_metadata("a", "b"))
            done, _ = await asyncio.wait([writing], timeout=0.2)
            assert not done
            assert other.stdin is not None
            other.stdin.write("\n")
            other.stdin.flush()
            await asyncio.wait_for(writing, 5)
        assert await store.metadata("a") == "b"
