"""Tells events that the gateway replays from those that just happened.

After a lost connection the gateway first sends what was missed, then RESUMED, then what happens
(https://discord.com/developers/docs/events/gateway#resuming). Nothing else tells one from the other.
"""

from __future__ import annotations


class Replays:
    """Which shards have lost their connection and have not yet caught up."""

    def __init__(self) -> None:
        self._behind: set[int] = set()

    def connection_lost(self, shard: int) -> None:
        """What this shard receives from now on may have happened during the outage."""
        self._behind.add(shard)

    def caught_up(self, shard: int) -> None:
        """RESUMED, or READY, which replays nothing: what this shard receives from now on just happened."""
        self._behind.discard(shard)

    def include(self, guild_id: int | None, shards: int) -> bool:
        """Whether an event of this server may be a replayed one; direct messages (None) belong to shard 0.

        `shards` is their number, by which Discord assigns servers
        (https://discord.com/developers/docs/events/gateway#sharding).
        """
        return bool(self._behind) and ((guild_id or 0) >> 22) % shards in self._behind
