"""Metadata of the installation, by key. The table is called `facts`."""

from __future__ import annotations

import sqlite3


def find(db: sqlite3.Connection, key: str) -> str | None:
    """The value of a key."""
    row = db.execute("SELECT value FROM facts WHERE key = ?", (key,)).fetchone()
    return None if row is None else row[0]


def put(db: sqlite3.Connection, key: str, value: str) -> None:
    """Put a value in place of the former one."""
    db.execute("INSERT OR REPLACE INTO facts (key, value) VALUES (?, ?)", (key, value))
