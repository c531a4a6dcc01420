"""Stores which hands are open, so that the next process keeps them up to date.

Hands change with every press. So changes are collected and written together, about once a second, after the presses
are answered: no press waits for it. A process that is killed loses the last second. A hand that was stored before can
still be edited, because its former token edits the same message.
"""

from __future__ import annotations

import asyncio
import logging

from bot.scheduler import ScheduledCall, Scheduler
from bot.store.errors import StoreError
from bot.store.rows.screens import HandKey, HandRow
from bot.store.store import Store

_log = logging.getLogger(__name__)

WRITE_EVERY = 1.0
"""Seconds between two writes, at least."""
SWEEP_AFTER = 15.0 * 60
"""Seconds after the last write until whatever it saved has expired, and is deleted."""


class HandRecords:
    """The rows of open hands."""

    def __init__(self, store: Store, scheduler: Scheduler) -> None:
        self._store = store
        self._scheduler = scheduler
        self._changed: dict[HandKey, HandRow | None] = {}
        self._call: ScheduledCall | None = None
        self._sweep: ScheduledCall | None = None
        self._writing: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def idle(self) -> bool:
        """Whether everything is written."""
        return not self._changed and self._writing is None

    async def stored(self) -> list[HandRow]:
        """The hands that an earlier process left open and whose tokens are still valid. Raises StoreError."""
        now = self._scheduler.now()
        await self._store.write_open_hands((), (), now)  # this deletes what has expired
        self._sweep_later()
        return [row for row in await self._store.open_hands() if row.expires_at > now]

    def save(self, row: HandRow) -> None:
        """Store a hand, in place of the former row of its message."""
        self._note(row.key, row)

    def remove(self, key: HandKey) -> None:
        """Delete the row of a hand."""
        self._note(key, None)

    async def close(self) -> None:
        """Write what is left."""
        self._closed = True
        for call in (self._call, self._sweep):
            if call is not None:
                call.cancel()
        if self._writing is not None:
            await self._writing
        if self._changed:
            await self._write()

    def _note(self, key: HandKey, row: HandRow | None) -> None:
        self._changed.pop(key, None)
        self._changed[key] = row
        if self._call is None and self._writing is None and not self._closed:
            self._call = self._scheduler.call_later(WRITE_EVERY, self._begin)

    def _sweep_later(self) -> None:
        """Write once more when all tokens that are stored now have expired, if nothing else is written until then."""
        if self._sweep is not None:
            self._sweep.cancel()
        self._sweep = self._scheduler.call_later(SWEEP_AFTER, self._begin)

    def _begin(self) -> None:
        if self._writing is not None or self._closed:
            return
        self._call = None
        self._writing = asyncio.get_running_loop().create_task(self._write())
        self._writing.add_done_callback(self._written)

    def _written(self, _: asyncio.Task[None]) -> None:
        self._writing = None
        if self._changed and not self._closed:
            self._call = self._scheduler.call_later(WRITE_EVERY, self._begin)

    async def _write(self) -> None:
        """Write all changes. If that fails they are dropped: the next press on each hand stores it again."""
        changed, self._changed = self._changed, {}
        saved = [row for row in changed.values() if row is not None]
        removed = [key for key, row in changed.items() if row is None]
        try:
            await self._store.write_open_hands(saved, removed, self._scheduler.now())
        except StoreError as error:
            _log.warning("open hands could not be saved: %s", type(error).__name__)
        if saved and not self._closed:
            self._sweep_later()
