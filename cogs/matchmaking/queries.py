"""Who wants to know of tables that open, and when they were last notified of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bot.store.binding import Part, reading, writing
from bot.store.queries import begun_deletions
from bot.store.queries.database import Connection, replacing


@dataclass(frozen=True, slots=True)
class TableSubscriber:
    """A person who wants to know when a table opens, and when they were last notified of one in any server (ms UTC)."""

    user_id: int
    last_notice: int | None


def set_subscription(db: Connection, guild_id: int, user_id: int, game: str, *, wanted: bool) -> None:
    """Record whether somebody wants to know when a table of a game opens in a server. Nobody does by default."""
    change = (
        "INSERT INTO table_subscriptions (guild_id, game, user_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        if wanted
        else "DELETE FROM table_subscriptions WHERE guild_id = ? AND game = ? AND user_id = ?"
    )
    db.execute(change, (guild_id, game, user_id))


def games_of(db: Connection, guild_id: int, user_id: int) -> list[str]:
    """The games of which somebody wants to know when a table opens in a server, sorted."""
    rows = db.execute(
        "SELECT game FROM table_subscriptions WHERE user_id = ? AND guild_id = ? ORDER BY game", (user_id, guild_id)
    )
    return [game for (game,) in rows]


def subscribers(db: Connection, guild_id: int, game: str, after: int, most: int) -> list[TableSubscriber]:
    """Who wants to know when a table of a game opens in a server: those with an id above `after`, at most `most`, by
    their ids."""
    rows = db.execute(
        "SELECT wanted.user_id, told.at FROM table_subscriptions AS wanted"
        " LEFT JOIN table_notices AS told ON told.user_id = wanted.user_id"
        " WHERE wanted.guild_id = ? AND wanted.game = ? AND wanted.user_id > ? ORDER BY wanted.user_id LIMIT ?",
        (guild_id, game, after, most),
    )
    return [TableSubscriber(*row) for row in rows]


def record_notice(db: Connection, user_id: int, at: int) -> bool:
    """Record that somebody is notified of a table (ms UTC), whatever the server. Returns False, and records nothing, if
    they want to know of none any more: they may have had their data deleted."""
    wants = f"SELECT 1 FROM table_subscriptions WHERE user_id = ? AND {begun_deletions.spares('table_subscriptions')}"
    if db.execute(f"{wants} LIMIT 1", (user_id,)).fetchone() is None:
        return False
    db.execute(replacing("table_notices", ("user_id",), "at"), (user_id, at))
    return True


def withdraw_notice(db: Connection, user_id: int, at: int, before: int | None) -> None:
    """Take back that somebody was notified at a moment; they were `before`, or never. A later notice stays."""
    if before is None:
        db.execute("DELETE FROM table_notices WHERE user_id = ? AND at = ?", (user_id, at))
    else:
        db.execute("UPDATE table_notices SET at = ? WHERE user_id = ? AND at = ?", (before, user_id, at))


def last_notice(db: Connection, user_id: int) -> int | None:
    """When somebody was last notified of a table (ms UTC); None if never."""
    row = db.execute("SELECT at FROM table_notices WHERE user_id = ?", (user_id,)).fetchone()
    return None if row is None else int(row[0])


class TableSubscriptions(Part):
    """These queries, as methods."""

    set_subscription = writing(set_subscription)
    games_of = reading(games_of)
    subscribers = reading(subscribers)
    record_notice = writing(record_notice)
    withdraw_notice = writing(withdraw_notice)
    last_notice = reading(last_notice)

    async def export(self, guild_id: int, user_id: int) -> dict[str, Any]:
        """Of which tables somebody is notified, and when they last were, in any server. Raises StoreError."""
        wanted = await self.games_of(guild_id, user_id)
        return {
            "settings": {"tables": [{"game": game} for game in wanted]},
            "last_table_notice": await self.last_notice(user_id),
        }
