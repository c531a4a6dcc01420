"""What is done for the database between writes: little is in the WAL alone, and the witness is up to date.

SQLite moves the WAL into the file by itself only every 400 pages, which in a small house takes hours. Here that is
done as soon as nothing was written for a second, and every minute if something always is.

A file that wasn't read to its end before play is read beside it, once (`FileCheck`).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from bot.store.errors import Damaged, StoreError
from bot.store.sqlite.reading import connect_to
from bot.store.sqlite.result_codes import store_error
from bot.store.sqlite.schema import check_file

QUIET: Final = 1.0
"""Seconds without a write after which the database counts as idle."""
SOONEST: Final = 0.05
"""Seconds between two looks at least."""
WITNESS_EVERY: Final = 4.0
"""Seconds after which a busy database's witness is renewed. With a look's delay it is at most one heartbeat old."""
CHECKPOINT_EVERY: Final = 60.0
"""Seconds after which a busy database's WAL is moved into the file."""

_log = logging.getLogger(__name__)


class Upkeep:
    """Looks after a database while there is something to do, and otherwise sets no timer."""

    def __init__(
        self, checkpoint: Callable[[bool], Awaitable[bool]], renew_witness: Callable[[], Awaitable[None]]
    ) -> None:
        """`checkpoint` is `Database.checkpoint`; `renew_witness` writes the number of the last commit, and raises
        OSError."""
        self._checkpoint = checkpoint
        self._renew_witness = renew_witness
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._looking: asyncio.Task[None] | None = None
        self._closed = False
        self._written_at = self._witnessed_at = self._checkpointed_at = self._loop.time()

    def note_written(self) -> None:
        """A group of writes was committed."""
        self._written_at = self._loop.time()
        self._look_in(QUIET)

    async def close(self) -> None:
        """Finish what is under way, and do nothing more."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._looking is not None:
            await self._looking

    def _look_in(self, seconds: float) -> None:
        if self._timer is None and self._looking is None and not self._closed:
            self._timer = self._loop.call_later(seconds, self._begin)

    def _begin(self) -> None:
        self._timer = None
        self._looking = self._loop.create_task(self._look())

    async def _look(self) -> None:
        began = self._loop.time()
        idle = began - self._written_at >= QUIET
        again = False
        try:
            overdue = began - self._checkpointed_at >= CHECKPOINT_EVERY
            if idle or overdue:
                if await self._checkpoint(overdue):
                    self._checkpointed_at = began
                else:
                    again = True
            if idle or began - self._witnessed_at >= WITNESS_EVERY:
                await self._renew_witness()
                self._witnessed_at = began
        except (StoreError, sqlite3.Error, OSError) as error:
            _log.warning("the witness or the database's file could not be renewed: %s", type(error).__name__)
            again = True
        self._looking = None
        if not idle or self._written_at > began:
            self._look_in(max(SOONEST, self._written_at + QUIET - self._loop.time()))
        elif again:
            self._look_in(WITNESS_EVERY)


class FileCheck:
    """Reads a database's file to its end beside play, in a thread and with a connection of its own.

    Such a connection sees one moment and holds up no write. Until it is done the WAL grows, because nothing in it can
    be overwritten.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._reading: asyncio.Future[None] | None = None
        self._stopped = False

    async def run(self) -> None:
        """Read it. Raises Damaged. Anything else that keeps it from being read is logged."""
        self._reading = asyncio.ensure_future(asyncio.to_thread(self._read))
        await self._reading

    async def stop(self) -> None:
        """Have it end without a result, and wait for that."""
        self._stopped = True
        while self._reading is not None and not self._reading.done():
            if self._connection is not None:
                with contextlib.suppress(sqlite3.Error):  # it may be closed already
                    self._connection.interrupt()
            await asyncio.wait({self._reading}, timeout=SOONEST)  # an interrupt before its statement is lost

    def _read(self) -> None:
        began = time.monotonic()
        try:
            with closing(connect_to(self._path, "mode=ro")) as connection:
                self._connection = connection
                if not self._stopped:
                    check_file(connection, self._path)
        except (sqlite3.Error, OSError) as error:
            meaning = store_error(error, str(self._path)) if isinstance(error, sqlite3.Error) else None
            if isinstance(meaning, Damaged):
                raise meaning from error
            if not self._stopped:
                _log.warning("the database's file could not be checked: %s", type(error).__name__)
        else:
            if not self._stopped:
                _log.info("the database's file is sound, read in %.1f s", time.monotonic() - began)
        finally:
            self._connection = None
