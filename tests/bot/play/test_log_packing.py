"""Logs are packed beside play: an hour after the end of their match, one at a time, and never by half."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.play import log_packing
from bot.play.log_packing import EVERY, WAITS, LogPacking
from bot.store.errors import NotSaved
from bot.store.store import Store
from bot.telemetry import NO_TELEMETRY
from tests.bot.store.memory_store import MemoryStore
from tests.bot.store.rows import opened, record, result
from tests.movable_scheduler import MovableScheduler

HOUR = 3600


@pytest.fixture
async def scheduler() -> MovableScheduler:
    return MovableScheduler()


@pytest.fixture
async def store(scheduler: MovableScheduler) -> AsyncIterator[MemoryStore]:
    store = MemoryStore(now=scheduler.now)
    yield store
    await store.close()


async def ended(store: Store, match_id: str, at: int, acts: int = 3, press: int | None = None) -> None:
    await opened(store, match_id)
    for seq in range(1, acts):
        await store.append(record(seq, match_id), ())
    await store.append(record(acts, match_id, interaction=press), (), replace(result(match_id), ended_at=at))


async def unpacked(store: Store) -> list[str]:
    """The matches that have records."""
    found = await store.database.read(
        lambda db: db.execute("SELECT DISTINCT match_id FROM records ORDER BY match_id").fetchall()
    )
    return [match_id for (match_id,) in found]


async def reaches(store: Store, left: list[str]) -> None:
    """Wait until these matches alone have records."""
    async with asyncio.timeout(5):
        while await unpacked(store) != left:  # noqa: ASYNC110  nobody tells of it
            await asyncio.sleep(0)


async def test_a_log_is_packed_an_hour_after_the_end_of_its_match(
    store: MemoryStore, scheduler: MovableScheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_packing, "PAUSE", 0.0)
    now = scheduler.now()
    await ended(store, "m1", now - WAITS, press=71)
    await ended(store, "m2", now - WAITS - 1)
    await ended(store, "m3", now, press=73)
    await opened(store, "m4")
    packing = LogPacking(store, scheduler, NO_TELEMETRY)
    assert await packing.pack_all() == 2
    assert await unpacked(store) == ["m3", "m4"]
    assert [await store.match_of_interaction(press) for press in (71, 73)] == [None, "m3"]
    assert len(await store.records("m1")) == 4
    assert await packing.pack_all() == 0
    scheduler.advance(HOUR)
    assert await packing.pack_all() == 1


async def end_some(store: Store, count: int) -> None:
    """Matches that have ended long ago, m0 first."""
    for number in range(count):
        await ended(store, f"m{number}", 1000 + number)


async def test_there_is_a_pause_after_each_match(store: MemoryStore, scheduler: MovableScheduler) -> None:
    await end_some(store, 3)
    packing = asyncio.create_task(LogPacking(store, scheduler, NO_TELEMETRY).pack_all())
    for left in (["m1", "m2"], ["m2"], []):
        await reaches(store, left)
        await asyncio.sleep(0.001)
        assert await unpacked(store) == left
        scheduler.advance(log_packing.PAUSE)
    assert await packing == 3


async def test_a_log_that_was_altered_stays_and_holds_up_no_other(
    store: MemoryStore,
    scheduler: MovableScheduler,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(log_packing, "PAUSE", 0.0)
    await end_some(store, 3)
    altered = "UPDATE results SET chain = x'00' WHERE match_id = 'm1'"
    await store.database.write(lambda db: db.execute(altered).fetchone())
    before = await store.records("m1")
    packing = LogPacking(store, scheduler, NO_TELEMETRY)
    assert [await packing.pack_all() for _ in range(2)] == [2, 0]
    assert await store.records("m1") == before
    assert caplog.messages == ["match m1: its log was altered, and is not packed"]


async def test_a_log_that_is_there_twice_stays_and_holds_up_no_other(
    store: MemoryStore,
    scheduler: MovableScheduler,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As where a byte of the database has flipped that says whether a log is packed."""
    monkeypatch.setattr(log_packing, "PAUSE", 0.0)
    await end_some(store, 3)
    packing = LogPacking(store, scheduler, NO_TELEMETRY)
    assert await packing.pack_all() == 3
    await store.database.write(lambda db: db.execute("UPDATE results SET packed = 0").fetchone())
    before = await store.records("m1")
    await ended(store, "m3", 1003)
    assert [await packing.pack_all() for _ in range(2)] == [1, 0]
    assert await store.records("m1") == before
    left = [f"match {match_id}: its log was altered, and is not packed" for match_id in ("m0", "m1", "m2")]
    assert caplog.messages == left


async def test_what_cannot_be_saved_is_packed_the_next_time(
    store: MemoryStore,
    scheduler: MovableScheduler,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(log_packing, "PAUSE", 0.0)
    await end_some(store, 2)
    running = asyncio.create_task(LogPacking(store, scheduler, NO_TELEMETRY).run())
    try:
        await asyncio.sleep(0)
        store.fail_next_write(NotSaved("the disk is full"))
        for left, said in ((["m0", "m1"], ["logs could not be packed: NotSaved"]), ([], [])):
            caplog.clear()
            scheduler.advance(EVERY)
            await reaches(store, left)
            async with asyncio.timeout(5):
                while caplog.messages != said:  # noqa: ASYNC110  nobody tells of a log line
                    await asyncio.sleep(0.001)
        assert len(await store.records("m0")) == len(await store.records("m1")) == 4
    finally:
        running.cancel()
