"""Servers: which are known, which the bot has left, and deleting everything about one."""

from __future__ import annotations

import sqlite3

from bot.store.sqlite.queries import screens


def known(db: sqlite3.Connection) -> set[int]:
    """Every server that some row names, departures aside."""
    names = [name for name in _guild_tables(db) if name != "departures"]
    select = " UNION ".join(f"SELECT guild_id FROM {name}" for name in names)  # noqa: S608  the schema's own
    return {guild_id for (guild_id,) in db.execute(select)}


def record_departure(db: sqlite3.Connection, guild_id: int, at: int) -> None:
    """Record when the bot left it, unless that is known, and delete the tokens of its open hands."""
    screens.delete_hands_of_server(db, guild_id)
    db.execute(
        "INSERT OR IGNORE INTO departures (guild_id, at, observed)"
        " VALUES (?, ?, coalesce((SELECT observed FROM looks), 0))",
        (guild_id, at),
    )


def clear_departure(db: sqlite3.Connection, guild_id: int) -> None:
    """Delete the departure."""
    db.execute("DELETE FROM departures WHERE guild_id = ?", (guild_id,))


def departures(db: sqlite3.Connection) -> dict[int, int]:
    """The servers that the bot has left, and when."""
    return dict(db.execute("SELECT guild_id, at FROM departures").fetchall())


def purge(db: sqlite3.Connection, guild_id: int) -> None:
    """Delete every row that names the server, in every table that has such rows, and the preferences of people who
    are known in no other server, with the moments of their notices.

    Deleting a match deletes what belongs to it, found by the match's id: looking for the server in the log would
    read all of it.
    """
    for name in ("preferences", "table_notices"):
        db.execute(
            f"DELETE FROM {name} WHERE user_id IN (SELECT user_id FROM names WHERE guild_id = ?)"  # noqa: S608  ours
            f" AND NOT EXISTS (SELECT 1 FROM names AS other WHERE other.user_id = {name}.user_id"
            " AND other.guild_id <> ?)",
            (guild_id, guild_id),
        )
    for name in ("matches", *_guild_tables(db)):
        db.execute(f"DELETE FROM {name} WHERE guild_id = ?", (guild_id,))  # noqa: S608  the schema's own name


def _guild_tables(db: sqlite3.Connection) -> list[str]:
    """The tables whose rows belong to servers, except those whose rows are deleted with their match."""
    found = db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall()
    columns = {name: {row[1] for row in db.execute(f"PRAGMA table_info({name})")} for (name,) in found}
    return [name for name, has in columns.items() if "guild_id" in has and "match_id" not in has]
