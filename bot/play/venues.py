"""Follows the loss of channels, threads and servers.

A match whose venue is lost is suspended, and an invitation is cancelled. After `purge_days`, matches that nobody
resumed are called off, and everything about a server that removed the bot and did not add it back is deleted. A chat
of people that the bot is not in can't be lost, and what was played there is deleted a week later. This module works
with ids; `bot.gateway.client` reports what has happened.

A machine's clock may be weeks off at a start. So days are counted by what the bot has observed: the time between its
own looks, of which at most a day counts. What is due is deleted only by a look that finds it due for another day, after
a backup, and never while the clock cannot be right.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from bot.play.match_lifecycle import MatchLifecycle
from bot.play.match_registry import MatchRegistry
from bot.play.matchmaking.invitations import Invitations
from bot.play.observers import Observer
from bot.scheduler import Scheduler
from bot.shard_range import shard_of
from bot.store.errors import Conflict, StoreError
from bot.store.queries.matches import Suspension
from bot.store.queries.servers import Observed
from bot.store.special_ids import is_chat, is_direct
from bot.store.store import Store

EVERY: Final = 24 * 3600.0
"""Seconds between two purges."""

DAY: Final = 24 * 3600 * 1000
"""Milliseconds."""
CHAT_KEPT: Final = 7 * DAY
"""For how long what was played in a chat of people is kept there: as long as a series may rest."""


class Safeguard(Protocol):
    """What stands between a wrong clock and deleted data."""

    def clock_doubt(self, now: int) -> str:
        """Why a time of day (ms UTC) can't be right; empty if it can."""

    async def before_purge(self, since: int) -> bool:
        """Make a backup at once, and return whether there is one that has what nobody has touched for `since` (ms). A
        failure is logged."""


_log = logging.getLogger(__name__)


