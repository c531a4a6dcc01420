"""Open hands, messages that are being posted, and marks of what boards show."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from typing import TypeAlias

from bot.store.rows import BoardMark, HandKey, HandRow, Posting
from bot.store.sqlite.queries.paging import MANY, Page, delete_some, following

_BOARD = -1
"""The seat of a posting that is a board."""


def write_hands(db: sqlite3.Connection, saved: Sequence[HandRow], removed: Sequence[HandKey], now: int) -> bool:
    """Save open hands, and delete those that were removed and some that have expired. Returns whether no other has."""
    deleted = _delete_hands(db, "expires_at <= ? ORDER BY expires_at", now)
    db.executemany("DELETE FROM open_hands WHERE match_id = ? AND seat = ? AND message = ?", removed)
    db.executemany(
        "INSERT OR REPLACE INTO open_hands (match_id, seat, message, application_id, token, locale, window, selection,"
        " shown, expires_at, guild_id) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, guild_id FROM matches"
        " WHERE id = ?1",
        [astuple(hand) for hand in saved],
    )
    return deleted < MANY


def delete_expired_hands(db: sqlite3.Connection, now: int) -> bool:
    """Delete some hands that have expired. Returns whether no other has."""
    return _delete_hands(db, "expires_at <= ? ORDER BY expires_at", now) < MANY


def delete_hands_of_server(db: sqlite3.Connection, guild_id: int) -> bool:
    """Delete some open hands of a server. Returns whether it has no other."""
    return _delete_hands(db, "guild_id = ?", guild_id) < MANY


def _delete_hands(db: sqlite3.Connection, which: str, value: int) -> int:
    return delete_some(db, "open_hands", ("match_id", "seat", "message"), which, value, most=MANY)


HandPlace: TypeAlias = tuple[int, str, int, int]
"""Where a hand is in the list of all: when it expires, and its key."""


def hands(db: sqlite3.Connection, after: HandPlace) -> Page[HandRow, HandPlace]:
    """A page of all open hands, the first to expire first."""
    rows = db.execute(
        "SELECT match_id, seat, message, application_id, token, locale, window, selection, shown, expires_at"
        " FROM open_hands WHERE (expires_at, match_id, seat, message) > (?, ?, ?, ?)"
        " ORDER BY expires_at, match_id, seat, message LIMIT ?",
        (*after, MANY),
    )
    found = [HandRow(*row) for row in rows]
    return found, following([(hand.expires_at, *hand.key) for hand in found], MANY)


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


def postings(db: sqlite3.Connection, after: tuple[str, int, int]) -> Page[Posting, tuple[str, int, int]]:
    """A page of all postings, by match, seat and channel."""
    rows = db.execute(
        "SELECT match_id, seat, channel_id, former_id, at FROM postings WHERE (match_id, seat, channel_id) > (?, ?, ?)"
        " ORDER BY match_id, seat, channel_id LIMIT ?",
        (*after, MANY),
    ).fetchall()
    found = [
        Posting(match_id, None if seat == _BOARD else seat, channel_id, former_id, at)
        for match_id, seat, channel_id, former_id, at in rows
    ]
    return found, following([row[:3] for row in rows], MANY)


def write_marks(db: sqlite3.Connection, marks: Mapping[str, BoardMark | None]) -> None:
    """Record what the boards of live matches show."""
    db.executemany(
        "UPDATE matches SET board_mark = ?, board_mark_acts = ? WHERE id = ? AND live = 1",
        [(None, None, key) if mark is None else (mark.mark, mark.acts, key) for key, mark in marks.items()],
    )


def _number(seat: int | None) -> int:
    return _BOARD if seat is None else seat
