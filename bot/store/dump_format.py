"""The lines of a dump: a whole database as JSON lines, the same for every kind of store.

The first line describes the dump, the last ends it, and each line between them is a row::

    {"cardroom": "dump", "format": 1, "tables": 1}
    {"table": "names", "row": {"guild_id": 7, "user_id": 8, "name": "Ann"}}
    {"rows": 1, "sha256": "…"}

`tables` is the version of the SQLite store's tables (`bot/store/sqlite/migrations`), whose files say what each column
means. A PostgreSQL store has the same tables and columns. Values are JSON's own; bytes are ``{"hex": "00ff"}``. The
rows of a table stand together, and a table comes after those that it refers to. `sha256` is that of all lines before
the last, each with one line feed. Dumps that were written before there was PostgreSQL have none.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from typing import Any, Final, TypeAlias

FORMAT: Final = 1

FILLED_WHEN_NEW: Final = frozenset({"progress"})
"""The tables in which a new database has a row."""

Columns: TypeAlias = dict[str, tuple[str, ...]]
"""The columns of every table, in the order in which a dump has the tables."""


class NotADumpError(Exception):
    """A line of a dump is wrong. The message is one line, with the line's number and without a value."""

    def __init__(self, line: int, what: str = "is not part of a dump") -> None:
        super().__init__(f"line {line} {what}")


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table, with the number of its line."""

    line: int
    table: str
    values: dict[str, Any]
    """By the column's name, as they are stored."""


def written(version: int, columns: Columns, rows: Callable[[str], Iterable[Iterable[object]]]) -> Iterator[str]:
    """The lines of a dump, each with its line feed. `version` is that of the tables, and `rows` gives those of one."""
    digest, lines = sha256(), 0
    first = _line({"cardroom": "dump", "format": FORMAT, "tables": version})
    for line in chain([first], _row_lines(columns, rows)):
        digest.update(line.encode("ascii"))
        lines += 1
        yield line
    yield _line({"rows": lines - 1, "sha256": digest.hexdigest()})


def _row_lines(columns: Columns, rows: Callable[[str], Iterable[Iterable[object]]]) -> Iterator[str]:
    for table, names in columns.items():
        for values in rows(table):
            row = {name: _written(value) for name, value in zip(names, values, strict=True)}
            yield _line({"table": table, "row": row})


class DumpReader:
    """Reads the lines of a dump one by one. It raises NotADumpError for whatever is wrong with them."""

    def __init__(self, lines: Iterable[str], latest: int) -> None:
        """Read the first line. `latest` is the last version of the tables that the program knows."""
        self._digest = sha256()
        self._numbered = self._parsed(lines)
        self.line, first = next(self._numbered, (1, None))
        """The number of the line that was read last."""
        match first:
            case {"cardroom": "dump", "format": 1, "tables": int(version)} if 0 < version <= latest:
                self.tables = version
                """The version of the tables."""
            case {"cardroom": "dump"}:
                raise NotADumpError(self.line, "is from a later version: load it with the newer program")
            case _:
                raise NotADumpError(self.line)
        self.rows = 0
        """How many rows were read."""

    def read(self, columns: Columns) -> Iterator[Row]:
        """The rows to the end of the dump, which must be whole. All must be of these tables, with all their columns."""
        for number, line in self._numbered:
            self.line = number
            match line:
                case {"rows": int(stated)} if stated == self.rows:
                    self._check_end(line.get("sha256"))
                    return
                case {"table": str(table), "row": dict(row)} if row.keys() == set(columns.get(table, ())):
                    yield Row(self.line, table, {name: self._value(value) for name, value in row.items()})
                    self.rows += 1
                case _:
                    raise NotADumpError(self.line)
        raise NotADumpError(self.line, "is the last, but the dump has no end: it was cut off")

    def _check_end(self, stated: object) -> None:
        if stated is not None and stated != self._digest.hexdigest():
            raise NotADumpError(self.line, "states another checksum: a line before it was altered")
        if next(self._numbered, None) is not None:
            raise NotADumpError(self.line + 1, "comes after the end of the dump")

    def _value(self, value: Any) -> Any:
        match value:
            case {"hex": str(digits)} if len(value) == 1:
                try:
                    return bytes.fromhex(digits)
                except ValueError:
                    raise refused(self.line) from None
            case bool() | dict() | list():
                raise refused(self.line)
        return value

    def _parsed(self, lines: Iterable[str]) -> Iterator[tuple[int, Any]]:
        number, before = 0, b""
        try:
            for number, line in enumerate(lines, 1):
                self._digest.update(before)  # a line counts once the next is read, for the last states the rest's
                before = line.rstrip("\r\n").encode() + b"\n"
                yield number, json.loads(line)
        except (ValueError, RecursionError):  # including a text that is not UTF-8
            raise NotADumpError(max(number, 1)) from None


def refused(line: int) -> NotADumpError:
    """The error for a row that the database does not take."""
    return NotADumpError(line, "has a row that the database refuses")


def _line(value: object) -> str:
    return f"{json.dumps(value, separators=(',', ':'))}\n"


def _written(value: object) -> object:
    return {"hex": value.hex()} if isinstance(value, bytes) else value
