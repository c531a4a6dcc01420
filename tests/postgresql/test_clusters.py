"""Stores of several processes on one PostgreSQL database keep the contract of shards."""

from __future__ import annotations

import asyncio

import pytest

from bot.store.errors import Fenced
from tests.bot.store.contract_clusters import FIRST, LEASE, ClusterContract, OpenProcess, PassTime, claimed

pytestmark = pytest.mark.real_time


@pytest.fixture
def pass_time() -> PassTime:
    """The server's clock is nobody's to move."""

    async def pass_time(milliseconds: int) -> None:
        await asyncio.sleep(milliseconds / 1000)

    return pass_time


class TestPostgresql(ClusterContract):
    """All of the contract."""


async def test_of_many_processes_that_claim_at_once_one_succeeds(open_process: OpenProcess) -> None:
    stores = [await open_process() for _ in range(8)]

    class Nobody:
        def fenced(self) -> None:
            """It does not come to that."""

    left = await asyncio.gather(
        *(store.claim_shards(FIRST, Nobody(), f"process {number}", 20 * LEASE) for number, store in enumerate(stores))
    )
    assert sum(each == 0 for each in left) == 1
    assert len(set((await stores[0].shard_owners()).values())) == 1


async def test_a_takeover_waits_for_writes_under_way_and_reads_them(
    open_process: OpenProcess, pass_time: PassTime
) -> None:
    """What was acknowledged is there for the next owner, and what comes after the takeover is refused."""
    a, b = await open_process(), await open_process()
    await claimed(a, FIRST, "a")
    written: list[int] = []

    async def write_on() -> None:
        for number in range(10_000):
            await a.set_metadata("last", str(number))
            written.append(number)

    writing = asyncio.create_task(write_on())
    await pass_time(LEASE + 50)
    await claimed(b, FIRST, "b")
    found = int(await b.metadata("last") or -1)
    with pytest.raises(Fenced):
        await writing
    assert written[-1] == found
    assert int(await b.metadata("last") or -1) == found
