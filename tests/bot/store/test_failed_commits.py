"""F-33: a commit fails, and the process is killed: what its caller heard is true of what the next process finds."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
import signal
import sqlite3
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.ops.metrics import Metrics
from bot.store.errors import NotSaved, Unsettled
from bot.store.sqlite.database import TRIES
from bot.store.sqlite.store import SqliteStore
from tests import new_database
from tests.bot.store.open_stores import closed_after
from tests.bot.store.other_process import OtherProcess
from tests.bot.store.rows import deal, opened, record, timer
from tests.failing_sync import fail_flushes
from tests.figures import now


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


@pytest.fixture
async def store(tmp_path: Path, metrics: Metrics) -> AsyncIterator[SqliteStore]:
    new_database.lay_out(tmp_path / "cardroom.db")
    store = await SqliteStore.open(tmp_path / "cardroom.db", now=lambda: 1500, telemetry=metrics)
    await opened(store)
    yield store
    await store.close()


@pytest.mark.nightly  # kills a process each
@pytest.mark.real_time
@pytest.mark.parametrize("times", [1, TRIES])
async def test_F_33_what_was_refused_because_a_flush_failed_is_not_there_after_a_kill(
    tmp_path: Path, times: int
) -> None:
    path = tmp_path / "cardroom.db"
    failing = OtherProcess("fail", path, times)
    assert await asyncio.to_thread(failing.ended) == -signal.SIGKILL
    assert failing.said.split() == ["NotSaved", "NotSaved"]
    async with closed_after(SqliteStore.open(path, now=lambda: 0)) as store:
        assert await store.records("m1") == [deal()]
        assert await store.match_of_interaction(71) is None
        assert await store.metadata("a") is None


async def test_F_33_while_nothing_can_be_flushed_callers_hear_that_it_may_have_been_saved(
    store: SqliteStore, metrics: Metrics
) -> None:
    await store.database.read(lambda db: fail_flushes(db, TRIES + 1))
    _, *came = await asyncio.gather(
        store.database.read(lambda _: time.sleep(0.05)),  # so that both wait, and are written in one commit
        store.append(record(1, interaction=71), [timer("2")]),
        store.set_metadata("a", "b"),
        return_exceptions=True,
    )
    assert [type(each) for each in came] == [Unsettled, Unsettled]
    assert came[0] is not came[1]
    assert now(metrics)["cardroom_store_failures_total"] == 2
    assert await store.records("m1") == [deal()]
    await store.append(record(1, interaction=71), ())
    assert await store.records("m1") == [deal(), record(1, interaction=71)]


async def test_F_33_a_commit_that_follows_is_counted_and_witnessed(store: SqliteStore) -> None:
    before = store.database.progress.commits
    await store.database.read(lambda db: fail_flushes(db, 1))
    with pytest.raises(NotSaved):
        await store.set_metadata("a", "b")
    assert store.database.progress.commits == before + 1
    assert await store.database.read(lambda db: db.execute("SELECT commits FROM progress").fetchone()) == (before + 1,)


async def test_a_commit_that_cannot_be_complete_is_not_saved_even_if_nothing_else_is(store: SqliteStore) -> None:
    """A full disk refuses the pages before the one that completes the commit."""

    def fill(db: sqlite3.Connection) -> None:
        db.execute(f"PRAGMA max_page_count = {db.execute('PRAGMA page_count').fetchone()[0]}")

    await store.database.read(fill)
    large = '["' + "x" * 200_000 + '"]'
    with pytest.raises(NotSaved, match="disk is full"):
        await store.append(record(1, events=large), ())
