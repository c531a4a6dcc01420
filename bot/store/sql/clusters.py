"""A store's leases of shards: `bot.store.protocols.clusters.ClusterStore`, for a database that speaks SQL."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Final

from bot.shards.shard_range import ShardRange
from bot.store.errors import Conflict, Fenced
from bot.store.protocols.clusters import Tenant
from bot.store.queries.connection import Connection
from bot.store.queries.servers import clusters
from bot.store.sql.part import SqlPart

RENEWED: Final = 1000
"""How long to wait (ms) for a lease that was renewed while it was claimed."""


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
