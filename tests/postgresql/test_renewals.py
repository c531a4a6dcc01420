"""Leases that are renewed on a connection of their own: what holds them up, and what the server sees of their
processes."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bot.cluster.database import name_of
from bot.store.errors import Fenced, StoreError
from bot.store.queries.database import Connection
from bot.store.store import Store
from tests.bot.store.contract_clusters import FIRST, OpenProcess, claimed
from tests.bot.store.contract_clusters import Process as Tenant
from tests.postgresql.server import Server

pytestmark = pytest.mark.real_time

LEASE = 1000
"""Milliseconds of a lease here, of which a process that has ended gets a tenth."""
EARLY = 900
EVERY = 0.05
STANDS = 2.5
"""Seconds: longer than a lease."""


class Process:
    """A process that renews its lease, as its store sees it."""

    def __init__(self) -> None:
        self.renewals: list[float] = []
        self.failures: list[Exception] = []
        self.stands_still = False

    def begin_renewal(self) -> float | None:
        return None if self.stands_still else time.monotonic()

    def renewed(self, begun: float) -> None:
        self.renewals.append(begun)

    def not_renewed(self, error: Exception) -> None:
        self.failures.append(error)


async def playing(store: Store, owner: str) -> tuple[Process, asyncio.Task[None]]:
    """A process that holds the first range and renews its lease."""
    await claimed(store, FIRST, owner)
    process = Process()
    keeping = asyncio.create_task(store.keep_renewing(process, LEASE, EVERY))
    async with asyncio.timeout(5):
        while not process.renewals:  # noqa: ASYNC110  another thread's
            await asyncio.sleep(EVERY)
    return process, keeping


async def stop(keeping: asyncio.Task[None]) -> None:
    """Renew no more: its connection is closed."""
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)


async def look(spare: Store) -> int:
    """A spare tries to take the range."""
    return await spare.claim_shards(FIRST, Tenant(), "a spare", LEASE, early=EARLY)


async def taken_within(spare: Store, seconds: float) -> bool:
    """Whether the spare can take it in time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if await look(spare) == 0:
            return True
        await asyncio.sleep(EVERY)
    return False


async def test_a_lease_is_renewed_while_the_event_loop_stands_still(open_process: OpenProcess) -> None:
    store, spare = await open_process(), await open_process()
    process, keeping = await playing(store, "first aa")
    time.sleep(STANDS)  # noqa: ASYNC251  that is what stands still
    assert await look(spare) > 0
    gaps = [later - earlier for earlier, later in zip(process.renewals, process.renewals[1:], strict=False)]
    assert len(gaps) > STANDS / LEASE * 1000
    assert not process.failures
    await store.set_metadata("still", "there")
    await stop(keeping)


@contextmanager
def slow_commits(server: Server) -> Iterator[None]:
    """Let every commit that is to be on the disk wait for a standby that does not exist."""
    with server.connect_as_admin() as admin:
        admin.autocommit = True
        admin.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
        admin.execute("SELECT pg_reload_conf()")
        try:
            yield
        finally:
            admin.execute("ALTER SYSTEM RESET synchronous_standby_names")
            admin.execute("SELECT pg_reload_conf()")


async def test_a_lease_is_renewed_while_a_commit_takes_longer_than_it(
    open_process: OpenProcess, postgresql: Server
) -> None:
    store, spare = await open_process(), await open_process()
    process, keeping = await playing(store, "first bb")
    with slow_commits(postgresql):
        await asyncio.sleep(0.2)
        begun = time.monotonic()
        saving = asyncio.create_task(store.set_metadata("saved", "slowly"))
        while time.monotonic() < begun + STANDS:
            assert await spare.database.read(_left) > 0
            await asyncio.sleep(0.1)
        assert not saving.done(), "the commits were not slow"
    await saving
    assert not process.failures
    assert len(process.renewals) > STANDS / LEASE * 1000
    assert await look(spare) > 0
    assert await spare.metadata("saved") == "slowly"
    await stop(keeping)


def _left(db: Connection) -> int:
    """The ms that the one lease is still in force, by the server's clock."""
    row = db.execute(
        "SELECT until_at - floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM shard_owners"
    ).fetchone()
    return int(row[0])


