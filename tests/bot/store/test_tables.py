"""The tables whose rows belong to servers, as the program lists them, are those of the database."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.store.queries import servers
from tests import new_database


def test_every_table_of_servers_is_listed_with_its_key(tmp_path: Path) -> None:
    """Otherwise purges leave its rows."""
    new_database.lay_out(tmp_path / "cardroom.db")
    with closing(sqlite3.connect(tmp_path / "cardroom.db")) as db:
        found = {}
        for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
            columns = db.execute("SELECT name, pk FROM pragma_table_info(?)", (name,)).fetchall()
            names = {column for column, _ in columns}
            if "guild_id" in names and "match_id" not in names:
                found[name] = tuple(column for column, place in sorted(columns, key=lambda each: each[1]) if place)
    assert found == servers.TABLES
