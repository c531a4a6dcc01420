"""Tables whose rows follow from others, and are kept to be found quickly: compared with what was counted again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from bot.store.queries.database import Connection, inserting
from bot.store.queries.servers import TABLES

Rows: TypeAlias = Mapping[Any, tuple[Any, ...]]
"""The rows of a table: the other values by those of the key."""


@dataclass(frozen=True, slots=True)
class Recounted:
    """The rows of a table as they should be, and the keys of those that differ or should not exist. `values` names the
    columns beside the key."""

    table: str
    values: tuple[str, ...]
    rows: Rows
    differing: tuple[tuple[Any, ...], ...]


def stored(db: Connection, table: str, values: tuple[str, ...]) -> Rows:
    """The rows of a table as they are kept."""
    key = TABLES[table]
    rows = db.execute(f"SELECT {', '.join((*key, *values))} FROM {table}")
    return {row[: len(key)]: row[len(key) :] for row in rows}


def compare(table: str, values: tuple[str, ...], rows: Rows, kept: Rows) -> Recounted:
    """Compare the rows of a table with those that are kept."""
    return Recounted(table, values, rows, tuple(key for key in {**rows, **kept} if rows.get(key) != kept.get(key)))


def correct(db: Connection, found: Recounted) -> None:
    """Replace the rows that differ."""
    key = TABLES[found.table]
    where = " AND ".join(f"{name} = ?" for name in key)
    db.executemany(f"DELETE FROM {found.table} WHERE {where}", found.differing)
    db.executemany(
        inserting(found.table, *key, *found.values),
        [(*each, *found.rows[each]) for each in found.differing if each in found.rows],
    )
