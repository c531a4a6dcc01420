"""The shards that this process holds: claimed at a start, renewed while it plays, given back at a clean stop.

The data say who holds what (`bot.store.queries.clusters`), and refuse the writes of a process that was
replaced. But a process that cannot reach the data learns nothing from them. So it also goes by its own clock: from
`MARGIN` before its lease runs out it takes itself for replaced, and says nothing to anybody (`is_current`). If it then
turns out that nobody took its shards, because the data were out of reach for all, play continues. Otherwise the shards
are `lost`.
"""

from __future__ import annotations

import asyncio
import logging
import platform
import secrets
from collections.abc import Callable, Sequence
from typing import Final

from bot import logs
from bot.scheduler import Scheduler
from bot.shard_range import ShardRange
from bot.store.errors import Fenced, StoreError
from bot.store.store import Store
from bot.telemetry import NO_TELEMETRY, Telemetry

LEASE_SECONDS: Final = 15.0
"""How long a lease is. A process that takes over from one that died waits for that at most."""
RENEW_SECONDS: Final = 4.0
"""How often it is renewed: two renewals may fail."""
MARGIN: Final = 3.0
"""Seconds before the end of the lease at which the process falls silent. What it sent before that has arrived when the
lease ends."""
LOOK_AGAIN: Final = 2.0
"""The longest wait in seconds between two tries to claim a range, or to renew a lease after a failure."""
TAKEN: Final = "another process has taken shards of this one"
"""Why shards are lost when a write was refused because their lease is another process's."""
LONGEST_NODE: Final = 64
"""How much of the machine's name is in the name under which a process holds shards. In a container it is the pod's."""

_LEASE: Final = round(LEASE_SECONDS * 1000)

_log = logging.getLogger(__name__)


class Ownership:
    """The range of shards that this process holds. It is the store's `Tenant`."""

    def __init__(
        self,
        store: Store,
        ranges: Sequence[ShardRange],
        scheduler: Scheduler,
        telemetry: Telemetry = NO_TELEMETRY,
    ) -> None:
        """`ranges` are those that this process may serve: the first free one of them."""
        self._store = store
        self._ranges = ranges
        self._scheduler = scheduler
        self._telemetry = telemetry
        self._loop = asyncio.get_running_loop()
        self._owner = f"{platform.node()[:LONGEST_NODE]} {secrets.token_hex(8)}"
        self._renewed_at = 0.0
        self._in_doubt = False
        self.held: ShardRange | None = None
        """The range that was claimed; None before, and once it was given back."""
        self.lost = asyncio.Event()
        """Set once this process may write no more. Nothing that it does counts any more."""
        self.why_lost = ""
        """Why, once they are lost."""
        self._on_silence: Callable[[], None] = lambda: None
        self._on_certain: Callable[[], None] = lambda: None

    async def claim(self) -> ShardRange:
        """Wait until one of the ranges is free, and claim it. Raises StoreError if the data can't be used, and no other
        process could be why, and Fenced if this process may write no more however long it waits."""
        waiting = False
        while True:
            soonest = LOOK_AGAIN
            for wanted in self._ranges:
                asked_at = self._scheduler.monotonic()
                left = await self._try(wanted)
                if left == 0:
                    self.held, self._renewed_at = wanted, asked_at
                    if waiting or not wanted.is_everything:
                        _log.info("this process serves the shards %s as %s", wanted, self._owner)
                    return wanted
                soonest = min(soonest, left / 1000)
            if not waiting:
                waiting = True
                _log.info("other processes serve the shards %s: waiting", " and ".join(map(str, self._ranges)))
            await self._scheduler.sleep(soonest)

    async def _try(self, wanted: ShardRange) -> int:
        """Claim a range. Returns 0, or the ms after which it may be free. Shared data may fail for a while: a process
        that stands still in the middle of a write keeps others waiting."""
        try:
            return await self._store.claim_shards(wanted, self, self._owner, _LEASE)
        except StoreError as error:
            if not self._store.is_shared or isinstance(error, Fenced):
                raise
            _log.warning("the shards could not be claimed: %s", type(error).__name__)
            return round(LOOK_AGAIN * 1000)

    def is_current(self) -> bool:
        """Whether the lease is surely in force, by this process's own clock."""
        return not self._store.is_shared or (not self.lost.is_set() and self._scheduler.monotonic() < self._silent_from)

    async def confirm(self) -> bool:
        """Whether the data say that the shards are still this process's. It is asked where being wrong by a moment
        would take something from their next owner."""
        if self._store.is_shared and not self.lost.is_set():
            await self._renew()
        return self.is_current()

    def fenced(self) -> None:
        self._loop.call_soon_threadsafe(self._lose, TAKEN)

    def when_in_doubt(self, silence: Callable[[], None], certain: Callable[[], None]) -> None:
        """Have `silence` called when this process falls silent, and `certain` when it then turns out that nobody took
        the shards."""
        self._on_silence, self._on_certain = silence, certain

    async def keep(self) -> None:
        """Renew the lease until it is lost. Where no other process has the data there is nothing to do."""
        while self._store.is_shared and not self.lost.is_set():
            certain_for = max(0.0, self._silent_from - self._scheduler.monotonic())
            silence = self._scheduler.call_later(certain_for, self._doubt)
            try:
                await self._scheduler.sleep(LOOK_AGAIN if self._in_doubt else RENEW_SECONDS)
                await self._renew()  # the answer may take longer than the lease
            except Exception as error:  # noqa: BLE001  whatever it is, the next try may succeed
                logs.log_error(error, "renewing the lease of the shards", self._telemetry)
            finally:
                silence.cancel()

    async def release(self) -> None:
        """Give the shards back, so that another process can take them at once. If that fails, the lease runs out."""
        if self.held is None or self.lost.is_set():
            return
        self.held = None
        try:
            await self._store.release_shards()
        except StoreError as error:
            _log.warning("the shards could not be given back: %s", type(error).__name__)

    @property
    def _silent_from(self) -> float:
        return self._renewed_at + LEASE_SECONDS - MARGIN

    async def _renew(self) -> None:
        """Renew the lease once."""
        asked_at = self._scheduler.monotonic()
        try:
            await self._store.renew_shards(_LEASE)
        except Fenced as error:
            self._lose(str(error))
        except StoreError as error:
            _log.warning("the lease of the shards could not be renewed: %s", type(error).__name__)
        else:
            self._renewed_at = asked_at  # not when the answer came: the lease began in between
            if self._in_doubt and self.is_current():
                self._in_doubt = False
                _log.warning("nobody has taken the shards %s: play continues", self.held)
                self._on_certain()

    def _doubt(self) -> None:
        if not self._in_doubt and not self.lost.is_set():
            self._in_doubt = True
            _log.warning("the lease of the shards %s could not be renewed: nobody is answered", self.held)
            self._on_silence()

    def _lose(self, why: str) -> None:
        if not self.lost.is_set():
            self.why_lost = why
            self.lost.set()
            _log.error("the shards %s are lost: %s", self.held, why)
