"""What matches show in Discord: notices, selections, open hands, messages that are being posted, marks of boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from typing import TypeAlias

from bot.shard_range import ShardRange
from bot.store.errors import Conflict
from bot.store.queries import database as sql


@dataclass(frozen=True, slots=True)
class BoardMark:
    """What a match's board shows: a digest of it, which only its painter reads, and how many acts led to it."""

    acts: int
    mark: bytes


@dataclass(frozen=True, slots=True)
class Notice:
    """A "your turn" mention in a channel, which is removed once it is no longer true.

    `mark` is a digest of what it says, which only its painter reads; None if that isn't known.
    """

    match_id: str
    seat: int
    user_id: int
    channel_id: int
    message_id: int
    mark: bytes | None = None


@dataclass(frozen=True, slots=True)
class HandRow:
    """An open hand: a private message that shows a seat's cards, and the token that edits it until `expires_at`.

    `message` is the id of the interaction that the message was sent for, `locale` its reader's language, `selection`
    what is picked for the question `window`, and `shown` a digest of what the message shows.
    """

    match_id: str
    seat: int
    message: int
    application_id: int
    token: str = field(repr=False)
    locale: str
    window: int
    selection: str
    shown: bytes
    expires_at: int

    @property
    def key(self) -> HandKey:
        """What tells the message from all others."""
        return self.match_id, self.seat, self.message


HandKey: TypeAlias = tuple[str, int, int]
"""A match's id, a seat and a message."""


@dataclass(frozen=True, slots=True)
class Posting:
    """A message that is being posted in a channel: a match's board (seat None) or a seat's mention.

    `former_id` is the message that it replaces, if any, and `at` when this began.
    """

    match_id: str
    seat: int | None
    channel_id: int
    former_id: int | None
    at: int


# ------------------------------------------------------------------------------------ notices of turns


def add_notice(db: sql.Connection, notice: Notice) -> None:
    """Record a turn notice in place of the seat's former one. Raises Conflict for an unknown match."""
    done = db.execute(
        "INSERT INTO notices (match_id, seat, guild_id, user_id, channel_id, message_id, mark)"
        " SELECT id, ?, guild_id, ?, ?, ?, ? FROM matches WHERE id = ?"
        f" ON CONFLICT (match_id, seat) DO UPDATE SET {sql.replaced('user_id', 'channel_id', 'message_id', 'mark')}",
        (notice.seat, notice.user_id, notice.channel_id, notice.message_id, notice.mark, notice.match_id),
    )
    if done.rowcount != 1:
        raise Conflict("there is no such match")


def mark_notice(db: sql.Connection, notice: Notice) -> None:
    """Record the mark of a turn notice. Nothing is written if its message is no longer the seat's notice."""
    db.execute(
        "UPDATE notices SET mark = ? WHERE match_id = ? AND seat = ? AND message_id = ?",
        (notice.mark, notice.match_id, notice.seat, notice.message_id),
    )


def remove_notice(db: sql.Connection, match_id: str, seat: int) -> None:
    """Delete a seat's turn notice; harmless when there is none."""
    db.execute("DELETE FROM notices WHERE match_id = ? AND seat = ?", (match_id, seat))


def notices(db: sql.Connection, after: tuple[str, int], serves: ShardRange) -> sql.Page[Notice, tuple[str, int]]:
    """All turn notices of a range: a page of them, by match id and seat. A notice outlives its match until it is
    removed."""
    rows = db.execute(
        f"SELECT {', '.join(sql.columns_of(Notice))} FROM notices"
        f" WHERE (match_id, seat) > (?, ?){sql.and_served_by(serves)} ORDER BY match_id, seat LIMIT ?",
        (*after, sql.MANY),
    )
    found = [Notice(*row) for row in rows]
    return found, sql.following([(each.match_id, each.seat) for each in found], sql.MANY)


# ------------------------------------------------------------------------------------------ selections

_NEW_SELECTION = sql.replaced('"window"', "draft")


def save_selection(db: sql.Connection, match_id: str, seat: int, window: int, selection: str) -> None:
    """Save a selection that is too long for a button's id, in place of the seat's former one.

    It is deleted when the match ends. Nothing is saved for a match that is not live.
    """
    db.execute(
        'INSERT INTO drafts (match_id, seat, guild_id, "window", draft)'
        " SELECT id, ?, guild_id, ?, ? FROM matches WHERE id = ? AND live = 1"
        f" ON CONFLICT (match_id, seat) DO UPDATE SET {_NEW_SELECTION}",
        (seat, window, selection, match_id),
    )


def selection(db: sql.Connection, match_id: str, seat: int, window: int) -> str | None:
    """The selection saved for a seat and a window; None when there is none."""
    row = db.execute(
        'SELECT draft FROM drafts WHERE match_id = ? AND seat = ? AND "window" = ?', (match_id, seat, window)
    ).fetchone()
    return None if row is None else str(row[0])


