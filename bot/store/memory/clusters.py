"""Leases of shards and of jobs, and turns, in memory."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Final

from bot.shard_range import ShardRange
from bot.store.errors import Fenced
from bot.store.memory.data import Data, ShardOwner
from bot.store.memory.transactions import Transactions, reads, writes
from bot.store.protocols.clusters import Tenant

LONGEST_WAIT: Final = 3_600_000
"""The longest wait (ms) for a turn."""


class MemoryClusters(Transactions):
    """`bot.store.protocols.clusters.ClusterStore` in memory. Stores on the same data are processes that share them if
    they say so (`is_shared`)."""

    _owner: str = ""

    async def claim_shards(self, wanted: ShardRange, tenant: Tenant, owner: str, lease: int) -> int:
        left = await self._claim(wanted, owner, lease)
        if left == 0:
            self._owner, self.serves = owner, wanted
            if self.is_shared:
                self.guard = lambda data: self._check(data, tenant)
        return left

    @writes
    def _claim(self, data: Data, wanted: ShardRange, owner: str, lease: int) -> int:
        same_number = len(data.shard_beats) == wanted.total
        holders = {each for shard, each in data.shard_holders.items() if not same_number or shard in wanted.ids}
        left = max((data.shard_owners[each].until - self._now() for each in holders), default=0)
        if left > 0 and self.is_shared:
            return left
        for each in holders:
            _forget(data, each)
        if not same_number:
            _lay_out(data, wanted.total)
        data.claims += 1
        data.shard_owners[owner] = ShardOwner(data.claims, self._now() + lease)
        data.shard_holders.update(dict.fromkeys(wanted.ids, owner))
        return 0

    def _check(self, data: Data, tenant: Tenant) -> None:
        if self._owner not in data.shard_owners:
            tenant.fenced()
            raise Fenced("another process has taken shards of this one")

    @writes
    def renew_shards(self, data: Data, lease: int) -> None:
        if self._owner not in data.shard_owners:
            raise Fenced("another process has taken shards of this one")
        data.shard_owners[self._owner] = replace(data.shard_owners[self._owner], until=self._now() + lease)

    async def release_shards(self) -> None:
        try:
            await self._release()
        except Fenced:
            return

    @writes
    def _release(self, data: Data) -> None:
        _forget(data, self._owner)

    @reads
    def shard_owners(self, data: Data) -> dict[int, str]:
        return dict(sorted(data.shard_holders.items()))

    @writes
    def take_job(self, data: Data, job: str, lease: int) -> bool:
        holder, until = data.job_leases.get(job, (self._owner, 0))
        if holder != self._owner and until > self._now() and holder in data.shard_owners:
            return False
        data.job_leases[job] = self._owner, self._now() + lease
        return True

    @writes
    def take_turn(self, data: Data, name: str, spacing: int) -> int:
        now = self._now()
        begins = data.turns.get(name, now)
        if not now <= begins <= now + LONGEST_WAIT:
            begins = now
        data.turns[name] = begins + spacing
        return begins - now

    @writes
    def record_session(self, data: Data, key: str, at: int, most: int) -> list[int]:
        moments: list[int] = [*json.loads(data.metadata.get(key, "[]")), at][-most:]
        data.metadata[key] = json.dumps(moments)
        return moments


def _forget(data: Data, owner: str) -> None:
    data.shard_owners.pop(owner, None)
    data.shard_holders = {shard: each for shard, each in data.shard_holders.items() if each != owner}
    data.job_leases = {job: lease for job, lease in data.job_leases.items() if lease[0] != owner}


def _lay_out(data: Data, total: int) -> None:
    """Have each shard of this number. All were up when the last of the former ones was."""
    beats = [beat for beat in data.shard_beats.values() if beat is not None]
    last = data.heartbeat if len(data.shard_beats) <= 1 else max(beats, default=None)
    data.shard_beats = dict.fromkeys(range(total), last)
    if total == 1:
        data.heartbeat = last
