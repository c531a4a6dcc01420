"""People: their names, what they prefer, and how they want to be notified of their turn and of tables that open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.store.queries.database import Connection, among, replacing


class NoticeLevel(StrEnum):
    """How somebody wants to be notified of their turn."""

    NONE = "none"
    QUIET = "quiet"
    """A message in the channel that names them and notifies nobody."""
    PING = "ping"
    """A message in the channel that notifies them."""
    DIRECT = "dm"
    """A direct message, or a ping if they accept no direct messages."""


@dataclass(frozen=True, slots=True)
class TableSubscriber:
    """A person who wants to know when a table opens, and when they were last notified of one in any server (ms UTC)."""

    user_id: int
    last_notice: int | None


def set_name(db: Connection, guild_id: int, user_id: int, name: str) -> None:
    """Record somebody's name in a server, replacing the old one."""
    db.execute(replacing("names", ("guild_id", "user_id"), "name"), (guild_id, user_id, name))


def names(db: Connection, guild_id: int, user_ids: Sequence[int]) -> dict[int, str]:
    """The names of these people in a server. People without a known name are left out."""
    these, wanted = among(user_ids)
    rows = db.execute(f"SELECT user_id, name FROM names WHERE guild_id = ? AND user_id IN {these}", (guild_id, *wanted))
    return dict(rows.fetchall())


def set_notice_level(db: Connection, guild_id: int, user_id: int, level: NoticeLevel) -> None:
    """Record how somebody wants to be notified of their turn in a server."""
    db.execute(replacing("notice_levels", ("guild_id", "user_id"), "level"), (guild_id, user_id, level))


def notice_level(db: Connection, guild_id: int, user_id: int) -> NoticeLevel:
    """How somebody wants to be notified of their turn; PING if they never chose."""
    row = db.execute(
        "SELECT level FROM notice_levels WHERE guild_id = ? AND user_id = ?", (guild_id, user_id)
    ).fetchone()
    return NoticeLevel.PING if row is None else NoticeLevel(row[0])


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


def set_table_subscription(db: Connection, guild_id: int, user_id: int, game: str, *, wanted: bool) -> None:
    """Record whether somebody wants to know when a table of a game opens in a server. Nobody does by default."""
    change = (
        "INSERT INTO table_subscriptions (guild_id, game, user_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        if wanted
        else "DELETE FROM table_subscriptions WHERE guild_id = ? AND game = ? AND user_id = ?"
    )
    db.execute(change, (guild_id, game, user_id))


def table_subscriptions(db: Connection, guild_id: int, user_id: int) -> list[str]:
    """The games of which somebody wants to know when a table opens in a server, sorted."""
    rows = db.execute(
        "SELECT game FROM table_subscriptions WHERE user_id = ? AND guild_id = ? ORDER BY game", (user_id, guild_id)
    )
    return [game for (game,) in rows]


def table_subscribers(db: Connection, guild_id: int, game: str, after: int, most: int) -> list[TableSubscriber]:
    """Who wants to know when a table of a game opens in a server: those with an id above `after`, at most `most`, by
    their ids."""
    rows = db.execute(
        "SELECT wanted.user_id, told.at FROM table_subscriptions AS wanted"
        " LEFT JOIN table_notices AS told ON told.user_id = wanted.user_id"
        " WHERE wanted.guild_id = ? AND wanted.game = ? AND wanted.user_id > ? ORDER BY wanted.user_id LIMIT ?",
        (guild_id, game, after, most),
    )
    return [TableSubscriber(*row) for row in rows]


def record_table_notice(db: Connection, user_id: int, at: int) -> None:
    """Record that somebody is notified of a table (ms UTC), whatever the server."""
    db.execute(replacing("table_notices", ("user_id",), "at"), (user_id, at))


def last_table_notice(db: Connection, user_id: int) -> int | None:
    """When somebody was last notified of a table (ms UTC); None if never."""
    row = db.execute("SELECT at FROM table_notices WHERE user_id = ?", (user_id,)).fetchone()
    return None if row is None else int(row[0])
