"""The store in a SQLite file."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path

from bot.store.errors import Damaged, NotSaved, Older
from bot.store.migrations import TABLES, Migration, migrations
from bot.store.person_key import FILE_NAME, PersonKey
from bot.store.queries import begun_deletions, deleting
from bot.store.sqlite import schema, witness
from bot.store.sqlite.database import Database
from bot.store.sqlite.instance_lock import InstanceLock
from bot.store.sqlite.page_copies import PageCopies
from bot.store.sqlite.result_codes import store_error
from bot.store.sqlite.upkeep import FileCheck, Upkeep
from bot.store.store import Store
from bot.telemetry import NO_TELEMETRY, Telemetry

BACKUPS = "backups"
"""The folder of backups, beside the database."""

BUSY_TIMEOUT = 5000
"""How long a write waits for another program's lock, in milliseconds."""

_log = logging.getLogger(__name__)


class SqliteStore(Store):
    """The store on one SQLite file: how it is opened and closed."""

    database: Database

    def __init__(
        self,
        database: Database,
        path: Path,
        lock: InstanceLock,
        now: Callable[[], int],
        *,
        key: PersonKey,
        unchecked: FileCheck | None,
    ) -> None:
        super().__init__(database, now, key)
        self._path = path
        self._lock = lock
        self.copies = PageCopies(database, path)
        """Copies the database beside play."""
        self._upkeep = Upkeep(database.checkpoint, self._renew_witness)
        database.on_commit = self._upkeep.note_written
        self._unchecked = unchecked
        self._damaged = False

    @classmethod
    async def open(
        cls,
        path: Path,
        *,
        now: Callable[[], int],
        telemetry: Telemetry = NO_TELEMETRY,
        busy_timeout: int = BUSY_TIMEOUT,
        migrations_folder: Path = TABLES,
        accept_older: bool = False,
        person_key: Path | None = None,
    ) -> SqliteStore:
        """Open the file, creating it if it is missing, and migrate its tables.

        `now` returns milliseconds since 1970, UTC. Reads and writes that the database refuses later are reported to
        `telemetry`. Before tables are changed, the file is copied to ``<path>.v<version>.backup``. `accept_older` takes
        a database that lacks what was saved, or a new one in its place. `person_key` is the file with the key by which
        deleted people are recognised; without it, one beside the database (`bot.store.person_key`). Raises InUse,
        TooNew, OtherSchema, Older, Damaged, Busy and NotSaved, each with one line to show.
        """
        steps = migrations(migrations_folder)
        lock = InstanceLock(path.with_name(f"{path.name}.lock"))
        unchecked: list[FileCheck] = []

        def connector() -> sqlite3.Connection:
            _refuse_older(path, steps, accept_older=accept_older)
            check = _is_checked_first(path, steps)
            connection = schema.connect(path, steps, busy_timeout, check=check)
            if not check:
                unchecked.append(FileCheck(path))
            try:
                _finish_deletions(connection)
                _begin_witness(connection, path, now())
            except BaseException:
                connection.close()
                raise
            return connection

        try:
            database = await Database.open(connector, str(path), telemetry)
        except BaseException as error:
            lock.release()
            if isinstance(error, sqlite3.Error):
                raise store_error(error, str(path)) or error from error
            if isinstance(error, OSError):
                raise NotSaved(f"{path} cannot be written ({error.strerror})") from error
            raise
        key = PersonKey(person_key or path.with_name(FILE_NAME))
        return cls(database, path, lock, now, key=key, unchecked=unchecked[0] if unchecked else None)

    async def close(self) -> None:
        try:
            if self._unchecked is not None:
                await self._unchecked.stop()  # or the last connection would not be the one that moves the WAL
            await self._upkeep.close()
            await self.database.close()
            self.copies.close()
            with contextlib.suppress(OSError):  # the former witness will do
                await self._renew_witness(closed=True)
        finally:
            self._lock.release()

    async def check_file(self) -> None:
        """Read the database's file to its end, if that was not done before play. Raises Damaged; the next start then
        reads it before play."""
        if self._unchecked is None:
            return
        try:
            await self._unchecked.run()
        except Damaged:
            self._damaged = True
            with contextlib.suppress(OSError):
                await self._renew_witness()
            raise

    async def _renew_witness(self, *, closed: bool = False) -> None:
        ended_well = closed and not self._damaged
        said = witness.Witness(self.database.progress, self.now(), ended_well, self._damaged)
        await asyncio.to_thread(witness.write, self._path, said)


def _refuse_older(path: Path, steps: tuple[Migration, ...], *, accept_older: bool) -> None:
    try:
        witness.refuse_older(path, path.parent / BACKUPS, steps, is_mine=True)
    except Older as error:
        if not accept_older:
            raise
        _log.warning("accepted: %s", error)


def _is_checked_first(path: Path, steps: tuple[Migration, ...]) -> bool:
    """Whether a file is read to its end before play, and not beside it."""
    size = path.stat().st_size if path.is_file() else 0
    if size <= schema.CHECKED_UP_TO:
        return True
    ended = witness.how_it_ended(path, steps)
    if ended is not None and (ended.closed or ended.damaged):
        return ended.damaged
    return size <= schema.CHECKED_AFTER_A_KILL_UP_TO


def _finish_deletions(connection: sqlite3.Connection) -> None:
    """Finish what the last process began to delete. Nobody plays yet, so one transaction may take long.

    One that fails, say by an altered row, keeps nobody else from playing: it is said, and the next start tries again.
    """
    finished = 0
    for deletion in begun_deletions.all_under_way(connection):
        connection.execute("BEGIN IMMEDIATE")
        try:
            deleting.finish_one(connection, deletion)
        except Exception as error:
            connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise
            deleting.report(deletion, error)
            continue
        connection.execute("COMMIT")
        finished += 1
    if finished:
        _log.info("finished %d deletions that the last process had begun", finished)


def _begin_witness(connection: sqlite3.Connection, path: Path, now: int) -> None:
    """Make a database that was just opened the one that the witness speaks of."""
    reached = witness.carry_on(connection, path)
    schema.checkpoint(connection)
    try:
        witness.write(path, witness.Witness(reached, now))
    except OSError as error:  # the former witness will do
        _log.warning("the witness could not be written: %s", error.strerror)
