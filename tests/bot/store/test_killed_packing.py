"""A process that is killed while it packs logs, and a disk that fills up meanwhile: every match has its whole log."""

from __future__ import annotations

import asyncio
import random
import signal
import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot.ops.match_check import verify_all
from bot.store.errors import NotSaved
from bot.store.queries.matches import Record
from bot.store.sqlite.store import SqliteStore
from tests.bot.store.failing_disk import limit_pages
from tests.bot.store.open_stores import closed_after
from tests.bot.store.other_process import OtherProcess
from tests.bot.store.packing import pack_all
from tests.bot.store.rows import ANN, BOB, opened, record, result

MATCHES = 30
ACTS = 40
LARGE = 400
"""Bytes of chance in each record of the first match: its packed log needs pages before its records give theirs back."""


async def lay_out(path: Path) -> dict[str, list[Record]]:
    """Finished matches with logs that are not alike; their logs, as they will be read once they are packed."""
    rng = random.Random(5)
    async with closed_after(SqliteStore.open(path, now=lambda: 0)) as store:
        await store.database.read(lambda db: db.execute("PRAGMA synchronous = OFF").close())
        for number in range(MATCHES):
            match_id = f"m{number}"
            await opened(store, match_id, seats=(ANN, BOB))
            for seq in range(1, ACTS):
                events = f'["{rng.randbytes(30 if number else LARGE).hex()}"]'
                told = record(seq, match_id, interaction=number * ACTS + seq, events=events)
                await store.append(told, (), result(match_id, counted=False) if seq == ACTS - 1 else None)
        return {match_id: await log_of(store, match_id) for match_id in (f"m{number}" for number in range(MATCHES))}


async def log_of(store: SqliteStore, match_id: str) -> list[Record]:
    """A log without its interactions, and with its chain where records are compared."""
    return [
        replace(each, interaction_id=None, events=f"{each.events}{each.chain.hex()}")
        for each in await store.records(match_id)
    ]


def packed_in(path: Path) -> int:
    """How many logs are packed. Nothing that the check compares is wrong."""
    with closing(sqlite3.connect(path)) as db:
        found = {why for why in verify_all(db).altered.values() if "seed" not in why and "deal" not in why}
        assert found == set()
        (count,) = db.execute("SELECT count(*) FROM packed_logs").fetchone()
        (rest,) = db.execute("SELECT count(DISTINCT match_id) FROM records").fetchone()
        assert count + rest == MATCHES
    return int(count)


def pack(path: Path, killed_after: float | None) -> None:
    """Pack in another process, and kill it so many seconds after it began if it is not done."""
    packing = OtherProcess("pack", path)
    packing.until_said()
    if killed_after is not None:
        time.sleep(killed_after)
        packing.kill()
    assert packing.ended() in (0, -signal.SIGKILL)


@pytest.mark.real_time
async def test_a_killed_packing_leaves_every_log_whole_and_goes_on(tmp_path: Path) -> None:
    path, rng = tmp_path / "cardroom.db", random.Random()
    logs = await lay_out(path)
    reached = [0]
    while reached[-1] < MATCHES:
        await asyncio.to_thread(pack, path, rng.uniform(0.0, 0.06) if len(reached) < 4 else None)
        reached.append(await asyncio.to_thread(packed_in, path))
    assert reached == sorted(reached)
    async with closed_after(SqliteStore.open(path, now=lambda: 0, accept_older=True)) as store:
        assert {match_id: await log_of(store, match_id) for match_id in logs} == logs


@pytest.mark.slow  # packs all logs again and again
async def test_a_full_disk_packs_nothing_by_half_and_loses_no_log(tmp_path: Path) -> None:
    path = tmp_path / "cardroom.db"
    logs = await lay_out(path)
    async with closed_after(SqliteStore.open(path, now=lambda: 0)) as store:
        await store.database.read(lambda db: db.execute("VACUUM").close())  # no page is free
        refused = 0
        for more in range(0, 8, 2):
            await limit_pages(store, more)
            try:
                await pack_all(store)  # it goes well where a page is left, because packing gives pages back
            except NotSaved as full:
                assert full.reason == "the disk is full"  # noqa: PT017  as said above
                refused += 1
            assert {match_id: await log_of(store, match_id) for match_id in logs} == logs
        assert refused
        await limit_pages(store, 10_000)
        await pack_all(store)
        assert {match_id: await log_of(store, match_id) for match_id in logs} == logs
    assert packed_in(path) == MATCHES
