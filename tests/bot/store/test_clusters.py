"""Stores of several processes on the same data keep the contract of shards."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.shard_range import EVERYTHING, ShardRange
from bot.store.sqlite.store import SqliteStore
from bot.store.store import Store
from tests import new_database
from tests.bot.store.contract_clusters import LEASE, ClusterContract, OpenProcess, PassTime, claimed
from tests.bot.store.memory_store import Data, MemoryStore
from tests.shared_store import another_process


class Moment:
    """A time of day that tests move."""

    def __init__(self) -> None:
        self.now = 1500

    async def pass_time(self, milliseconds: int) -> None:
        """Let time pass."""
        self.now += milliseconds


@pytest.fixture
def moment() -> Moment:
    """The clock of the data."""
    return Moment()


@pytest.fixture
def pass_time(moment: Moment) -> PassTime:
    """Moves that clock."""
    return moment.pass_time


class TestMemory(ClusterContract):
    @pytest.fixture
    def open_process(self, moment: Moment) -> OpenProcess:
        data = Data()

        async def open_process() -> Store:
            return MemoryStore(now=lambda: moment.now, data=data, shared=True)

        return open_process


class TestSqlite(ClusterContract):
    @pytest.fixture
    async def server(self, tmp_path: Path, moment: Moment):  # type: ignore[no-untyped-def]
        path = tmp_path / "cardroom.db"
        new_database.lay_out(path)
        store = await SqliteStore.open(path, now=lambda: moment.now)
        yield store
        await store.close()

    @pytest.fixture
    def open_process(self, server: SqliteStore, tmp_path: Path, moment: Moment) -> OpenProcess:
        async def open_process() -> Store:
            return another_process(server, tmp_path / "cardroom.db", lambda: moment.now)

        return open_process


@pytest.mark.parametrize("wanted", [EVERYTHING, ShardRange(0, 1, 4)])
async def test_a_file_that_one_process_can_open_is_taken_over_at_once(tmp_path: Path, wanted: ShardRange) -> None:
    """The lock of the file proves that its former owner is gone, and nobody checks its writes."""
    path = tmp_path / "cardroom.db"
    for owner in ("killed", "next"):
        new_database.lay_out(path)
        store = await SqliteStore.open(path, now=lambda: 1500)
        assert not store.is_shared
        process = await claimed(store, wanted, owner)
        await store.set_metadata("by", owner)
        assert await store.metadata("by") == owner
        assert set((await store.shard_owners()).values()) == {owner}
        assert await store.take_job("announce", LEASE)
        assert process.told == 0
        await store.close()  # without giving anything back
