"""Places come and go: channels, threads, and the servers we are removed from.

A match whose place is lost is suspended, an invitation is taken back. What nobody resumes for so many days is called
off, and what is remembered of a server that removed us is purged when we have not been back for as long. It
all works with ids; `bot.gateway.client` reports what has happened.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from typing import Final

from bot.play.invitations import Invitations
from bot.play.match_lifecycle import MatchLifecycle
from bot.play.match_registry import MatchRegistry
from bot.play.observers import Observer
from bot.scheduler import Scheduler
from bot.store.errors import StoreError
from bot.store.protocols.servers import ServerStore
from bot.store.rows import Suspension

EVERY: Final = 24 * 3600.0
"""Seconds between two looks at what is to be purged."""

DAY: Final = 24 * 3600 * 1000
"""Milliseconds."""

_log = logging.getLogger(__name__)


class Places:
    """Which servers we are in, and what becomes of matches and invitations whose place is lost."""

    def __init__(
        self,
        store: ServerStore,
        registry: MatchRegistry,
        lifecycle: MatchLifecycle,
        invitations: Invitations,
        *,
        observers: Observer,
        scheduler: Scheduler,
        purge_days: int,
    ) -> None:
        self._store = store
        self._registry = registry
        self._lifecycle = lifecycle
        self._invitations = invitations
        self._observers = observers
        self._scheduler = scheduler
        self._now = scheduler.now
        self._purge_after = purge_days * DAY
        self._shards = 1
        self._here: dict[int, set[int]] = {}

    # ------------------------------------------------------------------------------------ channels

    async def channel_gone(self, channel_id: int) -> None:
        """A channel or thread was deleted."""
        await self._suspend_all(channel_id, Suspension.CHANNEL_GONE)
        lost = [invitation for invitation in self._invitations.open() if invitation.channel_id == channel_id]
        await self._invitations.close_lost(lost)

    async def thread_closed(self, thread_id: int) -> None:
        """A thread was archived or locked."""
        await self._suspend_all(thread_id, Suspension.THREAD_CLOSED)

    def in_use(self) -> set[tuple[int, int]]:
        """Where something is shown, as server and channel: matches that are played, and open invitations."""
        playing = {(match.guild_id, match.channel_id) for match in self._registry.live() if match.suspended is None}
        return playing | {(each.guild_id, each.channel_id) for each in self._invitations.open()}

    async def _suspend_all(self, channel_id: int, why: Suspension) -> None:
        matches = self._registry.in_channel(channel_id)
        await asyncio.gather(*(self._lifecycle.suspend(match, why, channel_id) for match in matches))

    # ------------------------------------------------------------------------------------ servers

    async def session_started(self, shard: int, shards: int, here: Collection[int]) -> None:
        """A session of one of so many shards has begun, which names every server of it that we are in.

        Servers we were removed from while nobody was connected are found, and those we are back in.
        """
        self._shards = shards
        self._here[shard] = set(here)
        await self.reconcile()

    async def joined(self, guild_id: int) -> None:
        """We are in a server (again). Its matches stay suspended until a player resumes them."""
        self._here.get(self._shard(guild_id), set()).add(guild_id)
        await self._store.clear_departure(guild_id)

    async def removed(self, guild_id: int) -> None:
        """We were removed from a server; it is not merely out of reach."""
        self._here.get(self._shard(guild_id), set()).discard(guild_id)
        await self._mark_removed(guild_id)

    async def run_daily(self) -> None:
        """Look once a day, until cancelled; the first look is that of the first session."""
        while True:
            await self._scheduler.sleep(EVERY)
            try:
                await self.reconcile()
            except StoreError as error:
                _log.warning("what is to be purged could not be looked at: %s", type(error).__name__)

    async def reconcile(self) -> None:
        """Compare what is remembered with where we are, purge what is due, and call off what nobody resumes."""
        departures = await self._store.departures()
        for guild_id in departures:
            if self.is_here(guild_id):
                await self._store.clear_departure(guild_id)
        for guild_id in await self._store.known_guilds():
            if self._is_away(guild_id):
                await self._mark_removed(guild_id)
        for guild_id, at in departures.items():
            if self._is_away(guild_id) and self._now() - at >= self._purge_after:
                await self._purge(guild_id)
        await self._lifecycle.lapse(self._purge_after)

    async def _mark_removed(self, guild_id: int) -> None:
        await self._store.record_departure(guild_id, self._now())
        matches = self._registry.in_server(guild_id)
        await asyncio.gather(*(self._lifecycle.suspend(match, Suspension.REMOVED) for match in matches))
        lost = [invitation for invitation in self._invitations.open() if invitation.guild_id == guild_id]
        await self._invitations.close_lost(lost)

    async def _purge(self, guild_id: int) -> None:
        await self._store.purge_guild(guild_id)
        self._lifecycle.forget_server(guild_id)
        self._invitations.forget_server(guild_id)
        self._observers.server_purged(guild_id)
        _log.info("purged a server we were removed from %d days ago", self._purge_after // DAY)

    def _shard(self, guild_id: int) -> int:
        """The shard that hears of a server (https://discord.com/developers/docs/events/gateway#sharding)."""
        return (guild_id >> 22) % self._shards

    def is_here(self, guild_id: int) -> bool:
        """Whether we are in a server, as far as is known."""
        return guild_id in self._here.get(self._shard(guild_id), ())

    def _is_away(self, guild_id: int) -> bool:
        """Whether we are not in a server, as far as its shard has named our servers."""
        return self._shard(guild_id) in self._here and not self.is_here(guild_id)
