"""Open hands, messages that are being posted, and marks of what boards show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple
from typing import TypeAlias

from bot.shard_range import EVERYTHING, ShardRange
from bot.store.queries.connection import Connection, replaced
from bot.store.queries.paging import MANY, Page, delete_some, following
from bot.store.queries.servers import served
from bot.store.rows.screens import BoardMark, HandKey, HandRow, Posting

_BOARD = -1
"""The seat of a posting that is a board."""
_CHANGED = replaced("application_id", "token", "locale", '"window"', "selection", "shown", "expires_at")
"""What is saved of an open hand again and again."""


def write_hands(db: Connection, saved: Sequence[HandRow], removed: Sequence[HandKey], now: int) -> bool:
    """Save open hands, and delete those that were removed and some that have expired. Returns whether no other has."""
    deleted = _delete_hands(db, "expires_at <= ? ORDER BY expires_at", now)
    db.executemany("DELETE FROM open_hands WHERE match_id = ? AND seat = ? AND message = ?", removed)
    db.executemany(
        'INSERT INTO open_hands (match_id, seat, message, application_id, token, locale, "window", selection,'
        " shown, expires_at, guild_id) SELECT id, ?, ?, ?, ?, ?, ?, ?, ?, ?, guild_id FROM matches WHERE id = ?"
        f" ON CONFLICT (match_id, seat, message) DO UPDATE SET {_CHANGED}",
        [(*astuple(hand)[1:], hand.match_id) for hand in saved],
    )
    return deleted < MANY


def delete_expired_hands(db: Connection, now: int) -> bool:
    """Delete some hands that have expired. Returns whether no other has."""
    return _delete_hands(db, "expires_at <= ? ORDER BY expires_at", now) < MANY


def delete_hands_of_server(db: Connection, guild_id: int) -> bool:
    """Delete some open hands of a server. Returns whether it has no other."""
    return _delete_hands(db, "guild_id = ?", guild_id) < MANY


def _delete_hands(db: Connection, which: str, value: int) -> int:
    return delete_some(db, "open_hands", ("match_id", "seat", "message"), which, value, most=MANY)


HandPlace: TypeAlias = tuple[int, str, int, int]
"""Where a hand is in the list of all: when it expires, and its key."""


def hands(db: Connection, after: HandPlace, serves: ShardRange = EVERYTHING) -> Page[HandRow, HandPlace]:
    """A page of all open hands of a range, the first to expire first."""
    rows = db.execute(
        'SELECT match_id, seat, message, application_id, token, locale, "window", selection, shown, expires_at'
        f" FROM open_hands WHERE (expires_at, match_id, seat, message) > (?, ?, ?, ?){served.only(serves)}"
        " ORDER BY expires_at, match_id, seat, message LIMIT ?",
        (*after, MANY),
    )
    found = [HandRow(*row) for row in rows]
    return found, following([(hand.expires_at, *hand.key) for hand in found], MANY)


def add_posting(db: Connection, posting: Posting) -> None:
    """Record a posting."""
    db.execute(
        "INSERT INTO postings (match_id, seat, channel_id, guild_id, former_id, at)"
        " SELECT id, ?, ?, guild_id, ?, ? FROM matches WHERE id = ?"
        f" ON CONFLICT (match_id, seat, channel_id) DO UPDATE SET {replaced('former_id', 'at')}",
        (_number(posting.seat), posting.channel_id, posting.former_id, posting.at, posting.match_id),
    )


def remove_posting(db: Connection, match_id: str, seat: int | None, channel_id: int) -> None:
    """Delete a posting."""
    db.execute(
        "DELETE FROM postings WHERE match_id = ? AND seat = ? AND channel_id = ?", (match_id, _number(seat), channel_id)
    )


def postings(
    db: Connection, after: tuple[str, int, int], serves: ShardRange = EVERYTHING
) -> Page[Posting, tuple[str, int, int]]:
    """A page of all postings of a range, by match, seat and channel."""
    rows = db.execute(
        "SELECT match_id, seat, channel_id, former_id, at FROM postings"
        f" WHERE (match_id, seat, channel_id) > (?, ?, ?){served.only(serves)}"
        " ORDER BY match_id, seat, channel_id LIMIT ?",
        (*after, MANY),
    ).fetchall()
    found = [
        Posting(match_id, None if seat == _BOARD else seat, channel_id, former_id, at)
        for match_id, seat, channel_id, former_id, at in rows
    ]
    return found, following([row[:3] for row in rows], MANY)


def write_marks(db: Connection, marks: Mapping[str, BoardMark | None]) -> None:
    """Record what the boards of live matches show."""
    db.executemany(
        "UPDATE matches SET board_mark = ?, board_mark_acts = ? WHERE id = ? AND live = 1",
        [(None, None, key) if mark is None else (mark.mark, mark.acts, key) for key, mark in marks.items()],
    )


def _number(seat: int | None) -> int:
    return _BOARD if seat is None else seat
