"""Open hands, and messages that are being posted."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import astuple

from bot.store.rows import HandKey, HandRow, Posting

_BOARD = -1
"""The seat of a posting that is a board."""


def write_hands(db: sqlite3.Connection, saved: Sequence[HandRow], removed: Sequence[HandKey], now: int) -> None:
    """Save open hands, and delete those that were removed or have expired."""
    db.execute("DELETE FROM open_hands WHERE expires_at <= ?", (now,))
    db.executemany("DELETE FROM open_hands WHERE match_id = ? AND seat = ? AND message = ?", removed)
    db.executemany(
        "INSERT OR REPLACE INTO open_hands (match_id, seat, message, application_id, token, locale, window, selection,"
        " shown, expires_at, guild_id) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, guild_id FROM matches"
        " WHERE id = ?1",
        [astuple(hand) for hand in saved],
    )


def hands(db: sqlite3.Connection) -> list[HandRow]:
    """All open hands, the first to expire first."""
    rows = db.execute(
        "SELECT match_id, seat, message, application_id, token, locale, window, selection, shown, expires_at"
        " FROM open_hands ORDER BY expires_at, match_id, seat, message"
    )
    return [HandRow(*row) for row in rows]


def delete_hands_of_server(db: sqlite3.Connection, guild_id: int) -> None:
    """Delete the open hands of a server."""
    db.execute("DELETE FROM open_hands WHERE guild_id = ?", (guild_id,))


def delete_hands_of_user(db: sqlite3.Connection, guild_id: int, user_id: int) -> None:
    """Delete a person's open hands in a server."""
    db.execute(
        "DELETE FROM open_hands WHERE (match_id, seat) IN"
        " (SELECT match_id, seat FROM seats WHERE guild_id = ? AND user_id = ?)",
        (guild_id, user_id),
    )


def add_posting(db: sqlite3.Connection, posting: Posting) -> None:
    """Record a posting."""
    db.execute(
        "INSERT OR REPLACE INTO postings (match_id, seat, channel_id, guild_id, former_id, at)"
        " SELECT id, ?, ?, guild_id, ?, ? FROM matches WHERE id = ?",
        (_number(posting.seat), posting.channel_id, posting.former_id, posting.at, posting.match_id),
    )


def remove_posting(db: sqlite3.Connection, match_id: str, seat: int | None, channel_id: int) -> None:
    """Delete a posting."""
    db.execute(
        "DELETE FROM postings WHERE match_id = ? AND seat = ? AND channel_id = ?", (match_id, _number(seat), channel_id)
    )


def postings(db: sqlite3.Connection) -> list[Posting]:
    """All postings."""
    rows = db.execute(
        "SELECT match_id, seat, channel_id, former_id, at FROM postings ORDER BY match_id, seat, channel_id"
    )
    return [
        Posting(match_id, None if seat == _BOARD else seat, channel_id, former_id, at)
        for match_id, seat, channel_id, former_id, at in rows
    ]


def _number(seat: int | None) -> int:
    return _BOARD if seat is None else seat
