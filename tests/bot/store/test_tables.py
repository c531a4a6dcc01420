"""The tables whose rows belong to servers, as the program lists them, are those of the database."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.store.migrations import Migration, tables_of
from bot.store.queries import deleting, servers
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


STEPS = (
    Migration(1, "CREATE TABLE plain (\n    guild_id INTEGER,\n    user_id INTEGER  -- whom it names\n);", "coin"),
    Migration(
        2,
        "CREATE TABLE kept (\n    id TEXT,  -- of ours; not theirs\n    user_id INTEGER  -- replaced\n);",
        "coin",
    ),
    Migration(3, "ALTER TABLE kept ADD COLUMN tails INTEGER;\nCREATE TABLE other (\n    user_id INTEGER\n);", "coin"),
)


def test_a_table_says_behind_its_user_that_a_deletion_keeps_its_rows() -> None:
    assert {name for name, table in tables_of(STEPS).items() if table.replaces} == {"kept"}


def test_a_deletion_treats_by_name_only_tables_of_the_core() -> None:
    assert {servers.ALL[name].room for name in deleting.TREATED} == {"core"}
