"""Who is in a database file: people by their ids, as numbers and within texts, and by their names."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path


def people_in(file: Path, names: Mapping[int, str]) -> dict[int, set[str]]:
    """Which of these people, given with their names, are in a file: for each the columns, as "table.column"."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro&vfs=unix", uri=True)) as db:
        return _found(db, names)


def _found(db: sqlite3.Connection, names: Mapping[int, str]) -> dict[int, set[str]]:
    by_text = {str(user): user for user in names} | {name: user for user, name in names.items()}
    ids, called = "|".join(map(str, names)), "|".join(map(re.escape, names.values()))
    told = re.compile(rf"(?<!\d)(?:{ids})(?!\d)|(?<!\w)(?:{called})(?!\w)")
    found: dict[int, set[str]] = {}
    for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        cursor = db.execute(f'SELECT * FROM "{table}"')
        columns = [column for column, *_ in cursor.description]
        for row in cursor:
            for column, cell in zip(columns, row, strict=True):
                for user in _people_of(cell, names, by_text, told):
                    found.setdefault(user, set()).add(f"{table}.{column}")
    return found


def _people_of(
    cell: object, names: Mapping[int, str], by_text: Mapping[str, int], told: re.Pattern[str]
) -> Iterable[int]:
    if isinstance(cell, int):
        return (cell,) if cell in names else ()
    text = cell.decode(errors="replace") if isinstance(cell, bytes) else str(cell)
    return [by_text[each] for each in told.findall(text)]
