"""The bot's looks for what it should delete or call off, and the time that it observed between them."""

from __future__ import annotations

from bot.shard_range import EVERYTHING, ShardRange
from bot.store.queries.connection import FOR_UPDATE, Connection, replaced
from bot.store.queries.paging import MANY, Page, following
from bot.store.queries.servers import served
from bot.store.rows.servers import LONGEST_LOOK, ObservedSuspension


def record(db: Connection, at: int, passed: int | None, *, others: bool = False) -> int:
    """Add the time since the last look, and return how long the bot has looked on in all (ms).

    Where there are `others` that look, one of them may have looked since this process did: then the time of day says
    when, and no more is added than passed here.
    """
    former = db.execute(f"SELECT observed, at FROM looks {FOR_UPDATE}").fetchone()
    observed, last_at = former or (0, at)
    if former is not None:
        by_day = at - last_at
        measured = by_day if passed is None else min(passed, by_day) if others else passed
        observed += min(max(0, measured), LONGEST_LOOK)
    db.execute(
        'INSERT INTO looks ("only", observed, at) VALUES (1, ?, ?)'
        f' ON CONFLICT ("only") DO UPDATE SET {replaced("observed", "at")}',
        (observed, at),
    )
    return int(observed)


def departures(db: Connection, observed: int, after: int) -> Page[tuple[int, int], int]:
    """A page of the servers that the bot has left, and for how long it has observed that."""
    rows = db.execute(
        "SELECT guild_id, ? - observed FROM departures WHERE guild_id > ? ORDER BY guild_id LIMIT ?",
        (observed, after, MANY),
    ).fetchall()
    return rows, following([guild_id for guild_id, _ in rows], MANY)


def suspended(
    db: Connection, observed: int, after: str, serves: ShardRange = EVERYTHING
) -> Page[tuple[str, ObservedSuspension], str]:
    """A page of the suspended matches of a range, by their ids, and for how long the bot has observed each."""
    rows = db.execute(
        "SELECT id, suspended_at, ? - suspended_observed FROM matches"
        f" WHERE suspended_at IS NOT NULL AND id > ?{served.only(serves)} ORDER BY id LIMIT ?",
        (observed, after, MANY),
    )
    found = [(match_id, ObservedSuspension(*each)) for match_id, *each in rows]
    return found, following([match_id for match_id, _ in found], MANY)
