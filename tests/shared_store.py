"""Several processes on one SQLite file, with leases as on a database server: each gets a store of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from bot.store.person_key import PersonKey
from bot.store.queries.database import Connection
from bot.store.sqlite.database import Database
from bot.store.sqlite.instance_lock import InstanceLock
from bot.store.sqlite.store import SqliteStore

Check = Callable[[Connection], None]


class _OneOfSeveral:
    """A process's connection to the database: what it writes is checked in its own transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.is_shared = True
        self.guard: Check | None = None
        self.on_commit: Callable[[], None] = lambda: None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._database, name)

    async def write(self, work: Callable[[Connection], Any], *, counts: bool = True) -> Any:
        """`Database.write`, after the check."""

        def checked(db: Connection) -> Any:
            if self.guard is not None:
                self.guard(db)
            return work(db)

        return await self._database.write(checked, counts=counts)

    async def write_all(self, work: Callable[[Connection], bool]) -> None:
        """`Database.write_all`, each time after the check."""
        while not await self.write(work):
            pass


class _NoLock:
    """The file is locked by the store that opened it."""

    def release(self) -> None:
        """There is nothing to release."""


def without_lock() -> InstanceLock:
    """A lock for a store whose file is locked by the one that opened it."""
    return cast("InstanceLock", _NoLock())


class SharedSqliteStore(SqliteStore):
    """The store of one of several processes."""

    def __init__(
        self, database: Database, path: Path, lock: InstanceLock, now: Callable[[], int], key: PersonKey
    ) -> None:
        super().__init__(database, path, lock, now, key=key, unchecked=None)

    async def close(self) -> None:
        """The database stays open for the others."""


def another_process(server: SqliteStore, path: Path, now: Callable[[], int]) -> SharedSqliteStore:
    """A process on the database that `server` has opened from `path`. `now` is its time of day, in ms."""
    database = cast("Database", _OneOfSeveral(server.database))
    return SharedSqliteStore(database, path, without_lock(), now, server.person_key)
