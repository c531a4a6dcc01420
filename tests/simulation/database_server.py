"""The database of several processes of the bot: one process that nothing disturbs has it open, and they ask it.

It is SQLite's, with leases as on a database server. Each process of the bot has a store of its own, whose reads and
writes are sent there, in one piece each, and may be cut off from it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final, cast

from bot.shard_range import ShardRange
from bot.store.errors import NotSaved
from bot.store.queries.database import Connection
from bot.store.sqlite.database import Database
from bot.store.sqlite.store import SqliteStore
from bot.store.store import Tenant
from tests.shared_store import SharedSqliteStore, without_lock
from tests.simulation.happenings import LateWrite, Record
from tests.simulation.kernel import Kernel, SimulatedLoop

GIVEN_UP_AFTER: Final = 1.0
"""Seconds until a process that is cut off gives a request up."""


class DatabaseServer:
    """The process that has the database open."""

    def __init__(self, kernel: Kernel, folder: Path, record: Record) -> None:
        self.kernel = kernel
        self.folder = folder
        self.record = record
        self.loop: SimulatedLoop = kernel.loop("database")
        self.store: SqliteStore | None = None
        folder.mkdir(parents=True, exist_ok=True)
        self._opening = self.loop.create_task(self._open())

    def now(self) -> int:
        """Its time of day, in ms."""
        return round(self.loop.time_of_day() * 1000)

    async def _open(self) -> None:
        self.store = await SqliteStore.open(self.folder / "cardroom.db", now=self.now)

    def connect(self, own: SimulatedLoop, number: int, now: Callable[[], int]) -> RemoteStore:
        """A process's store. Raises NotSaved while the server starts."""
        if self.store is None:
            raise NotSaved("the database server starts")
        line = Line(self, own, number)
        path = self.folder / "cardroom.db"
        return RemoteStore(cast("Database", line), path, without_lock(), now, self.store.person_key)


class Line:
    """A process's connection to the server. It stands where the store has its database."""

    def __init__(self, server: DatabaseServer, own: SimulatedLoop, number: int) -> None:
        self._server = server
        self._own = own
        self._number = number
        self.is_shared = True
        self.guard: Callable[[Connection], None] | None = None
        self.on_commit: Callable[[], None] = lambda: None
        self.owner = ""
        self.cut_until = 0.0
        """Until this moment of the kernel's time nothing reaches the server."""

    async def read(self, work: Callable[[Connection], Any]) -> Any:
        """`Database.read`."""
        return await self._ask(lambda database: database.read(work))

    async def read_all(self, page: Callable[[Connection, Any], Any], start: Any) -> list[Any]:
        """`Database.read_all`."""
        return await self._ask(lambda database: database.read_all(page, start))  # type: ignore[no-any-return]  # a list

    async def write(self, work: Callable[[Connection], Any], *, counts: bool = True) -> Any:
        """`Database.write`, after the check that the store asks for. Who writes without holding shards is noted."""

        def checked(db: Connection) -> Any:
            if self.guard is not None:
                self.guard(db)
            if self.owner and not self._holds_shards(db):
                self._server.record.add(LateWrite(self._number, self._server.kernel.now))
            return work(db)

        return await self._ask(lambda database: database.write(checked, counts=counts))

    async def write_all(self, work: Callable[[Connection], bool]) -> None:
        """`Database.write_all`."""
        while not await self.write(work):
            pass

    async def checkpoint_if_idle(self) -> None:
        """`Database.settle`."""
        await self._ask(lambda database: database.checkpoint_if_idle())

    def time(self, _db: Connection) -> int:
        """`Database.time`: the server's time of day, in ms."""
        return self._server.now()

    def has_ended(self, _db: Connection, _owner: str) -> bool:
        """`Database.has_ended`: the kernel's connections last as long as the server."""
        return False

    async def read_first(self, page: Callable[[Connection, Any, int], Any], start: Any, most: int) -> list[Any]:
        """`Database.read_first`."""
        return await self._ask(lambda database: database.read_first(page, start, most))  # type: ignore[no-any-return]  # a list

    async def checkpoint(self, overdue: bool) -> bool:
        """The server's own work."""
        return overdue

    def _holds_shards(self, db: Connection) -> bool:
        held = db.execute("SELECT 1 FROM shard_leases WHERE owner = ?", (self.owner,)).fetchone()
        return held is not None

    async def _ask(self, question: Callable[[Database], Awaitable[Any]]) -> Any:
        """Have the server do something, and wait for its answer."""
        if self._server.kernel.now < self.cut_until:
            await asyncio.sleep(GIVEN_UP_AFTER)
            raise NotSaved("the database server cannot be reached")
        answer: asyncio.Future[Any] = self._own.create_future()
        self._server.loop.call_soon_threadsafe(self._begin, question, answer)
        return await answer

    def _begin(self, question: Callable[[Database], Awaitable[Any]], answer: asyncio.Future[Any]) -> None:
        store = self._server.store
        assert store is not None

        async def work() -> None:
            try:
                value = await question(store.database)
            except Exception as error:  # noqa: BLE001  whoever asked gets it, whatever it is
                self._own.call_soon_threadsafe(_set_exception, answer, error)
            else:
                self._own.call_soon_threadsafe(_set_result, answer, value)

        task = self._server.loop.create_task(work())
        _WORKING.add(task)
        task.add_done_callback(_WORKING.discard)


class RemoteStore(SharedSqliteStore):
    """The store of one of the bot's processes."""

    @property
    def line(self) -> Line:
        """Its connection to the server."""
        return cast("Line", self.database)

    async def claim_shards(self, wanted: ShardRange, tenant: Tenant, owner: str, lease: int, *, early: int = 0) -> int:
        left = await super().claim_shards(wanted, tenant, owner, lease, early=early)
        if left == 0:
            self.line.owner = owner
        return left


_WORKING: set[asyncio.Task[None]] = set()


def _set_result(future: asyncio.Future[Any], result: object) -> None:
    if not future.done():
        future.set_result(result)


def _set_exception(future: asyncio.Future[Any], error: BaseException) -> None:
    if not future.done():
        future.set_exception(error)
