"""People: their names, what they prefer, and how they want to be notified of their turn."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from bot.store.queries import digests
from bot.store.queries.database import Connection, among, replacing
from bot.store.special_ids import DELETED


class NoticeLevel(StrEnum):
    """How somebody wants to be notified of their turn."""

    NONE = "none"
    QUIET = "quiet"
    """A message in the channel that names them and notifies nobody."""
    PING = "ping"
    """A message in the channel that notifies them."""
    DIRECT = "dm"
    """A direct message, or a ping if they accept no direct messages."""
    DIGEST = "digest"
    """One direct message a day about all slow matches; of others, a direct message each."""


DEFAULT: Final = NoticeLevel.PING
"""How somebody is notified who chose nothing, or of whom the store can't say what they chose: who misses their turn may
lose by it."""


def set_name(db: Connection, guild_id: int, user_id: int, name: str) -> None:
    """Record somebody's name in a server, replacing the old one."""
    db.execute(replacing("names", ("guild_id", "user_id"), "name"), (guild_id, user_id, name))


def names(db: Connection, guild_id: int, user_ids: Sequence[int]) -> dict[int, str]:
    """The names of these people in a server. People without a known name are left out."""
    these, wanted = among(user_ids)
    rows = db.execute(f"SELECT user_id, name FROM names WHERE guild_id = ? AND user_id IN {these}", (guild_id, *wanted))
    return dict(rows.fetchall())


def chats_of(db: Connection, user_id: int) -> list[int]:
    """The chats without the bot in which something may be stored about a person: those in which they have a name."""
    rows = db.execute(
        "SELECT guild_id FROM names WHERE user_id = ? AND guild_id < ? ORDER BY guild_id", (user_id, DELETED.start)
    )
    return [guild_id for (guild_id,) in rows]


def set_notice_level(db: Connection, now: int, guild_id: int, user_id: int, level: NoticeLevel) -> None:
    """Record how somebody wants to be notified of their turn in a server, from now (ms UTC) on."""
    if level is NoticeLevel.DIGEST:
        digests.begin(db, now, guild_id, user_id)
    else:
        digests.end(db, guild_id, user_id)
    kept = NoticeLevel.DIRECT if level is NoticeLevel.DIGEST else level
    db.execute(replacing("notice_levels", ("guild_id", "user_id"), "level"), (guild_id, user_id, kept))


def notice_level(db: Connection, guild_id: int, user_id: int) -> NoticeLevel:
    """How somebody wants to be notified of their turn; DEFAULT if they never chose."""
    row = db.execute(
        "SELECT level FROM notice_levels WHERE guild_id = ? AND user_id = ?", (guild_id, user_id)
    ).fetchone()
    level = DEFAULT if row is None else NoticeLevel(row[0])
    return NoticeLevel.DIGEST if level is NoticeLevel.DIRECT and digests.is_wanted(db, guild_id, user_id) else level


def set_preference(db: Connection, user_id: int, name: str, value: str) -> None:
    """Record what somebody prefers, in all servers and in direct messages, in place of what they preferred before.
    Names and values are the caller's (`bot.ui.preferences`)."""
    db.execute(replacing("preferences", ("user_id", "name"), "value"), (user_id, name, value))


def preferences(db: Connection, user_ids: Sequence[int]) -> dict[int, dict[str, str]]:
    """What these people prefer, by name. People who chose nothing are left out."""
    found: dict[int, dict[str, str]] = {}
    these, wanted = among(user_ids)
    for user_id, name, value in db.execute(
        f"SELECT user_id, name, value FROM preferences WHERE user_id IN {these}", wanted
    ):
        found.setdefault(user_id, {})[name] = value
    return found
