"""The kept lines of leaderboards, and the buckets in which they are counted: written together, here alone."""

from __future__ import annotations

from typing import Final, NamedTuple

from bot.store.boards import Section, Span
from bot.store.queries.connection import Connection, replaced

FINE: Final = 10
"""Scores are in thousandths, so a fine bucket is about a point wide: few players share one without sharing a score."""
COARSE: Final = 16
"""A coarse bucket has 64 fine ones. All of a leaderboard's scores are in about 40 of these."""


class Key(NamedTuple):
    """Whose line it is, on which leaderboard."""

    guild_id: int
    user_id: int
    span: Span
    game: str


class Line(NamedTuple):
    """A line as it is kept."""

    section: Section
    score: int
    wins: int
    losses: int
    draws: int
    last_day: int = 0

    @property
    def matches(self) -> int:
        """The number of counted matches."""
        return self.wins + self.losses + self.draws


_KEYED = "WHERE guild_id = ? AND user_id = ? AND span = ? AND game = ?"
_BUCKET = "WHERE guild_id = ? AND game = ? AND span = ? AND section = ? AND bits = ? AND bucket = ?"


def find(db: Connection, key: Key) -> Line | None:
    """A kept line."""
    row = db.execute(
        f"SELECT section, score, wins, losses, draws, last_day FROM board_entries {_KEYED}", key
    ).fetchone()
    return None if row is None else Line(Section(row[0]), *row[1:])


def of_user(db: Connection, guild_id: int, user_id: int) -> dict[Key, Line]:
    """All lines of a person in a server."""
    rows = db.execute(
        "SELECT span, game, section, score, wins, losses, draws, last_day FROM board_entries"
        " WHERE guild_id = ? AND user_id = ?",
        (guild_id, user_id),
    ).fetchall()
    return {Key(guild_id, user_id, Span(row[0]), row[1]): Line(Section(row[2]), *row[3:]) for row in rows}


def put(db: Connection, key: Key, line: Line) -> None:
    """Keep a line in place of the former one, if there is one."""
    replace(db, key, find(db, key), line)


def replace(db: Connection, key: Key, former: Line | None, line: Line | None) -> None:
    """Keep a line in place of the one that is kept now, or none, and count it where it belongs."""
    if former == line:
        return
    if line is None:
        db.execute(f"DELETE FROM board_entries {_KEYED}", key)
    else:
        db.execute(
            "INSERT INTO board_entries"
            " (guild_id, user_id, span, game, section, score, wins, losses, draws, last_day)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            f" ON CONFLICT (guild_id, user_id, span, game) DO UPDATE SET {replaced(*Line._fields)}",
            (*key, *line),
        )
    for bits in (FINE, COARSE):
        old, new = _bucket(key, former, bits), _bucket(key, line, bits)
        if old != new:
            _leave(db, old)
            _join(db, new)


def is_hidden(db: Connection, guild_id: int, user_id: int) -> bool:
    """Whether somebody is left out of a server's leaderboards, as are deleted people: they have negative ids."""
    if user_id < 0:
        return True
    row = db.execute("SELECT 1 FROM board_hidden WHERE guild_id = ? AND user_id = ?", (guild_id, user_id)).fetchone()
    return row is not None


def _bucket(key: Key, line: Line | None, bits: int) -> tuple[object, ...] | None:
    return None if line is None else (key.guild_id, key.game, key.span, line.section, bits, line.score >> bits)


def _leave(db: Connection, bucket: tuple[object, ...] | None) -> None:
    if bucket is not None and not db.execute(f"DELETE FROM board_buckets {_BUCKET} AND players = 1", bucket).rowcount:
        db.execute(f"UPDATE board_buckets SET players = players - 1 {_BUCKET}", bucket)


def _join(db: Connection, bucket: tuple[object, ...] | None) -> None:
    if bucket is not None:
        db.execute(
            "INSERT INTO board_buckets (guild_id, game, span, section, bits, bucket, players)"
            " VALUES (?, ?, ?, ?, ?, ?, 1) ON CONFLICT (guild_id, game, span, section, bits, bucket)"
            " DO UPDATE SET players = board_buckets.players + 1",
            bucket,
        )
