"""Sessions at Discord's gateway that one process leaves for the next.

A session is resumed by one process at most: who takes it takes its rows away, in a write, which needs the lease of the
shards where several processes have the data.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from bot.store.queries.database import Connection, replacing


@dataclass(frozen=True, slots=True)
class KeptSession:
    """A session of a shard, one of `total`.

    `profile` says what it is for: it fits a process with the same one alone. `session` and `address` are secrets.
    `servers` is what it has said of its servers up to the event `sequence`; `at` is when that was (ms UTC).
    """

    total: int
    shard: int
    profile: str
    session: str = field(repr=False)
    address: str = field(repr=False)
    sequence: int
    at: int
    servers: str = field(repr=False)


def keep(db: Connection, kept: KeptSession) -> None:
    """Keep a session in place of the shard's former one. Without `servers` those that are kept are still right."""
    db.execute(
        replacing("gateway_sessions", ("total", "shard"), "profile", "session", "address", "sequence", "at"),
        (kept.total, kept.shard, kept.profile, kept.session, kept.address, kept.sequence, kept.at),
    )
    if kept.servers:
        db.execute(replacing("gateway_servers", ("total", "shard"), "servers"), (kept.total, kept.shard, kept.servers))


def take(db: Connection, total: int, shards: Collection[int]) -> list[KeptSession]:
    """Take the sessions of these shards that are kept with their servers. They are kept no longer, nor are those of
    another number of shards, which nobody can resume any more."""
    rows = db.execute(
        "SELECT total, shard, profile, session, address, sequence, at, servers"
        " FROM gateway_sessions JOIN gateway_servers USING (total, shard) WHERE total = ? ORDER BY shard",
        (total,),
    ).fetchall()
    for shard in shards:
        db.execute("DELETE FROM gateway_sessions WHERE total = ? AND shard = ?", (total, shard))
    db.execute("DELETE FROM gateway_sessions WHERE total <> ?", (total,))
    return [KeptSession(*row) for row in rows if row[1] in shards]
