"""Packs the logs of finished matches beside play, one match at a time.

A log of many rows is needed while its match is played. Afterwards it is only read as a whole, and takes a tenth of the
room as one row. A match waits for an hour, because a press that came twice is recognised by the interaction that the
log names, and gets the answer that its move was made: an interaction can be answered for 15 minutes (Discord's
documentation, *Receiving and Responding*), and Discord sends none again that is older. And who has just played looks at
the match again.

It is done in three steps, of which only the first and the last hold the database's thread, for a millisecond or two:
the log is read, verified and packed, and its rows are exchanged for one, in one transaction. So whenever the process is
killed, a match has all of its records, or its packed log.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Final

from bot import logs
from bot.scheduler import Scheduler
from bot.store.errors import Conflict, StoreError
from bot.store.queries.packing import UnpackedLog, packed
from bot.store.store import Store
from bot.telemetry import Telemetry

WAITS: Final = 3_600_000
"""How long (ms) a log stays as it is after the end of its match."""
EVERY: Final = 600.0
"""Seconds from one look for logs that have waited long enough to the next."""
PAUSE: Final = 0.05
"""Seconds between two matches: a million take a day."""
CHECKPOINT_EVERY: Final = 8
"""The number of matches after which the pages that they changed are moved into the file, if nothing else is waiting."""

_log = logging.getLogger(__name__)


class LogPacking:
    """Packs the logs of the servers that this process serves."""

    def __init__(self, store: Store, scheduler: Scheduler, telemetry: Telemetry) -> None:
        self._store = store
        self._scheduler = scheduler
        self._telemetry = telemetry
        self._left: set[str] = set()

    async def run(self) -> None:
        """Pack what there is to pack, again and again until cancelled."""
        while True:
            await self._scheduler.sleep(EVERY)
            try:
                await self.pack_all()
            except StoreError as error:  # what was packed before stays so
                _log.warning("logs could not be packed: %s", type(error).__name__)
            except Exception as error:  # noqa: BLE001  play continues, and the next look tries again
                logs.log_error(error, "packing logs", self._telemetry)

    async def pack_all(self) -> int:
        """Pack all logs that have waited long enough, and return how many there were. A log that isn't as it was saved
        stays as it is. Raises StoreError."""
        after, count = (0, ""), 0
        until = self._scheduler.now() - WAITS
        while (log := await self._store.unpacked_log(after, until)) is not None:
            after = (log.ended_at, log.match_id)
            if not await self._pack(log):
                continue
            count += 1
            if count % CHECKPOINT_EVERY == 0:
                await self._store.database.checkpoint_if_idle()
            await self._scheduler.sleep(PAUSE)
        return count

    async def _pack(self, log: UnpackedLog) -> bool:
        """Pack a log, unless it was altered; that is said once."""
        made = await asyncio.to_thread(packed, log)
        if made is not None:
            with suppress(Conflict):
                await self._store.put_packed_log(made)
                return True
        if log.match_id not in self._left:
            self._left.add(log.match_id)
            _log.warning("match %s: its log was altered, and is not packed", log.match_id)
        return False
