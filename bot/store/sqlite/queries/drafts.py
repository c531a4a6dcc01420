"""Selections under way that are too long for a button's id: one a seat, of the question it answers."""

from __future__ import annotations

import sqlite3


def keep(db: sqlite3.Connection, match_id: str, seat: int, window: int, draft: str) -> None:
    """Keep it in place of the seat's former one; nothing is kept of a match that is not live."""
    db.execute(
        "INSERT OR REPLACE INTO drafts (match_id, seat, guild_id, window, draft)"
        " SELECT id, ?, guild_id, ?, ? FROM matches WHERE id = ? AND live = 1",
        (seat, window, draft, match_id),
    )


def find(db: sqlite3.Connection, match_id: str, seat: int, window: int) -> str | None:
    """The seat's draft of an answer to this question, or None."""
    row = db.execute(
        "SELECT draft FROM drafts WHERE match_id = ? AND seat = ? AND window = ?", (match_id, seat, window)
    ).fetchone()
    return None if row is None else str(row[0])


def forget(db: sqlite3.Connection, match_id: str) -> None:
    """Forget all of a match that is over."""
    db.execute("DELETE FROM drafts WHERE match_id = ?", (match_id,))
