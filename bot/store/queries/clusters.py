"""Leases of shards and of jobs, and turns, for the processes that share the data.

A process holds all shards of a range, or none. Where several processes can have the data open, each write first makes
sure that the shards are still held (`check`), in its own transaction. Leases run out by the clock of the data: the
database server's, where there is one. They do so earlier where the server has lost its process. Elsewhere a process
that could open the data is the only one that has them, so its claim succeeds at once. Times are ms UTC by that clock.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bot.shard_range import ShardRange
from bot.store.errors import Conflict, Fenced
from bot.store.queries import installation
from bot.store.queries.database import IN_PLACE, Connection

LONGEST_WAIT: Final = 3_600_000
"""The longest wait (ms) for a turn. A turn that is later was taken while the clock was ahead."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that holds shards or wants to: its name, which is empty before it claimed any, and the data's clock."""

    owner: str
    clock: Callable[[Connection], int]


@dataclass(frozen=True, slots=True)
class Early:
    """When leases run out earlier than they say."""

    by: int
    """By how many ms."""
    has_ended: Callable[[Connection, str], bool]
    """Those of which owners: the ones that surely have no connection to the data any more."""

    def __call__(self, db: Connection, owner: str) -> int:
        """By how many ms the lease of this owner runs out earlier."""
        return self.by if self.by and self.has_ended(db, owner) else 0


# ---------------------------------------------------------------------------------------------- shards


def claim(db: Connection, holder: Holder, wanted: ShardRange, lease: int, early: Early | None) -> int:
    """Claim a range. Returns 0, or the ms after which it is free unless its leases are renewed.

    Nobody's lease is in the way unless the data are shared; then `early` says which run out earlier. Raises Conflict if
    one was renewed at the same moment.
    """
    owner, now = holder.owner, holder.clock(db)
    left = 0 if early is None else _left(db, wanted, now, early)
    if left:
        return left
    fence = _next_claim(db)  # from here on no other claim is under way
    left = 0 if early is None else _left(db, wanted, now, early)
    if left:
        return left
    for former in _in_the_way(db, wanted):
        # It waits for the former owner's writes, which hold this row, and then looks at the row once more.
        over = now + (0 if early is None else early(db, former))
        taken = db.execute("DELETE FROM shard_owners WHERE owner = ? AND until_at <= ?", (former, over))
        if taken.rowcount != 1 and early is not None:
            raise Conflict("the lease was renewed")
        _forget(db, former)
    _lay_out(db, wanted.total)
    db.execute("INSERT INTO shard_owners (owner, fence, until_at) VALUES (?, ?, ?)", (owner, fence, now + lease))
    db.execute(
        "UPDATE shard_leases SET owner = ? WHERE total = ? AND shard BETWEEN ? AND ?",
        (owner, wanted.total, wanted.first, wanted.last),
    )
    return 0


def renew(db: Connection, holder: Holder, lease: int) -> None:
    """Extend the lease of the range claimed to `lease` ms from now. Raises Fenced if another process took a shard of
    it."""
    done = db.execute("UPDATE shard_owners SET until_at = ? WHERE owner = ?", (holder.clock(db) + lease, holder.owner))
    if done.rowcount != 1:
        raise fenced()


def release(db: Connection, owner: str) -> None:
    """Give back everything that a process holds."""
    _forget(db, owner)


def check(db: Connection, owner: str) -> None:
    """Make sure that a process still has its shards, until the transaction ends. Raises Fenced.

    Its lease may be renewed meanwhile, however long the commit takes.
    """
    if db.execute(f"SELECT fence FROM shard_owners WHERE owner = ? {IN_PLACE}", (owner,)).fetchone() is None:
        raise fenced()


def fenced() -> Fenced:
    """What is raised when another process may have the shards."""
    return Fenced("another process has taken shards of this one")


def owners(db: Connection) -> dict[int, str]:
    """Who holds each shard, by its number, also if the lease has run out and nobody has taken the shard since."""
    return dict(db.execute("SELECT shard, owner FROM shard_leases WHERE owner IS NOT NULL ORDER BY shard").fetchall())


def _left(db: Connection, wanted: ShardRange, now: int, early: Early) -> int:
    """The ms until the last of the leases in the way runs out; 0 if none is in force."""
    longest = 0
    for owner in _in_the_way(db, wanted):
        row = db.execute("SELECT until_at FROM shard_owners WHERE owner = ?", (owner,)).fetchone()
        if row is not None:
            longest = max(longest, row[0] - early(db, owner) - now)
    return longest


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


# -------------------------------------------------------------------------------------- jobs and turns


def take_job(db: Connection, holder: Holder, job: str, lease: int) -> bool:
    """Take or keep a job that one process does for the whole bot, for `lease` ms. Returns whether this process has it.
    A job is free if its time is over, or if its process holds no shards any more."""
    now = holder.clock(db)
    done = db.execute(
        "INSERT INTO job_leases (job, owner, until_at) VALUES (?, ?, ?)"
        " ON CONFLICT (job) DO UPDATE SET owner = excluded.owner, until_at = excluded.until_at"
        " WHERE job_leases.owner = excluded.owner OR job_leases.until_at <= ?"
        " OR NOT EXISTS (SELECT 1 FROM shard_owners WHERE shard_owners.owner = job_leases.owner)",
        (job, holder.owner, now + lease, now),
    )
    return done.rowcount == 1


def take_turn(db: Connection, holder: Holder, name: str, spacing: int) -> int:
    """Take the next turn of this name: each begins at least `spacing` ms after the one before, in whatever process.
    Returns the ms until it begins."""
    now = holder.clock(db)
    row = db.execute(
        "INSERT INTO turns (name, next_at) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET next_at = ?"
        " + CASE WHEN turns.next_at BETWEEN ? AND ? THEN turns.next_at ELSE ? END RETURNING next_at",
        (name, now + spacing, spacing, now, now + LONGEST_WAIT, now),
    ).fetchone()
    return max(0, int(row[0]) - spacing - now)


def record_session(db: Connection, key: str, at: int, most: int) -> list[int]:
    """Add a moment (ms UTC) to the list that the metadata have under a key, as a JSON array, and keep the last `most`.
    Returns them. Moments that other processes add at the same time are not lost."""
    db.execute("INSERT INTO facts (key, value) VALUES (?, '[]') ON CONFLICT (key) DO NOTHING", (key,))
    db.execute("UPDATE facts SET value = value WHERE key = ?", (key,))  # from here on nobody else adds to it
    moments = [*json.loads(installation.metadata(db, key) or "[]"), at][-most:]
    installation.set_metadata(db, key, json.dumps(moments))
    return [int(each) for each in moments]
