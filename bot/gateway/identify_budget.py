"""How soon the next session at Discord's gateway may begin.

Discord grants a bot a thousand identifies a day and then resets its token. A session that cannot be resumed, a crash
that a service manager mends by another start: each costs one. So the moments at which sessions began are kept in the
store, over restarts; the first of an hour are free, and each further one waits twice as long as the one before it.
Where Discord says that little is left of the day's budget, that is spread over the rest of the day.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Final

from bot.store.errors import StoreError
from bot.store.protocols.servers import ServerStore

_log = logging.getLogger(__name__)

HOUR: Final = 3_600_000
DAY: Final = 24 * HOUR
"""Milliseconds."""
FREE: Final = 20
"""Sessions of a shard in an hour that wait for nothing."""
FIRST_WAIT: Final = 5_000
LONGEST_WAIT: Final = 300_000
"""Milliseconds between two sessions. At worst an hour sees some forty, a day fewer than seven hundred."""
LOW: Final = 0.25
"""The part of the day's budget from which on what is left is spread over the day."""
KEPT: Final = 1000
"""How many beginnings are remembered at most; more than an hour can see, but for a bot of very many shards."""


class IdentifyBudget:
    """When sessions began, and what Discord has said about how many are left. Times are milliseconds, UTC."""

    def __init__(self, store: ServerStore, now: Callable[[], int]) -> None:
        self._store = store
        self._now = now
        self._key = ""
        self._identifies: list[int] = []
        self._shards = 1
        self._remaining = 0
        self._day_ends = 0
        self._spread = 0

    async def load(self, application_id: int, shards: int, *, total: int, remaining: int, reset_after: int) -> None:
        """Take up what is known at a start: our own record, and Discord's word (`reset_after` in milliseconds)."""
        self._key = f"sessions:{application_id}"
        self._shards = max(1, shards)
        now = self._now()
        kept = json.loads(await self._store.metadata(self._key) or "[]")
        self._identifies = sorted(
            min(int(moment), now) for moment in kept
        )  # a clock set back makes none of them future
        self._remaining = remaining
        self._day_ends = now + reset_after
        self._spread = reset_after // max(1, remaining // self._shards) if remaining <= total * LOW else 0

    def delay_ms(self) -> int:
        """Milliseconds until the next session may begin; 0 for now."""
        now = self._now()
        self._identifies = [moment for moment in self._identifies if now - moment < DAY]
        if now < self._day_ends and self._remaining < self._shards:
            return self._day_ends - now
        if not self._identifies:
            return 0
        beyond = self.used_last_hour // self._shards - FREE
        pause = min(FIRST_WAIT << min(beyond, 10), LONGEST_WAIT) if beyond >= 0 else 0
        if now < self._day_ends:
            pause = max(pause, self._spread)
        return max(0, self._identifies[-1] + pause - now)

    @property
    def used_last_hour(self) -> int:
        """How many have begun within the hour."""
        now = self._now()
        return sum(now - moment < HOUR for moment in self._identifies)

    @property
    def remaining(self) -> int:
        """How many Discord grants before the day's budget is whole again, as far as is known."""
        return self._remaining

    async def record_identify(self) -> None:
        """Note that a session begins."""
        self._identifies = [*self._identifies, self._now()][-KEPT:]
        self._remaining -= 1
        try:
            await self._store.set_metadata(self._key, json.dumps(self._identifies))
        except StoreError as error:
            _log.warning("the beginning of a session could not be noted: %s", type(error).__name__)
