"""Which process serves which shards, when several processes share the data."""

from __future__ import annotations

from typing import Protocol

from bot.shard_range import ShardRange


class Tenant(Protocol):
    """The process that holds shards, as its store sees it."""

    def fenced(self) -> None:
        """A write was refused, because another process has shards of this one. May be called in any thread, and before
        those who wait for the write get an answer."""


class ClusterStore(Protocol):
    """Leases of shards and of jobs, and turns, for the processes that share the data.

    A process holds all shards of a range, or none. Until it claims one, its store serves all servers and no write is
    checked. Then the store serves the servers of the range alone: what reads or changes everything (live matches,
    timers, notices, postings, open hands and invitations, the heartbeat, credits, departures) does so for these. What
    is read of one match, server or person doesn't depend on the range.

    Where several processes can have the data open (`is_shared`), each write first makes sure that the shards are still
    held, in its own transaction, and raises Fenced otherwise. A claim waits for writes under way, so its process reads
    all that was saved before. Leases run out by the clock of the data: the database server's, where there is one.
    Elsewhere a process that could open the data is the only one that has them, so its claim succeeds at once.
    """

    @property
    def is_shared(self) -> bool:
        """Whether other processes may have the data open."""

    @property
    def serves(self) -> ShardRange:
        """The range that was claimed; `EVERYTHING` before."""

    async def claim_shards(self, wanted: ShardRange, tenant: Tenant, owner: str, lease: int) -> int:
        """Claim all shards of a range for `lease` ms, if no lease in force has one of them, or counts the shards
        differently.

        Returns 0 if they were claimed. Otherwise nothing has changed, and it returns the ms after which they are free
        unless they are renewed. `owner` names the process; no other may have had that name. Leases that have run out
        are taken over, and their owners are fenced.
        """

    async def renew_shards(self, lease: int) -> None:
        """Extend the lease of the range claimed to `lease` ms from now. Raises Fenced if another process took a shard
        of it."""

    async def release_shards(self) -> None:
        """Give the shards and jobs back, so that others can claim them at once. Harmless if they were taken over."""

    async def shard_owners(self) -> dict[int, str]:
        """Who holds each shard, by its number, also if the lease has run out and nobody has taken the shard since."""

    async def take_job(self, job: str, lease: int) -> bool:
        """Take or keep a job that one process does for the whole bot, for `lease` ms. Returns whether this process has
        it. A job is free if its time is over, or if its process holds no shards any more."""

    async def take_turn(self, name: str, spacing: int) -> int:
        """Take the next turn of this name: each begins at least `spacing` ms after the one before, in whatever process.
        Returns the ms until it begins."""

    async def record_session(self, key: str, at: int, most: int) -> list[int]:
        """Add a moment (ms UTC) to the list that the metadata have under a key, as a JSON array, and keep the last
        `most`. Returns them. Moments that other processes add at the same time are not lost."""
