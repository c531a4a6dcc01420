"""The installation itself: its metadata, how far its database has come, its heartbeat, and the credit for the time it
was down.

A bot that serves all servers, however many shards there are, has one heartbeat. One of several processes has one for
each of its shards: another process may have served them before, and may serve others after it.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final

from bot.shard_range import ShardRange
from bot.store.queries.database import Connection, replacing, served_by, shard_of


def metadata(db: Connection, key: str) -> str | None:
    """A value about the installation, such as the fingerprint of the commands last announced; None if unset."""
    row = db.execute("SELECT value FROM facts WHERE key = ?", (key,)).fetchone()
    return None if row is None else row[0]


def set_metadata(db: Connection, key: str, value: str) -> None:
    """Set a value in place of the former one."""
    db.execute(replacing("facts", ("key",), "value"), (key, value))


# ----------------------------------------------------------------------------- the database's progress

_PROGRESS: Final = "SELECT database_id, commits FROM progress"


@dataclass(frozen=True, slots=True)
class Progress:
    """Which database it is, and how many commits it has seen; those of the heartbeat alone are not counted."""

    database_id: str
    commits: int


def begin_progress(db: Connection) -> Progress:
    """The progress of a database. Gives it an id if it is new, or was loaded without one."""
    db.execute(
        'INSERT INTO progress ("only", database_id, commits) VALUES (1, ?, 0) ON CONFLICT DO NOTHING',
        (secrets.token_hex(16),),
    )
    return Progress(*db.execute(_PROGRESS).fetchone())


def find_progress(db: Connection) -> Progress | None:
    """The progress of a database; None if it was not begun."""
    row = db.execute(_PROGRESS).fetchone()
    return None if row is None else Progress(*row)


def advance(db: Connection, commits: int) -> Progress:
    """Set the number of the commit under way, and return the progress that it makes."""
    return Progress(
        *db.execute("UPDATE progress SET commits = ? RETURNING database_id, commits", (commits,)).fetchone()
    )


# ---------------------------------------------------------------------------------------------- uptime

_SHARDS = "total = ? AND shard BETWEEN ? AND ?"


def record_heartbeat(db: Connection, serves: ShardRange, now: int) -> None:
    """Record that the bot is up."""
    if serves.total == 1:
        db.execute(replacing("heartbeat", ('"only"',), "at"), (1, now))
    else:
        db.execute(f"UPDATE shard_leases SET beat_at = ? WHERE {_SHARDS}", (now, *_key(serves)))


def last_heartbeat(db: Connection, serves: ShardRange) -> int | None:
    """When the bot was last known to be up on all shards of a range; None before its first start."""
    if serves.total == 1:
        row = db.execute("SELECT at FROM heartbeat").fetchone()
    else:
        row = db.execute(f"SELECT min(beat_at) FROM shard_leases WHERE {_SHARDS}", _key(serves)).fetchone()
    return None if row is None or row[0] is None else int(row[0])


def credit_downtime(db: Connection, serves: ShardRange, now: int) -> int:
    """Add the time since the last heartbeat to every deadline of live matches and open invitations.

    It records a heartbeat in the same step, so no time is credited twice. Returns the milliseconds added, of several
    shards the most: 0 on the first start, and less when the clock was set back. What was left of each deadline at the
    last heartbeat is left of it now.
    """
    if serves.total > 1:
        down = _credit_shards(db, now, serves)
    else:
        last = last_heartbeat(db, serves)
        down = 0 if last is None else now - last
        _move_deadlines(db, down)
    record_heartbeat(db, serves, now)
    return down


def shift_time(db: Connection, serves: ShardRange, by: int) -> None:
    """Move every deadline of live matches and open invitations, and the heartbeat, by this many milliseconds.

    For when the time of day is corrected: what was left of each deadline stays the same.
    """
    if serves.total == 1:
        db.execute("UPDATE heartbeat SET at = at + ?", (by,))
    else:
        db.execute(f"UPDATE shard_leases SET beat_at = beat_at + ? WHERE {_SHARDS}", (by, *_key(serves)))
    _move_deadlines(db, by, served_by(serves))


def _credit_shards(db: Connection, now: int, serves: ShardRange) -> int:
    """Move the deadlines of each shard by the time since its own last heartbeat."""
    beats: dict[int, list[int]] = {}
    rows = db.execute(f"SELECT shard, beat_at FROM shard_leases WHERE {_SHARDS} AND beat_at IS NOT NULL", _key(serves))
    for shard, last in rows.fetchall():
        beats.setdefault(last, []).append(shard)
    for last, shards in beats.items():
        among = ", ".join(f"{shard:d}" for shard in shards)
        _move_deadlines(db, now - last, f"{shard_of(serves)} IN ({among})")
    return max((now - last for last in beats), default=0)


def _key(serves: ShardRange) -> tuple[int, int, int]:
    return serves.total, serves.first, serves.last


def _move_deadlines(db: Connection, by: int, here: str = "") -> None:
    """Move the deadlines of the servers of which the condition `here` is true; without one, of all."""
    if by:
        where, more = (f" WHERE {here}", f" AND {here}") if here else ("", "")
        db.execute(f"UPDATE timers SET deadline = deadline + ?{where}", (by,))
        for table, until in (("seats", "away_until"), ("matches", "rests_until")):  # deadlines have these in them
            db.execute(f"UPDATE {table} SET {until} = {until} + ? WHERE {until} IS NOT NULL{more}", (by,))
        db.execute(f"UPDATE invitations SET expires_at = expires_at + ? WHERE state = 'open'{more}", (by,))
