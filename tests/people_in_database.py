"""Who is named in a text or a database file: people by their ids, as numbers and within texts, and by their names."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path


class Search:
    """Looks for people, who are given by their ids with their names."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self._names = names
        self._by_text = {str(user): user for user in names} | {name: user for user, name in names.items()}
        ids, called = "|".join(map(str, names)), "|".join(map(re.escape, names.values()))
        self._told = re.compile(rf"(?<!\d)(?:{ids})(?!\d)|(?<!\w)(?:{called})(?!\w)")

    def in_text(self, text: str) -> Iterable[int]:
        """Who is named in a text."""
        return [self._by_text[each] for each in self._told.findall(text)]

    def in_file(self, file: Path) -> dict[int, set[str]]:
        """Who is in a database file: for each the columns, as "table.column". Raises sqlite3.Error."""
        found: dict[int, set[str]] = {}
        with closing(sqlite3.connect(f"file:{file}?mode=ro&vfs=unix", uri=True)) as db:
            for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                cursor = db.execute(f'SELECT * FROM "{table}"')
                columns = [column for column, *_ in cursor.description]
                for row in cursor:
                    for column, cell in zip(columns, row, strict=True):
                        for user in self._in_cell(cell):
                            found.setdefault(user, set()).add(f"{table}.{column}")
        return found

    def _in_cell(self, cell: object) -> Iterable[int]:
        if isinstance(cell, int):
            return (cell,) if cell in self._names else ()
        return self.in_text(cell.decode(errors="replace") if isinstance(cell, bytes) else str(cell))
