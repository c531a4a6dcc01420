"""The bot's own time, and facts about the installation."""

from __future__ import annotations

import sqlite3


def beat(db: sqlite3.Connection, now: int) -> None:
    """Note that the bot is up."""
    db.execute("INSERT OR REPLACE INTO heartbeat (only, at) VALUES (1, ?)", (now,))


def last_beat(db: sqlite3.Connection) -> int | None:
    """When the bot was last known to be up."""
    row = db.execute("SELECT at FROM heartbeat").fetchone()
    return None if row is None else int(row[0])


def credit(db: sqlite3.Connection, now: int) -> int:
    """Move every deadline by the time since the last beat, and beat; the milliseconds moved."""
    last = last_beat(db)
    beat(db, now)
    down = 0 if last is None else max(0, now - last)
    if down:
        db.execute("UPDATE timers SET deadline = deadline + ?", (down,))
        db.execute("UPDATE invitations SET expires_at = expires_at + ? WHERE state = 'open'", (down,))
    return down


def fact(db: sqlite3.Connection, key: str) -> str | None:
    """A fact's value."""
    row = db.execute("SELECT value FROM facts WHERE key = ?", (key,)).fetchone()
    return None if row is None else row[0]


def set_fact(db: sqlite3.Connection, key: str, value: str) -> None:
    """Put a fact in place of the former one."""
    db.execute("INSERT OR REPLACE INTO facts (key, value) VALUES (?, ?)", (key, value))
