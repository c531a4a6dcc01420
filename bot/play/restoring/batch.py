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

    def __init__(
        self, rows: Sequence[MatchRow], store: MatchStore, changes: int, reader: LogReader | None, beside: int
    ) -> None:
        """`changes` says how often the deadlines of all matches were changed before. The logs of the last ones,
        `beside` of them, are for the `reader`."""
        self.rows = rows
        self.here, self.beside = rows[: len(rows) - beside], rows[len(rows) - beside :]
        self._store = store
        self._changes = changes
        self._reader = reader
        self._saved = asyncio.ensure_future(self._read())
        self._logs: asyncio.Future[Sequence[ReplayedLog | None]] | None = None

    async def saved(self, changes: int) -> dict[str, SavedMatch]:
        """What is saved of the matches, by their ids; read again if deadlines were changed since. Raises StoreError."""
        if changes != self._changes:
            return await self._read()
        return await self._saved

    def read_logs(self) -> asyncio.Future[Sequence[ReplayedLog | None]]:
        """Have the reader read its part of the logs, if it hasn't begun: what they say, and None for each that it could
        not read. Raises StoreError."""
        if self._logs is None:
            self._logs = asyncio.ensure_future(self._read_logs())
        return self._logs

    def forget(self) -> None:
        """Read no further."""
        _forget(self._saved)
        if self._logs is not None:
            _forget(self._logs)

    async def _read(self) -> dict[str, SavedMatch]:
        return await self._store.saved_matches([row.id for row in self.rows])

    async def _read_logs(self) -> Sequence[ReplayedLog | None]:
        saved = await self._saved
        if self._reader is None or not self.beside:
            return ()
        return await self._reader.read([(row, saved[row.id].records) for row in self.beside])


def _forget(reading: asyncio.Future[Any]) -> None:
    """Cancel it, and let nobody miss an error."""
    reading.cancel()
    reading.add_done_callback(lambda done: done.cancelled() or done.exception())
