"""Sessions at the gateway outlive the process: the next one resumes them, misses nothing and identifies nowhere.

A session is its id, an address and the number of the last event that was read. After RESUMED Discord describes no
server again, so what is kept of them is stored beside it, of the same moment; what happened since then is replayed.
That also holds for a process that was killed: Discord replays what came after the last time that its sessions were
stored, and what is repeated of it is dropped like everything that comes before RESUMED. A session without its servers,
of another application, or that Discord no longer has, is followed by a new one (decision 60).

A session's id and address are secrets: with them and the token anybody gets the bot's events.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from typing import Final

from bot.gateway.lean.servers import SlimServers
from bot.gateway.shards import BudgetedClient, Resumable
from bot.store.errors import StoreError
from bot.store.queries.gateway_sessions import KeptSession
from bot.store.store import Store

_log = logging.getLogger(__name__)

KEEP_SECONDS: Final = 30.0
"""How often sessions are stored. Discord has to replay as much after a kill."""
OLDEST: Final = 600_000
"""Milliseconds after which a session isn't tried. Discord doesn't say how long it keeps one; some minutes, it seems. A
try costs a second, and what is older is surely gone."""


class KeptSessions:
    """Stores the sessions of a client, and gives it those that the last process left."""

    def __init__(self, client: BudgetedClient, store: Store, servers: SlimServers) -> None:
        self._client = client
        self._store = store
        self._servers = servers
        self._kept: dict[int, tuple[str, int]] = {}
        """The id of each shard's session, and its last event, as they were stored."""

    async def take(self) -> set[int]:
        """Have the client resume what it can. Returns these shards. The sessions then belong to this process alone."""
        own = set(self._client.own_shards)
        try:
            found = await self._store.take_sessions(self._shards, own)
        except StoreError as error:
            _log.warning("sessions could not be taken over: %s", type(error).__name__)
            return set()
        return {kept.shard for kept in found if self._use(kept)}

    def _use(self, kept: KeptSession) -> bool:
        if kept.profile != self._profile or not 0 <= self._store.now() - kept.at <= OLDEST:
            return False
        try:
            self._servers.restore(kept.servers)
        except ValueError:
            _log.warning("what is stored of the servers of shard %d is damaged: it begins a session", kept.shard)
            return False
        self._client.resumable[kept.shard] = Resumable(kept.shard, kept.session, kept.address, kept.sequence)
        return True

    async def run(self) -> None:
        """Store the sessions every few seconds until cancelled."""
        while True:
            await asyncio.sleep(KEEP_SECONDS)
            await self.keep(self._client.sessions())

    async def keep(self, sessions: Iterable[Resumable]) -> None:
        """Store those sessions that have had an event since they were stored. What is stored of servers may be younger
        than a session: what has changed since then is only replayed. A failure is logged, and the next one tries again.
        """
        for session in sessions:
            if self._kept.get(session.shard) == (session.id, session.sequence):
                continue
            is_new = self._kept.get(session.shard, ("", 0))[0] != session.id
            changed = is_new or session.shard in self._servers.changed
            self._servers.changed.discard(session.shard)
            servers = self._servers.described(session.shard, self._shards) if changed else ""
            kept = KeptSession(
                self._shards,
                session.shard,
                self._profile,
                session.id,
                session.address,
                session.sequence,
                self._store.now(),
                servers,
            )
            try:
                await self._store.keep_session(kept)
            except StoreError as error:
                self._servers.changed.add(session.shard)
                _log.warning("a session could not be stored: %s", type(error).__name__)
                return
            self._kept[session.shard] = session.id, session.sequence

    @property
    def _shards(self) -> int:
        return self._client.shard_count or 1

    @property
    def _profile(self) -> str:
        """What a session is for. One of other intents would bring other events."""
        return f"{self._client.application_id} {self._client.intents.value}"
