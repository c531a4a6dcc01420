"""Pages of long lists: `Database.read_all` reads one by one, and moves are saved in between."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Sequence
from typing import Any, Final, TypeAlias, TypeVar

from bot.store.queries.connection import Connection

T = TypeVar("T")
K = TypeVar("K")

FEW: Final = 30
"""How many rows a page has that costs some 40 us for each, such as matches with their seats."""
MANY: Final = 250
"""How many rows a page has that costs some 4 us for each."""
CHANGED: Final = 40
"""How many rows one slice of a deletion changes: up to 25 us each, and most where they are far apart."""

LEAST: Final = -(2**63)
"""The least integer of a database: a list of numbers begins after it."""
NEWEST: Final = 2**62
"""A number or moment after all others."""

Page: TypeAlias = tuple[list[T], K | None]
"""The rows of a page, and the key after which the next one begins; None after the last page."""


def following(keys: Sequence[K], most: int) -> K | None:
    """The key after which the next page begins, from the keys that a page of at most `most` rows has."""
    return keys[-1] if len(keys) == most else None


def fetch_texts(db: Connection, statement: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
    """All rows of a statement, read faster on SQLite if no text in them is damaged (`bot.store.sqlite.schema`)."""
    if not isinstance(db, sqlite3.Connection):
        return db.execute(statement, values).fetchall()
    damaged_texts = db.text_factory
    db.text_factory = str
    try:
        with contextlib.suppress(sqlite3.OperationalError):  # if it isn't because of a text, it is raised below
            return db.execute(statement, values).fetchall()
    finally:
        db.text_factory = damaged_texts
    return db.execute(statement, values).fetchall()


def delete_some(db: Connection, table: str, key: Sequence[str], which: str, *values: object, most: int) -> int:
    """Delete at most this many of the rows of which a condition is true, and return how many.

    Each is found by its key: where the key has several columns, SQLite reads more than these rows for one statement.
    """
    columns = ", ".join(key)
    found = db.execute(f"SELECT {columns} FROM {table} WHERE {which} LIMIT ?", (*values, most)).fetchall()
    db.executemany(f"DELETE FROM {table} WHERE {' AND '.join(f'{name} = ?' for name in key)}", found)
    return len(found)
