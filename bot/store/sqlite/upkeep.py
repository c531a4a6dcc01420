"""What is done for the database between writes: little is in the WAL alone, and the witness is up to date.

SQLite moves the WAL into the file by itself only every 400 pages, which in a small house takes hours. Here that is
done as soon as nothing was written for a second, and every minute if something always is.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable
from typing import Final

from bot.store.errors import StoreError

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
