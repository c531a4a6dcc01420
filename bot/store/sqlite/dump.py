"""A whole database as JSON lines, and back again.

The first line describes the dump, the last counts the rows, and each line between them is a row::

    {"cardroom": "dump", "format": 1, "tables": 1}
    {"table": "names", "row": {"guild_id": 7, "user_id": 8, "name": "Ann"}}
    {"rows": 1}

`tables` is the version of the tables, whose migration files say what each column means. Values are JSON's own; bytes
are ``{"hex": "00ff"}``. Tables come in the order in which they were created, so that no row refers to a later one.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final, TypeAlias

from bot.private_files import sync, unfinished
from bot.store.errors import NotSaved
from bot.store.sqlite.backup import LATEST, put_in_place, verify_copy
from bot.store.sqlite.instance_lock import InstanceLock
from bot.store.sqlite.reading import beside, open_existing
from bot.store.sqlite.schema import MIGRATIONS, connect, migrations, version_of

FORMAT: Final = 1
BUSY_TIMEOUT: Final = 5000
"""Milliseconds."""

FILLED_WHEN_NEW: Final = frozenset({"progress"})
"""The tables in which a new database has a row."""

Columns: TypeAlias = dict[str, tuple[str, ...]]
"""The columns of every table, both in the order in which they were created."""


class NotADumpError(Exception):
    """A line of a dump is wrong. The message is one line, with the line's number and without a value."""

    def __init__(self, line: int, what: str = "is not part of a dump") -> None:
        super().__init__(f"line {line} {what}")


def dump_lines(database: Path) -> Iterator[str]:
    """The lines of a dump with their line breaks, all from the same moment. The database may be in use. Raises
    StoreError, also for a database without tables: what it held is lost, and an empty dump would hide that."""
    with open_existing(database) as connection:
        connection.execute("BEGIN")  # all that follows sees the same moment
        version = version_of(connection)
        if version == 0:
            raise NotSaved(f"the database {database} is empty")
        yield _line({"cardroom": "dump", "format": FORMAT, "tables": version})
        rows = 0
        for table, columns in _columns(connection).items():
            for values in connection.execute(f"SELECT * FROM {table}"):  # noqa: S608  the name is the schema's own
                row = {name: _written(value) for name, value in zip(columns, values, strict=True)}
                yield _line({"table": table, "row": row})
                rows += 1
        yield _line({"rows": rows})


def load_dump(lines: Iterable[str], database: Path) -> tuple[int, Path | None]:
    """Create the database from a dump. Returns the number of rows, and where the old, empty database is, if there was
    one.

    A dump from an earlier version is loaded into tables of that version, which are then migrated. Raises NotADumpError,
    InUse while a bot runs, NotSaved if the database is not empty, and OSError.
    """
    lock = InstanceLock(beside(database, ".lock"))
    try:
        _refuse_unless_empty(database)
        fresh = unfinished(database)
        try:
            rows = _fill(fresh, lines)
            verify_copy(fresh)
            return rows, put_in_place(fresh, database)
        finally:
            for rest in fresh.parent.glob(f"{fresh.name}*"):
                rest.unlink(missing_ok=True)
    finally:
        lock.release()


def _refuse_unless_empty(database: Path) -> None:
    if not database.exists():
        return
    with open_existing(database) as connection:
        for table in _columns(connection).keys() - FILLED_WHEN_NEW:
            if connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone():  # noqa: S608  the schema's own name
                raise NotSaved(f"{database} is not empty; move it away first")


def _fill(fresh: Path, lines: Iterable[str]) -> int:
    numbered = _numbered(lines)
    number, first = next(numbered, (1, None))
    match first:
        case {"cardroom": "dump", "format": 1, "tables": int(version)} if 0 < version <= LATEST:
            pass
        case {"cardroom": "dump"}:
            raise NotADumpError(number, "is from a later version: load it with the newer program")
        case _:
            raise NotADumpError(number)
    steps = migrations(MIGRATIONS)
    with closing(connect(fresh, steps[:version], BUSY_TIMEOUT)) as connection:
        rows = _insert_all(connection, numbered)
    with closing(connect(fresh, steps, BUSY_TIMEOUT)) as connection:  # migrates the tables
        connection.execute("PRAGMA journal_mode = DELETE")
    sync(fresh)
    return rows


def _insert_all(connection: sqlite3.Connection, numbered: Iterator[tuple[int, Any]]) -> int:
    """Insert all rows in one transaction and return how many. An error names the line of a row that breaks a
    constraint."""
    tables = _columns(connection)
    connection.execute("BEGIN")
    for table in tables:  # a migration may have put the first rows in
        connection.execute(f"DELETE FROM {table}")  # noqa: S608  the schema's own name
    connection.execute("PRAGMA defer_foreign_keys = ON")
    rows = 0
    number = 1
    for number, line in numbered:
        match line:
            case {"rows": int(stated)} if stated == rows:
                break
            case {"table": str(table), "row": dict(row)} if table in tables and row.keys() == set(tables[table]):
                _insert(connection, table, row, number)
                rows += 1
            case _:
                raise NotADumpError(number)
    else:
        raise NotADumpError(number, "is the last, but the dump has no end: it was cut off")
    if next(numbered, None) is not None:
        raise NotADumpError(number + 1, "comes after the end of the dump")
    if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
        raise NotADumpError(number, "ends a dump in which a row refers to a missing one")
    connection.execute("COMMIT")
    return rows


def _insert(connection: sqlite3.Connection, table: str, row: dict[str, Any], number: int) -> None:
    names = ", ".join(row)
    places = ", ".join("?" * len(row))
    try:
        values = [_read(value) for value in row.values()]
        # Table and columns were compared with the schema's.
        connection.execute(f"INSERT INTO {table} ({names}) VALUES ({places})", values)  # noqa: S608  as said above
    except (sqlite3.IntegrityError, sqlite3.DataError, ValueError, OverflowError):
        raise NotADumpError(number, "has a row that the database refuses") from None


def _numbered(lines: Iterable[str]) -> Iterator[tuple[int, Any]]:
    number = 0
    try:
        for number, line in enumerate(lines, 1):
            yield number, json.loads(line)
    except (ValueError, RecursionError):  # including a text that is not UTF-8
        raise NotADumpError(max(number, 1)) from None


def _columns(connection: sqlite3.Connection) -> Columns:
    names = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY rowid"
    ).fetchall()
    return {
        name: tuple(column for (column,) in connection.execute("SELECT name FROM pragma_table_info(?)", (name,)))
        for (name,) in names
    }


def _line(value: object) -> str:
    return f"{json.dumps(value, separators=(',', ':'))}\n"


def _written(value: object) -> object:
    return {"hex": value.hex()} if isinstance(value, bytes) else value


def _read(value: Any) -> Any:
    """A value for the database. Raises ValueError for a value that no dump contains."""
    match value:
        case {"hex": str(digits)} if len(value) == 1:
            return bytes.fromhex(digits)
        case bool() | dict() | list():
            raise ValueError("no value of a row")
    return value
