"""Resets of a server's standings: which of its results count for ratings and leaderboards, and that they are being
counted again.

A reset and its taking back are a row each way. From then on what is kept of the server's standings is deleted and
counted again in slices (`bot.store.queries.counting_again.count_some`), and a result that comes meanwhile waits for its
turn there. So whatever is killed, the rows say what is left to do.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from bot.shard_range import ShardRange
from bot.store.queries.database import LEAST, NEWEST, Connection, inserting

TAKEN_BACK_WITHIN: Final = 7 * 24 * 3600 * 1000
"""For how long a reset can be taken back, in ms."""


class Reset(NamedTuple):
    """That results up to the number `after` don't count any more, since a moment (ms UTC)."""

    after: int
    at: int

    @property
    def final_at(self) -> int:
        """From when on it can't be taken back (ms UTC)."""
        return self.at + TAKEN_BACK_WITHIN


class Numbers(NamedTuple):
    """The results that are counted: with numbers above `after`, up to `newest`."""

    after: int = LEAST
    newest: int = NEWEST

    def contain(self, number: int) -> bool:
        """Whether a result is one of them."""
        return self.after < number <= self.newest


def latest(db: Connection, guild_id: int) -> Reset | None:
    """The reset that holds in a server."""
    row = db.execute(
        "SELECT number, at FROM standings_resets WHERE guild_id = ? ORDER BY number DESC LIMIT 1", (guild_id,)
    ).fetchone()
    return None if row is None else Reset(*row)


def counted(db: Connection, guild_id: int) -> Numbers | None:
    """The results that standings should be made of: all since a reset, as far as a count under way has come. None while
    what was kept is being deleted."""
    reset, row = latest(db, guild_id), _recount(db, guild_id)
    after = LEAST if reset is None else reset.after
    if row is None:
        return Numbers(after)
    return None if row[0] is None else Numbers(after, row[0])


def is_counting(db: Connection, guild_id: int) -> bool:
    """Whether a server is being counted again, so that its standings are not whole."""
    return _recount(db, guild_id) is not None


def _recount(db: Connection, guild_id: int) -> tuple[int | None] | None:
    row: tuple[int | None] | None = db.execute(
        "SELECT reached FROM recounts WHERE guild_id = ?", (guild_id,)
    ).fetchone()
    return row


def under_way(db: Connection, serves: ShardRange) -> list[int]:
    """The servers of a range that are being counted again."""
    rows = db.execute("SELECT guild_id FROM recounts ORDER BY guild_id").fetchall()
    return [guild_id for (guild_id,) in rows if serves.includes(guild_id)]


def reset(db: Connection, now: int, guild_id: int) -> bool:
    """Have a server's standings start over. Returns False, and changes nothing, while the former reset can be taken
    back, and where nothing counts."""
    former = latest(db, guild_id)
    if former is not None and now < former.final_at:
        return False
    if db.execute("SELECT 1 FROM standings WHERE guild_id = ? LIMIT 1", (guild_id,)).fetchone() is None:
        return False
    (newest,) = db.execute("SELECT max(number) FROM results WHERE guild_id = ?", (guild_id,)).fetchone()
    judged = db.execute("SELECT until FROM judged_seasons WHERE guild_id = ?", (guild_id,)).fetchone()
    db.execute(
        inserting("standings_resets", "guild_id", "number", "at", "judged"),
        (guild_id, newest, now, None if judged is None else judged[0]),
    )
    _begin(db, guild_id)
    return True


def take_back(db: Connection, now: int, guild_id: int) -> bool:
    """Take the latest reset of a server back: seasons that were judged since are judged again too. Returns False, and
    changes nothing, where there is none that can be."""
    row = latest(db, guild_id)
    if row is None or now >= row.final_at:
        return False
    (judged,) = db.execute(
        "DELETE FROM standings_resets WHERE guild_id = ? AND number = ? RETURNING judged", (guild_id, row.after)
    ).fetchone()
    until = LEAST if judged is None else judged
    db.execute("DELETE FROM season_firsts WHERE guild_id = ? AND stop > ?", (guild_id, until))
    db.execute("DELETE FROM judged_seasons WHERE guild_id = ?", (guild_id,))
    if judged is not None:
        db.execute(inserting("judged_seasons", "guild_id", "until"), (guild_id, judged))
    _begin(db, guild_id)
    return True


def _begin(db: Connection, guild_id: int) -> None:
    db.execute(
        "INSERT INTO recounts (guild_id, reached) VALUES (?, NULL) ON CONFLICT (guild_id) DO UPDATE SET reached = NULL",
        (guild_id,),
    )
