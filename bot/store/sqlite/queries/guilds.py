"""Servers: which are known, which we were removed from, and forgetting all of one."""

from __future__ import annotations

import sqlite3


def known(db: sqlite3.Connection) -> set[int]:
    """Every server that some row names, departures aside."""
    names = [name for name in _tables(db) if name != "departures"]
    select = " UNION ".join(f"SELECT guild_id FROM {name}" for name in names)  # noqa: S608  the schema's own
    return {guild_id for (guild_id,) in db.execute(select)}


def depart(db: sqlite3.Connection, guild_id: int, at: int) -> None:
    """Note since when we are in it no more, unless that is known."""
    db.execute("INSERT OR IGNORE INTO departures (guild_id, at) VALUES (?, ?)", (guild_id, at))


def come_back(db: sqlite3.Connection, guild_id: int) -> None:
    """Forget the departure."""
    db.execute("DELETE FROM departures WHERE guild_id = ?", (guild_id,))


def departures(db: sqlite3.Connection) -> dict[int, int]:
    """Since when we are in which servers no more."""
    return dict(db.execute("SELECT guild_id, at FROM departures").fetchall())


def purge(db: sqlite3.Connection, guild_id: int) -> None:
    """Delete every row that names the server, in every table that has such rows.

    A match takes along what hangs on it, found by its id: to look for the server in the log would read all of it.
    """
    for name in ("matches", *_tables(db)):
        db.execute(f"DELETE FROM {name} WHERE guild_id = ?", (guild_id,))  # noqa: S608  the schema's own name


def _tables(db: sqlite3.Connection) -> list[str]:
    """Those whose rows belong to servers, but for those that hang on a match and go with it."""
    found = db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall()
    columns = {name: {row[1] for row in db.execute(f"PRAGMA table_info({name})")} for (name,) in found}
    return [name for name, has in columns.items() if "guild_id" in has and "match_id" not in has]
