"""Whether a database has the tables that the migrations make: their columns, indexes and triggers.

One altered letter in the schema can make a column unknown or a trigger do nothing, and SQLite finds nothing wrong with
that. A start compares names, types and keys, and not the text, which versions of SQLite write differently.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import TypeAlias

Shape: TypeAlias = dict[tuple[str, str], tuple[object, ...]]
"""What SQLite says of each table and trigger, by its kind and name."""

_OURS = "SELECT type, name FROM sqlite_schema WHERE type = ? AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"


def shape_of(connection: sqlite3.Connection) -> Shape:
    """The shape of a database. Raises sqlite3.Error for a schema that cannot be read."""
    found: Shape = {}
    for kind, name in connection.execute(_OURS, ("table",)).fetchall():
        columns = connection.execute("SELECT * FROM pragma_table_xinfo(?)", (name,)).fetchall()
        indexes = connection.execute('SELECT name, "unique", origin, partial FROM pragma_index_list(?)', (name,))
        listed = [(*index, *_places(connection, index[0])) for index in indexes.fetchall()]
        found[kind, name] = (*columns, *sorted(listed))
    for kind, name in connection.execute(_OURS, ("trigger",)).fetchall():
        row = connection.execute("SELECT tbl_name, sql FROM sqlite_schema WHERE name = ?", (name,)).fetchone()
        found[kind, name] = tuple(_plain(text) for text in row)
    return found


def _places(connection: sqlite3.Connection, index: str) -> Sequence[tuple[object, ...]]:
    return connection.execute("SELECT * FROM pragma_index_xinfo(?)", (index,)).fetchall()


def text_of(connection: sqlite3.Connection) -> Shape:
    """The text of the schema, without what means nothing: line breaks and quotes. Raises sqlite3.Error."""
    rows = connection.execute(
        "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite!_stat%' ESCAPE '!'"
    ).fetchall()
    return {(kind, name): (table, _plain(text).replace('"', "")) for kind, name, table, text in rows}


def _plain(text: object) -> str:
    """A text without line breaks. In an altered schema there may be another value in its place."""
    return " ".join(str(text).split())


def lacks(shape: Shape, wanted: Shape) -> bool:
    """Whether a database lacks something of the wanted shape. It may have more, such as SQLite's own statistics."""
    return any(shape.get(key) != value for key, value in wanted.items())
