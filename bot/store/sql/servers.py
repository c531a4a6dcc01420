"""Servers, who serves which, and the bot's own time, in SQL."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Final

from bot.shard_range import ShardRange
from bot.store.errors import Conflict, Fenced
from bot.store.protocols.clusters import Tenant
from bot.store.queries import deleting, metadata, screens, uptime
from bot.store.queries.connection import Connection
from bot.store.queries.ratings import held
from bot.store.queries.servers import clusters, guilds, looks, server_settings
from bot.store.rows.servers import Observed, SettingChange
from bot.store.sql import lists
from bot.store.sql.part import SqlPart

RENEWED: Final = 1000
"""How long to wait (ms) for a lease that was renewed while it was claimed."""


class SqlServers(SqlPart):
    """`bot.store.protocols.servers.ServerStore`."""

    async def known_guilds(self) -> set[int]:
        return await lists.known_guilds(self.database, self.serves)

    async def record_departure(self, guild_id: int, at: int) -> None:
        await self.database.write(lambda db: guilds.record_departure(db, guild_id, at))
        await self.database.write_all(lambda db: screens.delete_hands_of_server(db, guild_id))

    async def clear_departure(self, guild_id: int) -> None:
        await self.database.write(lambda db: guilds.clear_departure(db, guild_id))

    async def departures(self) -> dict[int, int]:
        found = await self.database.read(guilds.departures)
        return {guild_id: at for guild_id, at in found.items() if self.serves.includes(guild_id)}

    async def record_look(self, at: int, passed: int | None) -> Observed:
        others = self.is_shared and not self.serves.is_everything
        looked_on = await self.database.write(lambda db: looks.record(db, at, passed, others=others))
        await self.database.write_all(lambda db: held.delete_expired(db, at))
        return await lists.observed(self.database, looked_on, self.serves)

    async def purge_guild(self, guild_id: int) -> None:
        await self._deletions.run(deleting.purge(self.database, guild_id))

    async def server_settings(self) -> dict[int, dict[str, str]]:
        return await self.database.read(lambda db: server_settings.all_of(db, self.serves))

    async def change_setting(self, change: SettingChange) -> None:
        await self.database.write(lambda db: server_settings.change(db, change))

    async def record_change(self, change: SettingChange) -> None:
        await self.database.write(lambda db: server_settings.record(db, change))

    async def setting_changes(self, guild_id: int) -> list[SettingChange]:
        return await self.database.read(lambda db: server_settings.changes(db, guild_id))

    async def record_greeting(self, guild_id: int, at: int) -> bool:
        return await self.database.write(lambda db: server_settings.greet(db, guild_id, at))

    async def record_heartbeat(self, now: int) -> None:
        await self.database.write(lambda db: uptime.record_heartbeat(db, now, self.serves), counts=False)

    async def last_heartbeat(self) -> int | None:
        return await self.database.read(lambda db: uptime.last_heartbeat(db, self.serves))

    async def credit_downtime(self, now: int) -> int:
        return await self.database.write(lambda db: uptime.credit_downtime(db, now, self.serves))

    async def shift_time(self, by: int) -> None:
        await self.database.write(lambda db: uptime.shift_time(db, by, self.serves))

    async def metadata(self, key: str) -> str | None:
        return await self.database.read(lambda db: metadata.find(db, key))

    async def set_metadata(self, key: str, value: str) -> None:
        await self.database.write(lambda db: metadata.put(db, key, value))


class SqlClusters(SqlPart):
    """The methods of a store on shards. A store whose data other processes may have open sets `is_shared`, and
    defines `data_clock` and `guard_writes`."""

    _owner: str = ""

    def data_clock(self, _db: Connection) -> int:
        """The time by which leases run out, in ms."""
        return self._now()

    def guard_writes(self, _check: Callable[[Connection], None]) -> None:
        """Have each transaction that writes begin with a check, which raises Fenced."""

    async def claim_shards(self, wanted: ShardRange, tenant: Tenant, owner: str, lease: int) -> int:
        def claim(db: Connection) -> int:
            now = self.data_clock(db)
            return clusters.claim(db, wanted, owner, now=now, lease=lease, is_shared=self.is_shared)

        try:
            left = await self.database.write(claim)
        except Conflict:
            return RENEWED
        if left == 0:
            self._owner, self.serves = owner, wanted
            if self.is_shared:
                self.guard_writes(lambda db: self._check(db, tenant))
        return left

    def _check(self, db: Connection, tenant: Tenant) -> None:
        """Raise Fenced unless this process still has its shards. It runs in the database's thread."""
        try:
            clusters.check(db, self._owner)
        except Fenced:
            tenant.fenced()
            raise

    async def renew_shards(self, lease: int) -> None:
        await self.database.write(lambda db: clusters.renew(db, self._owner, self.data_clock(db) + lease), counts=False)

    async def release_shards(self) -> None:
        with contextlib.suppress(Fenced):
            await self.database.write(lambda db: clusters.release(db, self._owner))

    async def shard_owners(self) -> dict[int, str]:
        return await self.database.read(clusters.owners)

    async def take_job(self, job: str, lease: int) -> bool:
        return await self.database.write(
            lambda db: clusters.take_job(db, job, self._owner, now=self.data_clock(db), lease=lease)
        )

    async def take_turn(self, name: str, spacing: int) -> int:
        return await self.database.write(lambda db: clusters.take_turn(db, name, self.data_clock(db), spacing))

    async def record_session(self, key: str, at: int, most: int) -> list[int]:
        return await self.database.write(lambda db: clusters.record_session(db, key, at, most))