async def test_a_takeover_still_waits_for_a_commit_that_takes_long(
    open_process: OpenProcess, postgresql: Server
) -> None:
    """The former owner's write is there for the next one, although its lease ran out during the commit."""
    store, spare = await open_process(), await open_process()
    _, keeping = await playing(store, "first cc")
    with slow_commits(postgresql):
        await asyncio.sleep(0.2)
        saving = asyncio.create_task(store.set_metadata("saved", "in time"))
        await asyncio.sleep(0.2)
        await stop(keeping)
        taking = asyncio.create_task(taken_within(spare, 10))
        await asyncio.sleep(2 * LEASE / 1000)
        assert (saving.done(), taking.done()) == (False, False)
    await saving
    assert await taking
    assert await spare.metadata("saved") == "in time"
    with pytest.raises(Fenced):
        await store.set_metadata("saved", "by a ghost")


async def test_a_process_whose_connection_ended_is_replaced_early_and_one_that_is_connected_is_not(
    open_process: OpenProcess,
) -> None:
    frozen, spare = await open_process(), await open_process()
    process, keeping = await playing(frozen, "first dd")
    wakes = threading.Event()
    process.begin_renewal = lambda: wakes.wait() and None  # type: ignore[method-assign]  # as if frozen, connected
    stands_since = time.monotonic()
    assert await taken_within(spare, 5)
    assert time.monotonic() - stands_since > LEASE / 1000 - 2 * EVERY
    wakes.set()
    await stop(keeping)
    await spare.release_shards()

    store, spare = await open_process(), await open_process()
    _, keeping = await playing(store, "first ee")
    assert not await taken_within(spare, 2 * (LEASE - EARLY) / 1000)
    await stop(keeping)
    ended = time.monotonic()
    assert await taken_within(spare, 5)
    assert time.monotonic() - ended < LEASE / 2000


async def test_a_process_that_stands_still_for_too_long_counts_as_one_that_has_ended(
    open_process: OpenProcess,
) -> None:
    store, spare = await open_process(), await open_process()
    process, keeping = await playing(store, "first ff")
    process.stands_still = True
    await asyncio.sleep(3 * EVERY)
    begun = time.monotonic()
    assert await taken_within(spare, LEASE / 1000 - 3 * EVERY)
    assert time.monotonic() - begun < LEASE / 1000
    process.stands_still = False
    async with asyncio.timeout(5):
        while not process.failures:  # noqa: ASYNC110  another thread's
            await asyncio.sleep(EVERY)
    assert isinstance(process.failures[-1], Fenced)
    assert len(process.failures) == 1, "it is not tried again"
    await stop(keeping)


async def test_a_connection_that_is_cut_is_made_again_before_anybody_notices(
    open_process: OpenProcess, postgresql: Server
) -> None:
    store, spare = await open_process(), await open_process()
    process, keeping = await playing(store, "first gg")
    with postgresql.connect_as_admin() as admin:
        for _ in range(5):
            cut = admin.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s",
                [name_of("first gg")],
            ).fetchall()
            assert cut == [(True,)]
            admin.commit()
            known = len(process.renewals)
            async with asyncio.timeout(5):
                while len(process.renewals) == known:  # noqa: ASYNC110  another thread's
                    await asyncio.sleep(EVERY)
    assert await look(spare) > 0
    assert not [each for each in process.failures if not isinstance(each, StoreError)]
    await stop(keeping)


async def test_where_names_of_connections_are_not_seen_nobody_has_ended(
    open_process: OpenProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As behind a pooler that gives its own."""
    store, spare = await open_process(), await open_process()
    _, keeping = await playing(store, "first hh")
    await stop(keeping)
    await asyncio.sleep(0.1)
    asked = spare.database
    assert await asked.read(lambda db: asked.has_ended(db, "first hh")) is False, "it asks on another connection"
    assert await asked.write(lambda db: asked.has_ended(db, "first hh")) is True
    monkeypatch.setattr("bot.cluster.database.name_of", lambda _: "")
    assert await asked.write(lambda db: asked.has_ended(db, "first hh")) is False
