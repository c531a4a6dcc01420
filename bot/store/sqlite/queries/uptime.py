"""The bot's heartbeat, and the credit for the time it was down."""

from __future__ import annotations

import sqlite3


def record_heartbeat(db: sqlite3.Connection, now: int) -> None:
    """Record that the bot is up."""
    db.execute("INSERT OR REPLACE INTO heartbeat (only, at) VALUES (1, ?)", (now,))


def last_heartbeat(db: sqlite3.Connection) -> int | None:
    """When the bot was last known to be up."""
    row = db.execute("SELECT at FROM heartbeat").fetchone()
    return None if row is None else int(row[0])


def credit_downtime(db: sqlite3.Connection, now: int) -> int:
    """Move every deadline by the time since the last heartbeat, and record a heartbeat. Returns the milliseconds."""
    last = last_heartbeat(db)
    record_heartbeat(db, now)
    down = 0 if last is None else max(0, now - last)
    if down:
        db.execute("UPDATE timers SET deadline = deadline + ?", (down,))
        db.execute("UPDATE invitations SET expires_at = expires_at + ? WHERE state = 'open'", (down,))
    return down
