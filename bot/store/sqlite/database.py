"""The database thread: whole reads, and writes with group commit.

Statements of several tasks on one connection fall into each other's transactions and vanish with each other's
rollbacks. So only *whole pieces of work* reach the connection: plain functions that run in its thread from start to
end. A commit waits for the disk, and all writes that arrive meanwhile share the next one (group commit). Each runs in a
savepoint of its own, and its caller is answered only after the group's commit.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar

import aiosqlite

from bot.store.errors import NotSaved, StoreError, Unsettled
from bot.store.queries import database as sql
from bot.store.queries import installation
from bot.store.queries.installation import Progress
from bot.store.sqlite.result_codes import store_error
from bot.store.sqlite.schema import checkpoint
from bot.telemetry import Telemetry

_log = logging.getLogger(__name__)

T = TypeVar("T")
Work: TypeAlias = Callable[[sqlite3.Connection], T]
"""A piece of work, which runs completely in the database thread. It neither opens nor ends a transaction."""

_ITERATION_CHUNK = 64
"""How many rows aiosqlite's cursors fetch at once; these cursors are not used here, but the value is required."""


TRIES: Final = 3
"""How often a commit that failed is followed at once by another, before its callers get an answer."""

NEVER_COMPLETE: Final = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CONSTRAINT,
        sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY,
    }
)
"""The result codes with which a commit fails before its last page, which completes it, is written."""


class _InDoubtError(Exception):
    """A commit failed, and nothing shows whether it is on the disk. Its cause is SQLite's error."""


@dataclass(slots=True)
class _Write:
    """A pending write, and then its outcome."""

    work: Work[Any]
    caller: asyncio.Future[Any]
    counts: bool
    value: Any = None
    error: BaseException | None = None

    def resolve(self) -> None:
        """Wake the caller, unless it was cancelled."""
        if self.caller.done():
            return
        if self.error is None:
            self.caller.set_result(self.value)
        else:
            self.caller.set_exception(self.error)


