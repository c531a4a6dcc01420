"""The distance between new sessions that Discord asks for, kept by all processes of the bot together.

Discord takes one identify in five seconds for each *bucket* of shards, those with the same remainder of their number by
`max_concurrency` (https://discord.com/developers/docs/events/gateway#sharding-max-concurrency). The library (2.7) keeps
that distance within a process. Processes that share their data take turns in them.
"""

from __future__ import annotations

import logging
from typing import Final

from bot.store.errors import StoreError
from bot.store.store import Store

SPACING: Final = 5500
"""Milliseconds between two identifies of a bucket: Discord's five seconds, and what differs on the way to it."""

_log = logging.getLogger(__name__)


class SessionTurns:
    """Turns of new sessions. Each takes two: one before it connects, which may be a long wait, and one when it
    identifies, which is a short wait, because connecting takes differently long."""

    def __init__(self, store: Store | None) -> None:
        """Without a store there are no other processes."""
        self._store = store
        self._concurrency = 1

    def learn(self, concurrency: int) -> None:
        """Discord has said how many sessions may begin at once (`max_concurrency`)."""
        self._concurrency = max(1, concurrency)

    @property
    def shared(self) -> bool:
        """Whether other processes take turns with this one."""
        return self._store is not None and self._store.is_shared

    async def to_connect(self, shard: int) -> int:
        """Milliseconds until a shard may connect for a new session. 0 where no other process takes turns."""
        return await self._take("connect", shard) if self.shared else 0

    async def to_identify(self, shard: int) -> int:
        """Milliseconds until a shard that has connected may identify."""
        return await self._take("identify", shard)

    async def _take(self, what: str, shard: int) -> int:
        """Take a turn. If the store fails there is none to wait for: Discord refuses a session that comes too early,
        and the library tries again."""
        if self._store is None:
            return 0
        try:
            return await self._store.take_turn(f"{what}:{shard % self._concurrency}", SPACING)
        except StoreError as error:
            _log.warning("the turn of a session could not be taken: %s", type(error).__name__)
            return 0
