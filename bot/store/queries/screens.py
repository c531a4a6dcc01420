"""Open hands, messages that are being posted, and marks of what boards show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple
from typing import TypeAlias

from bot.shard_range import ShardRange
from bot.store.queries.connection import Connection, replaced
from bot.store.queries.database import Database
from bot.store.queries.paging import LEAST, MANY, Page, delete_some, following
from bot.store.queries.servers import served
from bot.store.rows.screens import BoardMark, HandKey, HandRow, Posting

_BOARD = -1
"""The seat of a posting that is a board."""
_CHANGED = replaced("application_id", "token", "locale", '"window"', "selection", "shown", "expires_at")
"""What is saved of an open hand again and again."""


async def write_hands(database: Database, saved: Sequence[HandRow], removed: Sequence[HandKey], now: int) -> None:
    """Save open hands, each in place of the former row with its key, and delete others.

    Hands that have expired by `now` are deleted too, and hands of unknown matches are not saved.
    """
    if not await database.write(lambda db: _write_hands(db, saved, removed, now)):
        await database.write_all(lambda db: _delete_expired_hands(db, now))


def _write_hands(db: Connection, saved: Sequence[HandRow], removed: Sequence[HandKey], now: int) -> bool:
    """Save and delete, and also delete some that have expired. Returns whether no other has."""
    no_other = _delete_expired_hands(db, now)
    db.executemany("DELETE FROM open_hands WHERE match_id = ? AND seat = ? AND message = ?", removed)
    db.executemany(
        'INSERT INTO open_hands (match_id, seat, message, application_id, token, locale, "window", selection,'
        " shown, expires_at, guild_id) SELECT id, ?, ?, ?, ?, ?, ?, ?, ?, ?, guild_id FROM matches WHERE id = ?"
        f" ON CONFLICT (match_id, seat, message) DO UPDATE SET {_CHANGED}",
        [(*astuple(hand)[1:], hand.match_id) for hand in saved],
    )
    return no_other


def _delete_expired_hands(db: Connection, now: int) -> bool:
    """Delete some hands that have expired. Returns whether no other has."""
    return _delete_hands(db, "expires_at <= ? ORDER BY expires_at", now) < MANY


def delete_hands_of_server(db: Connection, guild_id: int) -> bool:
    """Delete some open hands of a server. Returns whether it has no other."""
    return _delete_hands(db, "guild_id = ?", guild_id) < MANY


def _delete_hands(db: Connection, which: str, value: int) -> int:
    return delete_some(db, "open_hands", ("match_id", "seat", "message"), which, value, most=MANY)


_HandOrder: TypeAlias = tuple[int, str, int, int]
"""Where a hand is in the list of all: when it expires, and its key."""


async def open_hands(database: Database, serves: ShardRange) -> list[HandRow]:
    """All open hands of a range, the first to expire first."""
    found = await database.read_all(lambda db, after: _hands(db, serves, after), (LEAST, "", LEAST, LEAST))
    # One that was saved again while they were read was in two pages: the later is valid.
    return list({hand.key: hand for hand in found}.values())


def _hands(db: Connection, serves: ShardRange, after: _HandOrder) -> Page[HandRow, _HandOrder]:
    rows = db.execute(
        'SELECT match_id, seat, message, application_id, token, locale, "window", selection, shown, expires_at'
        f" FROM open_hands WHERE (expires_at, match_id, seat, message) > (?, ?, ?, ?){served.only(serves)}"
        " ORDER BY expires_at, match_id, seat, message LIMIT ?",
        (*after, MANY),
    )
    found = [HandRow(*row) for row in rows]
    return found, following([(hand.expires_at, *hand.key) for hand in found], MANY)


def add_posting(db: Connection, posting: Posting) -> None:
    """Record that a message is being posted, in place of the former posting with its match, seat and channel.

    Nothing is recorded for an unknown match.
    """
    db.execute(
        "INSERT INTO postings (match_id, seat, channel_id, guild_id, former_id, at)"
        " SELECT id, ?, ?, guild_id, ?, ? FROM matches WHERE id = ?"
        f" ON CONFLICT (match_id, seat, channel_id) DO UPDATE SET {replaced('former_id', 'at')}",
        (_number(posting.seat), posting.channel_id, posting.former_id, posting.at, posting.match_id),
    )


def remove_posting(db: Connection, match_id: str, seat: int | None, channel_id: int) -> None:
    """Delete a posting; harmless when there is none."""
    db.execute(
        "DELETE FROM postings WHERE match_id = ? AND seat = ? AND channel_id = ?", (match_id, _number(seat), channel_id)
    )


async def postings(database: Database, serves: ShardRange) -> list[Posting]:
    """All postings of a range, by match, seat and channel, boards first."""
    return await database.read_all(lambda db, after: _postings(db, serves, after), ("", LEAST, LEAST))


def _postings(db: Connection, serves: ShardRange, after: tuple[str, int, int]) -> Page[Posting, tuple[str, int, int]]:
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
    """Record what the boards of live matches show, by match id, each in place of the former mark; None deletes it.

    A mark is also deleted when the match gets another board or none, and when it ends. `matches.saved` reads
    it.
    """
    db.executemany(
        "UPDATE matches SET board_mark = ?, board_mark_acts = ? WHERE id = ? AND live = 1",
        [(None, None, key) if mark is None else (mark.mark, mark.acts, key) for key, mark in marks.items()],
    )


def _number(seat: int | None) -> int:
    return _BOARD if seat is None else seat
