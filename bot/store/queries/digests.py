"""One notice a day: whose digest is due, where the last one is, and when somebody was last notified in slow matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.scheduler import DAY
from bot.shard_range import ShardRange
from bot.store.queries.database import MANY, Connection, Page, and_served_by, columns_of, following, replacing

HOUR: Final = 3_600_000
"""Milliseconds."""


@dataclass(frozen=True, slots=True)
class Digest:
    """Somebody's digest: at which hour of the day in UTC it is sent, and when next (ms UTC).

    The last one is the message `message_id` in `channel_id`. If one is being posted, `posting_at` says since when.
    `refused` says whether they took no direct message at the last try.
    """

    user_id: int
    hour: int
    due: int
    channel_id: int | None = None
    message_id: int | None = None
    posting_at: int | None = None
    refused: bool = False

    def next(self, now: int) -> int:
        """When the next one is due after a moment (ms UTC)."""
        return next_at(self.hour, now)


def next_at(hour: int, now: int) -> int:
    """When an hour of the day in UTC begins next after a moment (ms UTC)."""
    today = now - now % DAY + hour * HOUR
    return today if today > now else today + DAY


_COLUMNS: Final = ", ".join(columns_of(Digest))
_WANTED: Final = "EXISTS (SELECT 1 FROM digest_servers AS wanted WHERE wanted.user_id = turn_digests.user_id)"
_FIRST_SERVER: Final = (
    "(SELECT min(guild_id) FROM digest_servers AS wanted WHERE wanted.user_id = turn_digests.user_id)"
)
"""The server by which one process among several is the one to send it."""


def _read(row: Sequence[Any]) -> Digest:
    *values, refused = row
    return replace(Digest(*values), refused=bool(refused))


def begin(db: Connection, now: int, guild_id: int, user_id: int) -> None:
    """Record that somebody wants it in a server. Their first is due at once, and each next at the hour that it is."""
    row = guild_id, user_id
    db.execute("INSERT INTO digest_servers (guild_id, user_id) VALUES (?, ?) ON CONFLICT DO NOTHING", row)
    db.execute(
        "INSERT INTO turn_digests (user_id, hour, due) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        (user_id, now // HOUR % 24, now),
    )


def end(db: Connection, guild_id: int, user_id: int) -> None:
    """Record that somebody doesn't want it in a server."""
    db.execute("DELETE FROM digest_servers WHERE guild_id = ? AND user_id = ?", (guild_id, user_id))


def is_wanted(db: Connection, guild_id: int, user_id: int) -> bool:
    """Whether somebody gets it in a server."""
    found = db.execute(
        "SELECT 1 FROM digest_servers AS wanted JOIN turn_digests ON turn_digests.user_id = wanted.user_id"
        " WHERE wanted.guild_id = ? AND wanted.user_id = ?",
        (guild_id, user_id),
    )
    return found.fetchone() is not None


def find(db: Connection, user_id: int) -> Digest | None:
    """Somebody's digest; None if they never wanted one."""
    row = db.execute(f"SELECT {_COLUMNS} FROM turn_digests WHERE user_id = ?", (user_id,)).fetchone()
    return None if row is None else _read(row)


def set_hour(db: Connection, now: int, user_id: int, hour: int) -> None:
    """Record at which hour of the day, in UTC, somebody wants it from now on."""
    db.execute("UPDATE turn_digests SET hour = ?, due = ? WHERE user_id = ?", (hour, next_at(hour, now), user_id))


def due(db: Connection, serves: ShardRange, now: int) -> list[int]:
    """Whose digest is due at a moment (ms UTC), those of a range, and at most this many at once."""
    rows = db.execute(
        f"SELECT user_id FROM turn_digests WHERE due <= ? AND {_WANTED}"
        f"{and_served_by(serves, _FIRST_SERVER)} ORDER BY due LIMIT ?",
        (now, MANY),
    )
    return [user_id for (user_id,) in rows]


def shown(db: Connection, after: int, serves: ShardRange) -> Page[Digest, int]:
    """The digests of a range that have a message: a page of them, by person."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM turn_digests WHERE user_id > ? AND message_id IS NOT NULL AND {_WANTED}"
        f"{and_served_by(serves, _FIRST_SERVER)} ORDER BY user_id LIMIT ?",
        (after, MANY),
    )
    found = [_read(row) for row in rows]
    return found, following([each.user_id for each in found], MANY)


def put_off(db: Connection, user_id: int, until: int, *, refused: bool | None = None) -> None:
    """Record that nothing is sent now, and when the next is due (ms UTC); and whether they refused this one."""
    db.execute("UPDATE turn_digests SET due = ?, posting_at = NULL WHERE user_id = ?", (until, user_id))
    if refused is not None:
        db.execute("UPDATE turn_digests SET refused = ? WHERE user_id = ?", (int(refused), user_id))


def begin_posting(db: Connection, user_id: int, channel_id: int, at: int) -> None:
    """Record that a message is about to be posted (ms UTC)."""
    db.execute("UPDATE turn_digests SET channel_id = ?, posting_at = ? WHERE user_id = ?", (channel_id, at, user_id))


def end_posting(db: Connection, user_id: int, message_id: int, next_due: int) -> None:
    """Record what was posted, and when the next is due (ms UTC)."""
    db.execute(
        "UPDATE turn_digests SET message_id = ?, due = ?, posting_at = NULL, refused = 0 WHERE user_id = ?",
        (message_id, next_due, user_id),
    )


def claim_ping(db: Connection, now: int, user_id: int, match_id: str, question: int, *, anyway: bool = False) -> bool:
    """Record that somebody is notified of a question now (ms UTC), unless they were of another within the hour.

    Returns whether they may be. The same question may again, because nobody knows whether its notice was sent. With
    `anyway` they are, whatever was before. A moment of the future is from before the machine's clock was put right.
    """
    row = db.execute("SELECT at, match_id, question FROM last_pings WHERE user_id = ?", (user_id,)).fetchone()
    if row is not None and not anyway:
        at, *about = row
        if about != [match_id, question] and now - HOUR < at <= now:
            return False
        if about == [match_id, question]:
            return True
    db.execute(replacing("last_pings", ("user_id",), "at", "match_id", "question"), (user_id, now, match_id, question))
    return True


def last_ping(db: Connection, user_id: int) -> tuple[int, str, int] | None:
    """When somebody was last notified in slow matches (ms UTC), in which match and of which question; None if never."""
    row = db.execute("SELECT at, match_id, question FROM last_pings WHERE user_id = ?", (user_id,)).fetchone()
    return None if row is None else (int(row[0]), str(row[1]), int(row[2]))
