"""Some matches that are restored together, and all that is read of them: in the store, and in a second process."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from bot.play.facts.replayed_log import ReplayedLog
from bot.play.restoring.log_reader import LogReader
from bot.store.protocols.matches import MatchStore
from bot.store.rows.matches import MatchRow, SavedMatch


class Batch:
    """Reading begins at once, and goes on while other matches are put in play."""

    def __init__(self, rows: Sequence[MatchRow], beside: int, store: MatchStore, changes: int) -> None:
        """The logs of the last ones, `beside` of them, may be read in a second process. `changes` says how often the
        deadlines of all matches were changed before."""
        self.rows = rows
        self.changes = changes
        self.here, self.beside = rows[: len(rows) - beside], rows[len(rows) - beside :]
        self._store = store
        self._saved = asyncio.ensure_future(self._read())
        self._logs: asyncio.Future[Sequence[ReplayedLog | None]] | None = None

    async def saved(self, changes: int) -> dict[str, SavedMatch]:
        """What is saved of the matches, by their ids; read again if deadlines were changed since. Raises StoreError."""
        if changes != self.changes:
            return await self._read()
        return await self._saved

    def read_logs(self, reader: LogReader | None) -> None:
        """Have a second process read its part of the logs, if it hasn't begun."""
        if self._logs is None:
            self._logs = asyncio.ensure_future(self._read_logs(reader))

    async def logs(self) -> Sequence[ReplayedLog | None]:
        """What the logs of those `beside` say, once they are read; None for each that was not. Raises StoreError."""
        return [None] * len(self.beside) if self._logs is None else await self._logs

    def forget(self) -> None:
        """Read no further."""
        _forget(self._saved)
        if self._logs is not None:
            _forget(self._logs)

    async def _read(self) -> dict[str, SavedMatch]:
        return await self._store.saved_matches([row.id for row in self.rows])

    async def _read_logs(self, reader: LogReader | None) -> Sequence[ReplayedLog | None]:
        saved = await self._saved
        if reader is None or not self.beside:
            return [None] * len(self.beside)
        return await reader.read([(row, saved[row.id].records) for row in self.beside])


def _forget(reading: asyncio.Future[Any]) -> None:
    """Cancel it, and let nobody miss an error."""
    reading.cancel()
    reading.add_done_callback(lambda done: done.cancelled() or done.exception())
