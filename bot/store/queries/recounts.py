"""Tables whose rows follow from others, and are kept to be found quickly: compared with what was counted again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from bot.store.queries.database import Connection, inserting
from bot.store.queries.servers import TABLES

Rows: TypeAlias = Mapping[tuple[Any, ...], tuple[Any, ...]]
"""Rows of a table that belong together, such as those of a person in a server: the other values by the rest of the
key."""


def stored(db: Connection, table: str, values: tuple[str, ...], of: tuple[Any, ...]) -> Rows:
    """The rows whose keys begin with the values `of`, as they are kept."""
    key = TABLES[table]
    which = " AND ".join(f"{name} = ?" for name in key[: len(of)])
    length = len(key) - len(of)
    rows = db.execute(f"SELECT {', '.join((*key[len(of) :], *values))} FROM {table} WHERE {which}", of)
    return {row[:length]: row[length:] for row in rows}


def differing(
    db: Connection, table: str, values: tuple[str, ...], of: tuple[Any, ...], rows: Rows, *, correct: bool
) -> int:
    """How many rows of those whose keys begin with the values `of` differ from the ones counted again, or should not
    exist. They are replaced if that is wanted."""
    kept = stored(db, table, values, of)
    wrong = [key for key in {**rows, **kept} if rows.get(key) != kept.get(key)]
    if wrong and correct:
        key = TABLES[table]
        where = " AND ".join(f"{name} = ?" for name in key)
        db.executemany(f"DELETE FROM {table} WHERE {where}", [(*of, *each) for each in wrong])
        db.executemany(inserting(table, *key, *values), [(*of, *each, *rows[each]) for each in wrong if each in rows])
    return len(wrong)
