"""Many writes, one commit: what the database thread promises beyond the contract."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.errors import NotSaved
from bot.store.sqlite.store import SqliteStore
from tests import new_database
from tests.bot.store.gate import Gate
from tests.bot.store.rows import deal, opened, record, timer


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    new_database.lay_out(tmp_path / "cardroom.db")
    store = await SqliteStore.open(tmp_path / "cardroom.db", now=lambda: 1500)
    yield store
    await store.close()


async def traced(store: SqliteStore) -> list[str]:
    """The statements the connection runs from now on."""
    statements: list[str] = []
    await store.database.read(lambda db: db.set_trace_callback(statements.append))
    return statements


async def test_writes_that_wait_share_one_commit(store: SqliteStore) -> None:
    for number in range(50):
        await opened(store, f"m{number}")
    statements = await traced(store)
    gate = Gate()
    holding = asyncio.create_task(store.database.read(gate))
    await gate.reached()
    writing = [asyncio.create_task(store.append(record(1, f"m{number}"), ())) for number in range(50)]
    await asyncio.sleep(0)
    gate.open()
    await asyncio.gather(holding, *writing)
    assert statements.count("BEGIN IMMEDIATE") == statements.count("COMMIT") == 1
    assert statements.count("SAVEPOINT one") == 50


async def test_a_write_alone_is_one_transaction(store: SqliteStore) -> None:
    statements = await traced(store)
    await store.set_metadata("a", "b")
    assert [statement.split()[0] for statement in statements] == [
        "BEGIN",
        "SAVEPOINT",
        "INSERT",
        "RELEASE",
        "UPDATE",
        "COMMIT",
    ]


async def test_nobody_hears_of_a_write_before_the_common_commit(store: SqliteStore, tmp_path: Path) -> None:
    await opened(store, "m1")
    gate = Gate()
    first = asyncio.create_task(store.append(record(1), ()))
    second = asyncio.create_task(store.database.write(gate))
    await asyncio.sleep(0)
    await gate.reached()  # the first is done in its savepoint, the group is not through
    await asyncio.sleep(0)
    assert not first.done()
    reading = asyncio.create_task(store.records("m1"))
    with sqlite3.connect(tmp_path / "cardroom.db") as other:
        assert other.execute("SELECT count(*) FROM records").fetchone() == (1,)
    other.close()
    gate.open()
    await asyncio.gather(first, second)
    assert await reading == [deal(), record(1)]


async def test_a_commit_that_fails_fails_everybody_in_it(store: SqliteStore) -> None:
    """A deferred foreign key is judged at COMMIT, so one write can make the common commit fail."""
    await opened(store, "m1")

    def break_at_commit(db: sqlite3.Connection) -> None:
        db.execute("PRAGMA defer_foreign_keys = ON")
        db.execute("INSERT INTO notices VALUES ('nobody', 0, 0, 0, 0, 0, NULL)")

    writing = [
        store.append(record(1, interaction=71), [timer("2")]),
        store.database.write(break_at_commit),
        store.set_metadata("a", "b"),
        store.append(record(9), ()),
    ]
    came = await asyncio.gather(*writing, return_exceptions=True)
    assert [type(one) for one in came] == [NotSaved] * 4
    assert len({id(one) for one in came}) == 4
    assert await store.records("m1") == [deal()]
    assert await store.metadata("a") is None
    await store.append(record(1, interaction=71), ())
    assert await store.match_of_interaction(71) == "m1"


async def test_a_transaction_that_is_lost_on_the_way_fails_everybody_in_it(store: SqliteStore) -> None:
    """As when a disk fails and SQLite rolls all back by itself."""
    await opened(store, "m1")

    def lose(db: sqlite3.Connection) -> None:
        db.execute("INSERT OR ROLLBACK INTO notices VALUES ('m1', NULL, 0, 0, 0, 0, NULL)")

    writing = [store.append(record(1), ()), store.database.write(lose), store.set_metadata("a", "b")]
    came = await asyncio.gather(*writing, return_exceptions=True)
    assert [type(one) for one in came] == [NotSaved] * 3
    assert await store.records("m1") == [deal()]
    assert await store.metadata("a") is None
    await store.append(record(1), ())
    assert await store.records("m1") == [deal(), record(1)]


async def test_a_caller_cancelled_in_the_middle_of_its_own_transaction(store: SqliteStore) -> None:
    gate = Gate()

    def write(db: sqlite3.Connection) -> None:
        db.execute("INSERT INTO facts VALUES ('before', '1')")
        gate(db)
        db.execute("INSERT INTO facts VALUES ('behind', '2')")

    writing = asyncio.create_task(store.database.write(write))
    await gate.reached()
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    gate.open()
    assert await store.metadata("before") == "1"
    assert await store.metadata("behind") == "2"


async def test_a_cancelled_reader_disturbs_nobody(store: SqliteStore) -> None:
    gate = Gate()
    reading = asyncio.create_task(store.database.read(gate))
    await gate.reached()
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    writing = asyncio.create_task(store.set_metadata("a", "b"))
    gate.open()
    await writing
    assert await store.metadata("a") == "b"


async def test_a_fault_of_the_program_is_the_callers_alone(store: SqliteStore) -> None:
    def faulty(db: sqlite3.Connection) -> None:
        db.execute("INSERT INTO facts VALUES ('half', '1')")
        raise ZeroDivisionError

    came = await asyncio.gather(store.database.write(faulty), store.set_metadata("a", "b"), return_exceptions=True)
    assert [type(one) for one in came] == [ZeroDivisionError, type(None)]
    assert await store.metadata("half") is None
    assert await store.metadata("a") == "b"
