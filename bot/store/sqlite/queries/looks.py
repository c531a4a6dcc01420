"""The bot's looks for what it should delete or call off, and the time that it observed between them."""

from __future__ import annotations

import sqlite3

from bot.store.rows import LONGEST_LOOK, Observed, ObservedSuspension


def record(db: sqlite3.Connection, at: int, passed: int | None) -> Observed:
    """Add the time since the last look, and return for how long everything has been observed."""
    former = db.execute("SELECT observed, at FROM looks").fetchone()
    observed, last_at = former or (0, at)
    if former is not None:
        observed += min(max(0, at - last_at if passed is None else passed), LONGEST_LOOK)
    db.execute("INSERT OR REPLACE INTO looks VALUES (1, ?, ?)", (observed, at))
    departures = db.execute("SELECT guild_id, ? - observed FROM departures", (observed,))
    suspended = db.execute(
        "SELECT id, suspended_at, ? - suspended_observed FROM matches WHERE live = 1 AND suspended_at IS NOT NULL",
        (observed,),
    )
    return Observed(dict(departures.fetchall()), {match_id: ObservedSuspension(*each) for match_id, *each in suspended})
