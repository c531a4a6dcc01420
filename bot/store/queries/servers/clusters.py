"""Leases of shards and of jobs, and turns. Times are ms UTC by the clock of the data."""

from __future__ import annotations

import json
from typing import Final

from bot.shard_range import ShardRange
from bot.store.errors import Conflict, Fenced
from bot.store.queries import metadata
from bot.store.queries.connection import FOR_UPDATE, Connection

LONGEST_WAIT: Final = 3_600_000
"""The longest wait (ms) for a turn. A turn that is later was taken while the clock was ahead."""

# ---------------------------------------------------------------------------------------------- shards


def claim(db: Connection, wanted: ShardRange, owner: str, *, now: int, lease: int, is_shared: bool) -> int:
    """Claim a range. Returns 0, or the ms after which it is free unless its leases are renewed.

    Nobody's lease is in the way unless the data `is_shared`. Raises Conflict if one was renewed at the same moment.
    """
    left = _left(db, wanted, now) if is_shared else 0
    if left:
        return left
    fence = _next_claim(db)  # from here on no other claim is under way
    left = _left(db, wanted, now) if is_shared else 0
    if left:
        return left
    for former in _in_the_way(db, wanted):
        # It waits for the former owner's writes, which hold this row, and then looks at the row once more.
        taken = db.execute("DELETE FROM shard_owners WHERE owner = ? AND until_at <= ?", (former, now))
        if taken.rowcount != 1 and is_shared:
            raise Conflict("the lease was renewed")
        _forget(db, former)
    _lay_out(db, wanted.total)
    db.execute("INSERT INTO shard_owners (owner, fence, until_at) VALUES (?, ?, ?)", (owner, fence, now + lease))
    db.execute(
        "UPDATE shard_leases SET owner = ? WHERE total = ? AND shard BETWEEN ? AND ?",
        (owner, wanted.total, wanted.first, wanted.last),
    )
    return 0


def renew(db: Connection, owner: str, until: int) -> None:
    """Extend a lease. Raises Fenced."""
    done = db.execute("UPDATE shard_owners SET until_at = ? WHERE owner = ?", (until, owner))
    if done.rowcount != 1:
        raise fenced()


def release(db: Connection, owner: str) -> None:
    """Give back everything that a process holds."""
    _forget(db, owner)


def check(db: Connection, owner: str) -> None:
    """Make sure that a process still has its shards, until the transaction ends. Raises Fenced."""
    if db.execute(f"SELECT fence FROM shard_owners WHERE owner = ? {FOR_UPDATE}", (owner,)).fetchone() is None:
        raise fenced()


def fenced() -> Fenced:
    """What is raised when another process may have the shards."""
    return Fenced("another process has taken shards of this one")


def owners(db: Connection) -> dict[int, str]:
    """Who holds each shard."""
    return dict(db.execute("SELECT shard, owner FROM shard_leases WHERE owner IS NOT NULL ORDER BY shard").fetchall())


def _left(db: Connection, wanted: ShardRange, now: int) -> int:
    """The ms until the last of the leases in the way runs out; 0 if none is in force."""
    found = [
        db.execute("SELECT until_at FROM shard_owners WHERE owner = ?", (each,)).fetchone()
        for each in _in_the_way(db, wanted)
    ]
    return max((until - now for (until,) in filter(None, found) if until > now), default=0)


def _in_the_way(db: Connection, wanted: ShardRange) -> list[str]:
    """Who holds one of these shards, or shards of another number: these may have any server."""
    rows = db.execute(
        "SELECT DISTINCT owner FROM shard_leases WHERE owner IS NOT NULL AND (total <> ? OR shard BETWEEN ? AND ?)"
        " ORDER BY owner",
        (wanted.total, wanted.first, wanted.last),
    )
    return [owner for (owner,) in rows]


def _next_claim(db: Connection) -> int:
    row = db.execute(
        "INSERT INTO shard_claims (id, number) VALUES (1, 1)"
        " ON CONFLICT (id) DO UPDATE SET number = shard_claims.number + 1 RETURNING number"
    ).fetchone()
    return int(row[0])


def _forget(db: Connection, owner: str) -> None:
    db.execute("DELETE FROM shard_owners WHERE owner = ?", (owner,))
    db.execute("UPDATE shard_leases SET owner = NULL WHERE owner = ?", (owner,))
    db.execute("DELETE FROM job_leases WHERE owner = ?", (owner,))


def _lay_out(db: Connection, total: int) -> None:
    """Have a row for each shard of this number. Where the number changes, all were up when the last of the former ones
    was: nobody holds shards of another number by now."""
    former = db.execute("SELECT max(total) FROM shard_leases").fetchone()[0]
    if former == total:
        return
    if former is None or former == 1:
        row = db.execute("SELECT at FROM heartbeat").fetchone()
    else:
        row = db.execute("SELECT max(beat_at) FROM shard_leases").fetchone()
    last = None if row is None else row[0]
    db.execute("DELETE FROM shard_leases")
    db.executemany(
        "INSERT INTO shard_leases (total, shard, beat_at) VALUES (?, ?, ?)",
        [(total, shard, last) for shard in range(total)],
    )
    if total == 1 and last is not None:
        db.execute("DELETE FROM heartbeat")
        db.execute('INSERT INTO heartbeat ("only", at) VALUES (1, ?)', (last,))


# ---------------------------------------------------------------------------------------------- jobs and turns


def take_job(db: Connection, job: str, owner: str, *, now: int, lease: int) -> bool:
    """Take or keep a job. Returns whether the process has it."""
    done = db.execute(
        "INSERT INTO job_leases (job, owner, until_at) VALUES (?, ?, ?)"
        " ON CONFLICT (job) DO UPDATE SET owner = excluded.owner, until_at = excluded.until_at"
        " WHERE job_leases.owner = excluded.owner OR job_leases.until_at <= ?"
        " OR NOT EXISTS (SELECT 1 FROM shard_owners WHERE shard_owners.owner = job_leases.owner)",
        (job, owner, now + lease, now),
    )
    return done.rowcount == 1


def take_turn(db: Connection, name: str, now: int, spacing: int) -> int:
    """Take the next turn. Returns the ms until it begins."""
    row = db.execute(
        "INSERT INTO turns (name, next_at) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET next_at = ?"
        " + CASE WHEN turns.next_at BETWEEN ? AND ? THEN turns.next_at ELSE ? END RETURNING next_at",
        (name, now + spacing, spacing, now, now + LONGEST_WAIT, now),
    ).fetchone()
    return max(0, int(row[0]) - spacing - now)


def record_session(db: Connection, key: str, at: int, most: int) -> list[int]:
    """Add a moment to the list under a key of the metadata. Returns all that are kept."""
    db.execute("INSERT INTO facts (key, value) VALUES (?, '[]') ON CONFLICT (key) DO NOTHING", (key,))
    db.execute("UPDATE facts SET value = value WHERE key = ?", (key,))  # from here on nobody else adds to it
    moments = [*json.loads(metadata.find(db, key) or "[]"), at][-most:]
    metadata.put(db, key, json.dumps(moments))
    return [int(each) for each in moments]
