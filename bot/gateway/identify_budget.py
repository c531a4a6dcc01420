"""Decides when the bot may identify at Discord's gateway.

Discord grants a bot a thousand identifies a day and then resets its token. A session that cannot be resumed costs one,
and so does every restart by a service manager. So the store keeps the times of all identifies across restarts. The
first ones of an hour do not wait, and each further one waits twice as long as the one before. When Discord reports that
little of the day's budget is left, the rest is spread over the day.
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Callable
from typing import Final

from bot.store.errors import StoreError
from bot.store.store import Store

_log = logging.getLogger(__name__)

HOUR: Final = 3_600_000
DAY: Final = 24 * HOUR
"""Milliseconds."""
FREE: Final = 20
"""Identifies per shard and hour that do not wait."""
FIRST_WAIT: Final = 5_000
LONGEST_WAIT: Final = 300_000
"""Milliseconds between two identifies. That allows about forty per hour at worst, and fewer than 700 per day."""
LOW: Final = 0.25
"""When this part of the day's budget or less is left, it is spread over the rest of the day."""
KEPT: Final = 1000
"""The most identifies to remember: more than fit into an hour, except for a bot with very many shards."""


class IdentifyBudget:
    """The past identifies, and how many Discord says are left. Times are milliseconds, UTC.

    All processes on the same data have one record.
    """

    def __init__(self, store: Store, now: Callable[[], int], *, spaced: bool = True) -> None:
        """`spaced`: identifies of one hour wait for each other. On a sandbox they need not."""
        self._spaced = spaced
        self._store = store
        self._now = now
        self._key = ""
        self._identifies: list[int] = []
        self._shards = 1
        self._remaining = 0
        self._day_ends = 0
        self._spread = 0

    async def load(self, application_id: int, shards: int, *, total: int, remaining: int, reset_after: int) -> None:
        """Load the stored record at a start, and keep Discord's figures (`reset_after` in milliseconds)."""
        self._key = f"sessions:{application_id}"
        self._shards = max(1, shards)
        now = self._now()
        self._identifies = await self._read()
        self._remaining = remaining
        self._day_ends = now + reset_after
        self._spread = reset_after // max(1, remaining // self._shards) if remaining <= total * LOW else 0

    async def look(self) -> None:
        """Take over the identifies of other processes. A store that fails is logged; what is known still counts."""
        if not self._store.is_shared:
            return
        try:
            self._take(await self._read())
        except StoreError as error:
            _log.warning("the sessions of other processes could not be read: %s", type(error).__name__)

    async def _read(self) -> list[int]:
        kept = json.loads(await self._store.metadata(self._key) or "[]")
        # If the clock was set back, times in the future are moved to now.
        return sorted(min(int(moment), self._now()) for moment in kept)

    def _take(self, moments: list[int]) -> None:
        """Replace the record by a longer one, in which other processes have begun sessions."""
        self._remaining -= (Counter(moments) - Counter(self._identifies)).total()
        self._identifies = moments

    def delay_ms(self) -> int:
        """Milliseconds until the bot may identify; 0 for now."""
        now = self._now()
        # If the clock was set back, times in the future are moved to now.
        self._identifies = [min(moment, now) for moment in self._identifies if now - moment < DAY]
        self._day_ends = min(self._day_ends, now + DAY)
        if now < self._day_ends and self._remaining < self._shards:
            return self._day_ends - now
        if not self._identifies:
            return 0
        beyond = self.used_last_hour // self._shards - FREE
        pause = min(FIRST_WAIT << min(beyond, 10), LONGEST_WAIT) if beyond >= 0 and self._spaced else 0
        if now < self._day_ends:
            pause = max(pause, self._spread)
        return max(0, self._identifies[-1] + pause - now)

    def count_foreign(self, *, remaining: int, reset_after: int) -> int:
        """How many sessions somebody else began since Discord last said what is left; takes over the new figures."""
        now = self._now()
        foreign = max(0, self._remaining - remaining) if now < self._day_ends else 0
        self._remaining, self._day_ends = remaining, now + reset_after
        return foreign

    @property
    def used_last_hour(self) -> int:
        """How many identifies there were within the last hour."""
        now = self._now()
        return sum(now - moment < HOUR for moment in self._identifies)

    @property
    def remaining(self) -> int:
        """How many identifies Discord still grants today, as far as is known."""
        return self._remaining

    async def record_identify(self) -> None:
        """Record an identify. A store that fails is logged; the record in memory still counts."""
        now = self._now()
        try:
            if self._store.is_shared:
                self._take(await self._store.record_session(self._key, now, KEPT))
                return
            self._note(now)
            await self._store.set_metadata(self._key, json.dumps(self._identifies))
        except StoreError as error:
            if self._store.is_shared:
                self._note(now)
            _log.warning("the beginning of a session could not be noted: %s", type(error).__name__)

    def _note(self, moment: int) -> None:
        self._identifies = [*self._identifies, moment][-KEPT:]
        self._remaining -= 1