class Database(aiosqlite.Connection, sql.Database):
    """One SQLite connection in a thread of its own.

    `connector` runs in that thread and returns the connection, in autocommit mode. aiosqlite logs what it runs, so it
    gets only functions, never values, which would put hands into a log.
    """

    def __init__(self, connector: Callable[[], sqlite3.Connection], path: str, telemetry: Telemetry) -> None:
        super().__init__(connector, _ITERATION_CHUNK)
        self._path = path
        self._telemetry = telemetry
        self._loop = asyncio.get_running_loop()
        self.progress = Progress("", 0)
        """How far the database has come: what is safely on the disk."""
        self.on_commit: Callable[[], None] = lambda: None
        """Called in the loop after each commit that counts."""
        self.after_commit: Callable[[], None] = lambda: None
        """Called in the thread after each commit. It raises nothing."""
        self.piece: Callable[[Callable[[], Any]], Any] = _call
        """Called in the thread with each piece of work, to do it: a benchmark measures there how long it takes."""
        self._pending: deque[_Write] = deque()
        self._scheduled = False
        self._closing = False
        self._ended: asyncio.Future[Any] | None = None
        self._run: Callable[[Callable[[], Any]], Any] = self._execute

    @classmethod
    async def open(cls, connector: Callable[[], sqlite3.Connection], path: str, telemetry: Telemetry) -> Database:
        """Start the thread and connect. Raises what the connector raises, and then the thread has ended."""
        database = cls(connector, path, telemetry)
        try:
            await database
        finally:
            if database._ended is not None:
                await database._ended
        database.progress = await database.read(lambda db: installation.find_progress(db) or database.progress)
        return database

    def stop(self) -> asyncio.Future[Any] | None:
        """aiosqlite's way to end the thread; it does so by itself when connecting fails, and does not wait for it."""
        self._ended = super().stop()
        return self._ended

    async def read(self, work: Work[T]) -> T:
        """As `bot.store.queries.database.Database.read`."""
        self._refuse_when_closed()
        try:
            return await self._run(lambda: self.piece(lambda: work(self._conn)))  # type: ignore[no-any-return]  # aiosqlite is untyped here
        except sqlite3.Error as error:
            raise self._reported(error) or error from error

    async def write(self, work: Work[T], *, counts: bool = True) -> T:
        """As `bot.store.queries.database.Database.write`."""
        self._refuse_when_closed()
        item = _Write(work, self._loop.create_future(), counts)
        self._pending.append(item)
        if not self._scheduled:
            self._scheduled = True
            self._tx.put_nowait((None, lambda: self.piece(self._commit_group)))
        return await item.caller  # type: ignore[no-any-return]  # the future holds what this work returned

    async def checkpoint(self, overdue: bool) -> bool:
        """Move the WAL into the file, and return whether it is now empty. Raises Busy, Damaged, NotSaved, StoreError.

        It waits for no other program. Waiting writes go first unless it is `overdue`. At most 400 pages are
        moved, because from there on SQLite does it with the commit.
        """
        self._refuse_when_closed()
        try:
            return await self._run(lambda: self.piece(lambda: self._checkpoint(overdue)))  # type: ignore[no-any-return]  # see above
        except sqlite3.Error as error:
            raise self._reported(error) or error from error

    async def checkpoint_if_idle(self) -> None:
        """Move the WAL into the file unless writes wait: else the commit with its 400th page would, after a few slices
        of a large change."""
        await self.checkpoint(overdue=False)

    async def close(self) -> None:
        if not self._closing:
            self._closing = True
            await super().close()

    def _refuse_when_closed(self) -> None:
        if self._closing:
            raise StoreError("the store is closed")

    def _resolve_group(self, group: list[_Write]) -> None:
        for item in group:
            item.resolve()
        if any(item.counts and item.error is None for item in group):
            self.on_commit()

    # ------------------------------------------------------------------------------------ in the thread

    def _checkpoint(self, overdue: bool) -> bool:
        if self._pending and not overdue:
            return False
        (patience,) = self._conn.execute("PRAGMA busy_timeout").fetchone()
        self._conn.execute("PRAGMA busy_timeout = 0")  # or a backup under way would make every press wait
        try:
            return checkpoint(self._conn)
        finally:
            self._conn.execute(f"PRAGMA busy_timeout = {patience:d}")

    def _commit_group(self) -> None:
        """Do all pending writes in one transaction, then wake their callers."""
        self._scheduled = False  # before the queue is emptied: a later write schedules the next round
        group: list[_Write] = []
        try:
            if self._pending:
                self._run_group(group)
        except BaseException as error:  # noqa: BLE001  whatever it was, every caller must get it
            self._fail_group(group, error)
        if group:
            self._loop.call_soon_threadsafe(self._resolve_group, group)

    def _run_group(self, group: list[_Write]) -> None:
        try:
            self._conn.execute("BEGIN IMMEDIATE")
        finally:
            # Only now: writes that arrived while another program held the lock join this group, or fail with it.
            while self._pending:
                group.append(self._pending.popleft())
        for item in group:
            self._run_in_savepoint(item)
        reached = self.progress
        if any(item.counts and item.error is None for item in group):
            reached = installation.advance(self._conn, reached.commits + 1)
        self._commit()
        self.progress = reached

    def _commit(self) -> None:
        """Commit. If that fails, make sure that nothing of it is left. Raises sqlite3.Error, and _InDoubtError.

        A commit whose flush failed is complete in the WAL: this process takes it for undone, and the next one for made.
        The next commit overwrites it. So one is made at once, before anybody gets an answer.
        """
        try:
            self._conn.execute("COMMIT")
        except sqlite3.Error as error:
            if not self._overwrite() and getattr(error, "sqlite_errorcode", None) not in NEVER_COMPLETE:
                raise _InDoubtError from error
            raise
        self.after_commit()

    def _overwrite(self) -> bool:
        """Make a commit in place of one that failed; whether that worked. It may take several tries."""
        for _ in range(TRIES):
            try:
                if self._conn.in_transaction:
                    self._conn.execute("ROLLBACK")
                self._conn.execute("BEGIN IMMEDIATE")
                reached = installation.advance(self._conn, self.progress.commits + 1)
                self._conn.execute("COMMIT")
            except sqlite3.Error:
                continue
            self.after_commit()
            self.progress = reached
            return True
        return False

    def _run_in_savepoint(self, item: _Write) -> None:
        """One write in its savepoint. Raises only if the whole transaction is lost."""
        self._conn.execute("SAVEPOINT one")
        try:
            item.value = item.work(self._conn)
        except Exception as error:  # the caller gets it; the rest of the group continues
            if not self._conn.in_transaction:  # SQLite may give up the whole transaction when a disk fails
                raise
            self._conn.execute("ROLLBACK TO one")
            item.error = self._translated(error)
        self._conn.execute("RELEASE one")

    def _fail_group(self, group: list[_Write], error: BaseException) -> None:
        with contextlib.suppress(sqlite3.Error):  # the callers must get an answer even if the disk fails again
            if self._conn.in_transaction:
                self._conn.execute("ROLLBACK")
        for item in group:  # each an exception of its own: one raised by two tasks would mix their tracebacks
            item.error = self._lost_error(error)

    def _lost_error(self, error: BaseException) -> BaseException:
        """Why a write of a lost transaction was not made."""
        if isinstance(error, _InDoubtError):
            unsettled = Unsettled("a commit failed, and may not have been saved")
            unsettled.__cause__ = error.__cause__
            self._report(unsettled)
            return unsettled
        meaning = self._translated(error)
        if not isinstance(meaning, StoreError):
            meaning = NotSaved("the transaction was lost")
            meaning.__cause__ = error
        return meaning

    def _translated(self, error: BaseException) -> BaseException:
        if not isinstance(error, sqlite3.Error):
            return error
        meaning = self._reported(error)
        if meaning is None:
            return error
        meaning.__cause__ = error
        return meaning

    def _reported(self, error: sqlite3.Error) -> StoreError | None:
        """The store's error for one of SQLite's, logged and reported if the disk failed; None for a bug."""
        meaning = store_error(error, self._path)
        if meaning is not None:
            self._report(meaning)
        return meaning

    def _report(self, meaning: StoreError) -> None:
        _log.warning("the store failed: %s", meaning)
        self._telemetry.store_failed()


def _call(work: Callable[[], Any]) -> Any:
    return work()