def latest_selection(db: sql.Connection, match_id: str, seat: int) -> tuple[int, str] | None:
    """The selection saved for a seat, after the window that it answers; None when there is none."""
    row = db.execute('SELECT "window", draft FROM drafts WHERE match_id = ? AND seat = ?', (match_id, seat)).fetchone()
    return None if row is None else (int(row[0]), str(row[1]))


# ---------------------------------------------------------------------- open hands, postings and marks

_BOARD = -1
"""The seat of a posting that is a board."""
_CHANGED = sql.replaced("application_id", "token", "locale", '"window"', "selection", "shown", "expires_at")
"""What is saved of an open hand again and again."""


async def write_hands(database: sql.Database, saved: Sequence[HandRow], removed: Sequence[HandKey], now: int) -> None:
    """Save open hands, each in place of the former row with its key, and delete others.

    Hands that have expired by `now` are deleted too, and hands of unknown matches are not saved.
    """
    if not await database.write(lambda db: _write_hands(db, saved, removed, now)):
        await database.write_all(lambda db: _delete_expired_hands(db, now))


def _write_hands(db: sql.Connection, saved: Sequence[HandRow], removed: Sequence[HandKey], now: int) -> bool:
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


def _delete_expired_hands(db: sql.Connection, now: int) -> bool:
    """Delete some hands that have expired. Returns whether no other has."""
    return _delete_hands(db, "expires_at <= ? ORDER BY expires_at", now) < sql.MANY


def delete_hands_of_server(db: sql.Connection, guild_id: int) -> bool:
    """Delete some open hands of a server. Returns whether it has no other."""
    return _delete_hands(db, "guild_id = ?", guild_id) < sql.MANY


def _delete_hands(db: sql.Connection, which: str, value: int) -> int:
    return sql.delete_some(db, "open_hands", ("match_id", "seat", "message"), which, value, most=sql.MANY)


_HandOrder: TypeAlias = tuple[int, str, int, int]
"""Where a hand is in the list of all: when it expires, and its key."""


def each_once(found: list[HandRow]) -> list[HandRow]:
    """One that was saved again while they were read was in two pages: the later is valid."""
    return list({hand.key: hand for hand in found}.values())


def open_hands(db: sql.Connection, after: _HandOrder, serves: ShardRange) -> sql.Page[HandRow, _HandOrder]:
    """All open hands of a range: a page of them, the first to expire first."""
    rows = db.execute(
        'SELECT match_id, seat, message, application_id, token, locale, "window", selection, shown, expires_at'
        f" FROM open_hands WHERE (expires_at, match_id, seat, message) > (?, ?, ?, ?){sql.and_served_by(serves)}"
        " ORDER BY expires_at, match_id, seat, message LIMIT ?",
        (*after, sql.MANY),
    )
    found = [HandRow(*row) for row in rows]
    return found, sql.following([(hand.expires_at, *hand.key) for hand in found], sql.MANY)


def add_posting(db: sql.Connection, posting: Posting) -> None:
    """Record that a message is being posted, in place of the former posting with its match, seat and channel.

    Nothing is recorded for an unknown match.
    """
    db.execute(
        "INSERT INTO postings (match_id, seat, channel_id, guild_id, former_id, at)"
        " SELECT id, ?, ?, guild_id, ?, ? FROM matches WHERE id = ?"
        f" ON CONFLICT (match_id, seat, channel_id) DO UPDATE SET {sql.replaced('former_id', 'at')}",
        (_number(posting.seat), posting.channel_id, posting.former_id, posting.at, posting.match_id),
    )


def remove_posting(db: sql.Connection, match_id: str, seat: int | None, channel_id: int) -> None:
    """Delete a posting; harmless when there is none."""
    db.execute(
        "DELETE FROM postings WHERE match_id = ? AND seat = ? AND channel_id = ?", (match_id, _number(seat), channel_id)
    )


def postings(
    db: sql.Connection, after: tuple[str, int, int], serves: ShardRange
) -> sql.Page[Posting, tuple[str, int, int]]:
    """All postings of a range: a page of them, by match, seat and channel, boards first."""
    rows = db.execute(
        "SELECT match_id, seat, channel_id, former_id, at FROM postings"
        f" WHERE (match_id, seat, channel_id) > (?, ?, ?){sql.and_served_by(serves)}"
        " ORDER BY match_id, seat, channel_id LIMIT ?",
        (*after, sql.MANY),
    ).fetchall()
    found = [
        Posting(match_id, None if seat == _BOARD else seat, channel_id, former_id, at)
        for match_id, seat, channel_id, former_id, at in rows
    ]
    return found, sql.following([row[:3] for row in rows], sql.MANY)


def write_marks(db: sql.Connection, marks: Mapping[str, BoardMark | None]) -> None:
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
