"""The bot's looks for what it should delete or call off, and the time that it observed between them."""

from __future__ import annotations

from bot.store.queries.connection import Connection, replaced
from bot.store.queries.paging import MANY, Page, following
from bot.store.rows import LONGEST_LOOK, ObservedSuspension


def record(db: Connection, at: int, passed: int | None) -> int:
    """Add the time since the last look, and return how long the bot has looked on in all (ms)."""
    former = db.execute("SELECT observed, at FROM looks").fetchone()
    observed, last_at = former or (0, at)
    if former is not None:
        observed += min(max(0, at - last_at if passed is None else passed), LONGEST_LOOK)
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


def suspended(db: Connection, observed: int, after: str) -> Page[tuple[str, ObservedSuspension], str]:
    """A page of the suspended matches, by their ids, and for how long the bot has observed each."""
    rows = db.execute(
        "SELECT id, suspended_at, ? - suspended_observed FROM matches"
        " WHERE suspended_at IS NOT NULL AND id > ? ORDER BY id LIMIT ?",
        (observed, after, MANY),
    )
    found = [(match_id, ObservedSuspension(*each)) for match_id, *each in rows]
    return found, following([match_id for match_id, _ in found], MANY)
