"""Servers: which are known, and which the bot has left."""

from __future__ import annotations

import sqlite3

from bot.store.sqlite.queries.paging import MANY, Page, following


def tables(db: sqlite3.Connection) -> list[str]:
    """The tables that say which servers are known: all that name servers, aside from departures and
    deletions under way."""
    return [name for name in guild_tables(db) if name not in {"departures", "deletions"}]


def known(db: sqlite3.Connection, table: str, after: int) -> Page[int, int]:
    """A page of the servers that a table names, by their ids. It steps from one to the next along an index; DISTINCT
    would read every row."""
    rows = db.execute(
        "WITH RECURSIVE known (guild_id) AS ("  # noqa: S608  the table's name is the schema's own
        f" SELECT min(guild_id) FROM {table} WHERE guild_id > ?"
        f" UNION ALL SELECT (SELECT min(guild_id) FROM {table} WHERE guild_id > known.guild_id)"
        " FROM known WHERE guild_id IS NOT NULL)"
        " SELECT guild_id FROM known WHERE guild_id IS NOT NULL LIMIT ?",
        (after, MANY),
    )
    found = [guild_id for (guild_id,) in rows]
    return found, following(found, MANY)


def record_departure(db: sqlite3.Connection, guild_id: int, at: int) -> None:
    """Record when the bot left it, unless that is known."""
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


def guild_tables(db: sqlite3.Connection) -> list[str]:
    """The tables whose rows belong to servers, except those whose rows are deleted with their match."""
    found = db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall()
    columns = {name: {row[1] for row in db.execute(f"PRAGMA table_info({name})")} for (name,) in found}
    return [name for name, has in columns.items() if "guild_id" in has and "match_id" not in has]
