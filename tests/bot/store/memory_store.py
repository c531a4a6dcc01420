"""The store on tables in memory, for tests in one thread: the same queries, on a database that runs each piece of work
in the event loop's next round."""

from __future__ import annotations

import asyncio
import atexit
import sqlite3
import tempfile
import weakref
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

from bot.store.errors import StoreError
from bot.store.person_key import PersonKey
from bot.store.queries.database import Database, Work
from bot.store.store import Store
from tests import new_database

T = TypeVar("T")


class Data:
    """The tables, empty or as they were saved. They live as long as a store has them."""

    def __init__(self, saved: bytes | None = None) -> None:
        self.connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self.connection.deserialize(new_database.tables_for_memory() if saved is None else saved)
        self.connection.execute("PRAGMA foreign_keys = ON")
        weakref.finalize(self, self.connection.close)


@dataclass(slots=True)
class _Pending:
    """A piece of work that waits for its turn."""

    run: Callable[[], Any]
    caller: asyncio.Future[Any]

    def resolve(self) -> None:
        """Run it and answer its caller, unless the caller was cancelled. The work is done in any case."""
        try:
            value = self.run()
        except Exception as error:  # noqa: BLE001  whatever it is, the caller gets it
            if not self.caller.done():
                self.caller.set_exception(error)
        else:
            if not self.caller.done():
                self.caller.set_result(value)


class MemoryDatabase(Database):
    """Runs pieces of work on `Data` one after the other.

    A piece does not run at once but in the loop's next round. So its caller may be cancelled before, and other tasks
    run meanwhile, as they do while a real database works.
    """

    def __init__(self, data: Data, *, shared: bool) -> None:
        self.is_shared = shared
        self._data = data
        self._pending: deque[_Pending] = deque()
        self._next_failures: deque[Exception] = deque()
        self._closed = False

    def fail_next_write(self, error: Exception) -> None:
        """Make the next write raise this error and write nothing. Several errors are raised by as many writes."""
        self._next_failures.append(error)

    async def read(self, work: Work[T], /) -> T:
        return await self._call(lambda: work(self._data.connection))

    async def write(self, work: Work[T], /, *, counts: bool = True) -> T:  # noqa: ARG002  there is no disk to count for
        return await self._call(partial(self._commit, work))

    async def checkpoint_if_idle(self) -> None:
        """Nothing: there is no WAL."""

    async def close(self) -> None:
        self._closed = True
        self._run_pending()

    async def _call(self, run: Callable[[], T]) -> T:
        if self._closed:
            raise StoreError("the store is closed")
        loop = asyncio.get_running_loop()
        pending = _Pending(run, loop.create_future())
        self._pending.append(pending)
        loop.call_soon(self._run_pending)
        return await pending.caller  # type: ignore[no-any-return]  # the future holds what this piece returned

    def _run_pending(self) -> None:
        while self._pending:
            self._pending.popleft().resolve()

    def _commit(self, work: Work[T]) -> T:
        if self._next_failures:
            raise self._next_failures.popleft()
        connection = self._data.connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            if self.guard is not None:
                self.guard(connection)
            value = work(connection)
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")
        return value


class MemoryStore(Store):
    """A store on `Data`. A second one on the same data finds what the first one wrote, as after a restart. Those that
    are `shared` are processes that have the same data open at once.

    `now` gives milliseconds since 1970, UTC. `fail_next_write` makes a write fail.
    """

    def __init__(self, *, now: Callable[[], int], data: Data | None = None, shared: bool = False) -> None:
        self.data = Data() if data is None else data
        memory = MemoryDatabase(self.data, shared=shared)
        super().__init__(memory, now, _person_key())
        self.fail_next_write = memory.fail_next_write


@cache
def _person_key() -> PersonKey:
    folder = tempfile.TemporaryDirectory(prefix="cardroom-test-")
    atexit.register(folder.cleanup)
    return PersonKey(Path(folder.name, "person-key"))