@dataclass(eq=False)
class Venues:
    """Knows which servers the bot is in, and handles matches and invitations whose venue is lost."""

    store: Store
    registry: MatchRegistry
    lifecycle: MatchLifecycle
    invitations: Invitations
    observers: Observer
    scheduler: Scheduler
    safeguard: Safeguard
    purge_days: int
    _looked: float | None = field(default=None, init=False)
    _purging: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    _shards: int = field(default=1, init=False)
    _here: dict[int, set[int]] = field(default_factory=dict, init=False)

    # ------------------------------------------------------------------------------------ channels

    async def channel_gone(self, guild_id: int, channel_id: int) -> None:
        """A channel or thread of a server was deleted."""
        await self._suspend_all(guild_id, channel_id, Suspension.CHANNEL_GONE)
        lost = [each for each in self.invitations.open_in(guild_id) if each.channel_id == channel_id]
        await self.invitations.close_lost(lost)

    async def thread_locked(self, guild_id: int, thread_id: int) -> None:
        """A thread of a server was locked."""
        await self._suspend_all(guild_id, thread_id, Suspension.THREAD_CLOSED)

    def in_use(self) -> set[tuple[int, int]]:
        """Where live matches and open invitations are shown, as pairs of server and channel."""
        live = self.registry.live()
        playing = {(each.guild_id, each.channel_id) for each in live if each.suspended is None and each.has_board}
        waiting = self.registry.waiting.rows()
        playing |= {(row.guild_id, row.channel_id) for row in waiting if row.suspended_why is None and not row.alone}
        return playing | {(each.guild_id, each.channel_id) for each in self.invitations.open()}

    async def _suspend_all(self, guild_id: int, channel_id: int, why: Suspension) -> None:
        await self.registry.bring_in_channel(channel_id)
        matches = self.registry.in_channel(guild_id, channel_id)
        await asyncio.gather(*(self.lifecycle.suspend(match, why, channel_id) for match in matches))

    # ------------------------------------------------------------------------------------ servers

    async def session_started(self, shard: int, shards: int, here: Collection[int]) -> Observed:
        """A session of a shard has begun. `here` are all servers of that shard that the bot is in.

        This finds servers that removed or added the bot while it was offline. What it observes is for `purge`.
        """
        self._shards = shards
        self._here[shard] = set(here)
        return await self._compare()

    async def joined(self, guild_id: int) -> None:
        """The bot is in a server (again). Its matches stay suspended until a player resumes them."""
        self._here.get(shard_of(guild_id, self._shards), set()).add(guild_id)
        await self.store.clear_departure(guild_id)

    async def removed(self, guild_id: int) -> None:
        """The bot was removed from a server, which is not merely in an outage."""
        self._here.get(shard_of(guild_id, self._shards), set()).discard(guild_id)
        await self._mark_removed(guild_id)

    async def run_daily(self) -> None:
        """Purge once a day until cancelled; the first session does the first purge."""
        while True:
            await self.scheduler.sleep(EVERY)
            try:
                await self.reconcile()
            except Exception as error:  # noqa: BLE001  an altered row may raise anything, and tomorrow is another try
                _log.warning("could not look for what to purge: %s", type(error).__name__)

    async def reconcile(self) -> None:
        """Compare what is stored with the bot's servers, and do what is due."""
        await self.purge(await self._compare())

    async def _compare(self) -> Observed:
        """Compare what is stored with the bot's servers."""
        observed = await self._look()
        for guild_id in observed.departures:
            if self.is_here(guild_id):
                await self.store.clear_departure(guild_id)
        for guild_id in await self.store.known_guilds():
            if self._is_away(guild_id):
                await self._mark_removed(guild_id)
        return observed

    async def purge(self, observed: Observed) -> None:
        """Purge what is due, and call off what nobody resumed. A backup comes first, so this may take minutes."""
        doubt = self.safeguard.clock_doubt(self.scheduler.now())
        if doubt:
            _log.warning("nothing is purged or called off, because the machine's clock is %s", doubt)
            return
        await self._purge_chats()
        due = (self.purge_days + 1) * DAY  # a look finds it due, and another one a day later still does
        await self._purge_all({guild_id: away for guild_id, away in observed.departures.items() if away >= due})
        await self.lifecycle.lapse(observed.suspended, due)

    async def _look(self) -> Observed:
        """Record a look. The time since the last one is measured, and only a new process goes by the time of day."""
        now, former = self.scheduler.monotonic(), self._looked
        self._looked = now  # at once: the sessions of several shards begin together
        try:
            return await self.store.record_look(
                self.scheduler.now(), None if former is None else round((now - former) * 1000)
            )
        except StoreError:
            self._looked = former
            raise

    async def _purge_all(self, due: Mapping[int, int]) -> None:
        """Purge servers; with each, for how long (ms) the bot has not been there."""
        async with self._purging:  # the sessions of several shards begin together, and each would make a backup
            left = await self.store.departures()
            away = {guild_id: due[guild_id] for guild_id in due if guild_id in left and self._is_away(guild_id)}
            if not away:
                return
            if not await self.safeguard.before_purge(min(away.values())):
                _log.warning("nothing is purged, because there is no backup")
                return
            for guild_id in away:
                if self._is_away(guild_id):
                    await self._purge(guild_id)

    async def _mark_removed(self, guild_id: int) -> None:
        await self.store.record_departure(guild_id, self.scheduler.now())
        await self.registry.bring_in_server(guild_id)
        if self.is_here(guild_id):  # it was added again meanwhile
            return
        matches = self.registry.with_boards(guild_id)
        await asyncio.gather(*(self.lifecycle.suspend(match, Suspension.REMOVED) for match in matches))
        await self.invitations.close_lost(self.invitations.open_in(guild_id))

    async def _purge_chats(self) -> None:
        """Purge the chats of people in which nothing has been played for `CHAT_KEPT`."""
        since, purged = self.scheduler.now() - CHAT_KEPT, 0
        async with self._purging:  # or the second of two would forget what was begun after the first
            for chat in filter(is_chat, await self.store.known_guilds()):
                if not await self.store.used_since(chat, since):
                    with contextlib.suppress(Conflict):  # somebody has begun to play there meanwhile
                        await self._delete(chat, since)
                        purged += 1
        if purged:
            _log.info("purged %d chats in which nothing is played any more", purged)

    async def _purge(self, guild_id: int) -> None:
        await self._delete(guild_id)
        _log.info("purged a server we were removed from %d days ago", self.purge_days)

    async def _delete(self, guild_id: int, unused_since: int | None = None) -> None:
        await self.registry.bring_in_server(guild_id)  # none of its matches may be put in play afterwards
        await self.store.purge_guild(guild_id, unused_since)
        self.lifecycle.forget_server(guild_id)
        self.invitations.forget_server(guild_id)
        self.observers.server_purged(guild_id)

    def is_here(self, guild_id: int) -> bool:
        """Whether the bot is in a server, as far as is known. It is always in direct messages."""
        return is_direct(guild_id) or guild_id in self._here.get(shard_of(guild_id, self._shards), ())

    def _is_away(self, guild_id: int) -> bool:
        """Whether the bot is not in a server, as far as its shard has reported."""
        return shard_of(guild_id, self._shards) in self._here and not self.is_here(guild_id)
