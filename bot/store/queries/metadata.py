"""Metadata of the installation, by key. The table is called `facts`."""

from __future__ import annotations

from bot.store.queries.connection import Connection


def find(db: Connection, key: str) -> str | None:
    """A value about the installation, such as the fingerprint of the commands last announced; None if unset."""
    row = db.execute("SELECT value FROM facts WHERE key = ?", (key,)).fetchone()
    return None if row is None else row[0]


def put(db: Connection, key: str, value: str) -> None:
    """Set a value in place of the former one."""
    db.execute(
        "INSERT INTO facts (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (key, value),
    )
