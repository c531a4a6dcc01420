"""Selections that are too long for a button's id: one per seat, for the window it answers."""

from __future__ import annotations

from bot.store.queries.connection import Connection, replaced

_CHANGED = replaced('"window"', "draft")


def save(db: Connection, match_id: str, seat: int, window: int, selection: str) -> None:
    """Save a selection that is too long for a button's id, in place of the seat's former one.

    It is deleted when the match ends. Nothing is saved for a match that is not live.
    """
    db.execute(
        'INSERT INTO drafts (match_id, seat, guild_id, "window", draft)'
        " SELECT id, ?, guild_id, ?, ? FROM matches WHERE id = ? AND live = 1"
        f" ON CONFLICT (match_id, seat) DO UPDATE SET {_CHANGED}",
        (seat, window, selection, match_id),
    )


def find(db: Connection, match_id: str, seat: int, window: int) -> str | None:
    """The selection saved for a seat and a window; None when there is none."""
    row = db.execute(
        'SELECT draft FROM drafts WHERE match_id = ? AND seat = ? AND "window" = ?', (match_id, seat, window)
    ).fetchone()
    return None if row is None else str(row[0])


def latest(db: Connection, match_id: str, seat: int) -> tuple[int, str] | None:
    """The selection saved for a seat, after the window that it answers; None when there is none."""
    row = db.execute('SELECT "window", draft FROM drafts WHERE match_id = ? AND seat = ?', (match_id, seat)).fetchone()
    return None if row is None else (int(row[0]), str(row[1]))


def delete_all(db: Connection, match_id: str) -> None:
    """Delete all of a match that is over."""
    db.execute("DELETE FROM drafts WHERE match_id = ?", (match_id,))
