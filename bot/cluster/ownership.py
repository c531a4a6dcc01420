"""The shards that this process holds: claimed at a start, renewed while it plays, given back at a clean stop.

The data say who holds what (`bot.store.queries.clusters`), and refuse the writes of a process that was
replaced. But a process that cannot reach the data learns nothing from them. So it also goes by its own clock: from
`MARGIN` before others may take its shards it takes itself for replaced, and says nothing to anybody (`is_current`). If
it then turns out that nobody took them, because the data were out of reach for all, play continues. Otherwise the
shards are `lost`.

Others may take them `UNCONNECTED_SECONDS` after the last renewal if the data see that the process has no connection any
more, as after `kill -9`, and after the whole lease if it has one: it only stands still. The store renews beside the
event loop (`Store.keep_renewing`), so neither a loop that stands still for a while nor a slow disk is in its way. But
for a loop that stands still for longer than `STANDSTILL` nothing is renewed: nobody is answered.
"""

from __future__ import annotations

import asyncio
import logging
import math
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
"""How long a lease is. Nobody takes the shards of a process that is connected, but stands still, before that."""
UNCONNECTED_SECONDS: Final = 3.0
"""How long it is once its process has no connection to the data."""
RENEW_SECONDS: Final = 0.5
"""How often it is renewed: a lost connection is made again long before others may take the shards."""
MARGIN: Final = 0.75
"""Seconds before others may take the shards at which the process falls silent. What it sent before that has arrived
then."""
STANDSTILL: Final = 8.0
"""For how many seconds the event loop may stand still before its process counts as one that has ended."""
CHECK_SECONDS: Final = 4.0
"""How often the lease is also renewed as moves are saved. So a process learns that it may write no more, if nobody
plays."""
LOOK_AGAIN: Final = 2.0
"""The longest wait in seconds between two tries to claim a range. It is shorter than `UNCONNECTED_SECONDS` less
`RENEW_SECONDS`: so a spare knows before the end of a lease that its process has ended."""
TAKEN: Final = "another process has taken shards of this one"
"""Why shards are lost when a write was refused because their lease is another process's."""
LONGEST_NODE: Final = 64
"""How much of the machine's name is in the name under which a process holds shards. In a container it is the pod's."""

_log = logging.getLogger(__name__)


class Ownership:
    """The range of shards that this process holds. It is the store's `Tenant`, and `Renewing`."""

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
        self._renewed_at = self._turned_at = 0.0
        """When the last renewal that succeeded had begun, and when the loop was last seen to turn."""
        self._in_doubt = self._is_failing = False
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
        failed_at = -math.inf
        while True:
            soonest = LOOK_AGAIN
            for wanted in self._ranges:
                asked_at = self._scheduler.monotonic()
                left = await self._try(wanted, is_early=asked_at >= failed_at + LEASE_SECONDS)
                if left is None:
                    failed_at = self._scheduler.monotonic()
                elif left == 0:
                    self.held, self._renewed_at = wanted, asked_at
                    if waiting or not wanted.is_everything:
                        _log.info("this process serves the shards %s as %s", wanted, self._owner)
                    return wanted
                else:
                    soonest = min(soonest, left / 1000)
            if not waiting:
                waiting = True
                _log.info("other processes serve the shards %s: waiting", " and ".join(map(str, self._ranges)))
            await self._scheduler.sleep(soonest)

    async def _try(self, wanted: ShardRange, *, is_early: bool) -> int | None:
        """Claim a range. Returns 0, the ms after which it may be free, or None if nobody knows, because shared data may
        fail for a while.

        Where they just did, all processes may have lost their connections, so it is too early (`is_early`) to go by
        them: those that play come back first.
        """
        early = _milliseconds(LEASE_SECONDS - UNCONNECTED_SECONDS) if is_early else 0
        try:
            return await self._store.claim_shards(wanted, self, self._owner, _lease(), early=early)
        except StoreError as error:
            if not self._store.is_shared or isinstance(error, Fenced):
                raise
            _log.warning("the shards could not be claimed: %s", type(error).__name__)
            return None

    def is_current(self) -> bool:
        """Whether the lease is surely in force, by this process's own clock."""
        return not self._store.is_shared or (not self.lost.is_set() and self._scheduler.monotonic() < self._silent_from)

    async def confirm(self) -> bool:
        """Whether the data say that the shards are still this process's. It is asked where being wrong by a moment
        would take something from their next owner."""
        if self._store.is_shared and not self.lost.is_set():
            await self._check_write()
        return self.is_current()

    def fenced(self) -> None:
        self._loop.call_soon_threadsafe(self._lose, TAKEN)

    def when_in_doubt(self, silence: Callable[[], None], certain: Callable[[], None]) -> None:
        """Have `silence` called when this process falls silent, and `certain` when it then turns out that nobody took
        the shards."""
        self._on_silence, self._on_certain = silence, certain

    async def keep(self) -> None:
        """Keep the lease until it is lost. Where no other process has the data there is nothing to do."""
        if not self._store.is_shared:
            return
        self._turned_at = self._scheduler.monotonic()
        parts = [
            asyncio.create_task(self._store.keep_renewing(self, _lease(), RENEW_SECONDS)),
            asyncio.create_task(self._check_writes()),
        ]
        try:
            while not self.lost.is_set():
                now = self._turned_at = self._scheduler.monotonic()
                self._look()
                left = self._silent_from - now
                await self._scheduler.sleep(min(RENEW_SECONDS, left) if left > 0 else RENEW_SECONDS)
        finally:
            for part in parts:
                part.cancel()
            await asyncio.gather(*parts, return_exceptions=True)

    async def _check_writes(self) -> None:
        """Renew the lease as moves are saved, again and again."""
        while True:
            await self._scheduler.sleep(CHECK_SECONDS)
            await self._check_write()

    async def _check_write(self) -> None:
        begun = self._scheduler.monotonic()
        try:
            await self._store.renew_shards(_lease())
        except Exception as error:  # noqa: BLE001  whatever it is, the next try may succeed
            self._fail(error)
        else:
            self.renewed(begun)

    async def release(self) -> None:
        """Give the shards back, so that another process can take them at once. If that fails, the lease runs out."""
        if self.held is None or self.lost.is_set():
            return
        self.held = None
        try:
            await self._store.release_shards()
        except StoreError as error:
            _log.warning("the shards could not be given back: %s", type(error).__name__)

    # ------------------------------------------------------------------------------------ renewals, in any thread

    def begin_renewal(self) -> float | None:
        now = self._scheduler.monotonic()
        return now if now < self._turned_at + STANDSTILL else None

    def renewed(self, begun: float) -> None:
        self._renewed_at = max(self._renewed_at, begun)  # not when the answer came: the lease began in between
        self._is_failing = False
        if self._in_doubt:
            self._loop.call_soon_threadsafe(self._look)

    def not_renewed(self, error: Exception) -> None:
        self._loop.call_soon_threadsafe(self._fail, error)

    # ------------------------------------------------------------------------------------ in the loop

    @property
    def _silent_from(self) -> float:
        return self._renewed_at + UNCONNECTED_SECONDS - MARGIN

    def _look(self) -> None:
        """Notice whether this process falls silent, or may speak again."""
        if self.lost.is_set() or self._in_doubt != self.is_current():
            return
        self._in_doubt = not self._in_doubt
        if self._in_doubt:
            _log.warning("the lease of the shards %s could not be renewed: nobody is answered", self.held)
            self._on_silence()
        else:
            _log.warning("nobody has taken the shards %s: play continues", self.held)
            self._on_certain()

    def _fail(self, error: Exception) -> None:
        """A renewal failed. It is said once, until one succeeds."""
        if isinstance(error, Fenced):
            self._lose(str(error))
        elif not self._is_failing:
            self._is_failing = True
            if isinstance(error, StoreError):
                _log.warning("the lease of the shards could not be renewed: %s", type(error).__name__)
            else:
                logs.log_error(error, "renewing the lease of the shards", self._telemetry)

    def _lose(self, why: str) -> None:
        if self.held is not None and not self.lost.is_set():  # what was given back is not lost
            self.why_lost = why
            self.lost.set()
            _log.error("the shards %s are lost: %s", self.held, why)


def _lease() -> int:
    return _milliseconds(LEASE_SECONDS)


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)
