"""Writes a whole SQLite database as the lines of a dump (`bot.store.dump_format`), and makes one from them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from bot.private_files import sync, unfinished
from bot.store.dump_format import FILLED_WHEN_NEW, Columns, DumpReader, NotADumpError, Row, refused, written
from bot.store.errors import NotSaved, StoreError
from bot.store.migrations import LATEST, migrations
from bot.store.sqlite.backup import put_in_place, verify_copy
from bot.store.sqlite.instance_lock import InstanceLock
from bot.store.sqlite.reading import beside, open_existing
from bot.store.sqlite.result_codes import store_error
from bot.store.sqlite.schema import connect, known_version

BUSY_TIMEOUT: Final = 5000
"""Milliseconds."""


def dump_lines(database: Path) -> Iterator[str]:
    """The lines of a dump with their line breaks, all from the same moment. The database may be in use. Raises
    StoreError, also for a database without tables: what it held is lost, and an empty dump would hide that."""
    with open_existing(database) as connection:
        connection.execute("BEGIN")  # all that follows sees the same moment
        version = known_version(connection, database, migrations())
        if version == 0:
            raise NotSaved(f"the database {database} is empty")
        yield from written(
            version,
            _columns(connection),
            lambda table: connection.execute(f"SELECT * FROM {table}"),  # noqa: S608  the name is the schema's own
        )


def load_dump(lines: Iterable[str], database: Path) -> tuple[int, Path | None]:
    """Create the database from a dump. Returns the number of rows, and where the old, empty database is, if there was
    one.

    A dump from an earlier version is loaded into tables of that version, which are then migrated. Raises NotADumpError,
    InUse while a bot runs, NotSaved if the database is not empty or the disk refuses, and OSError.
    """
    lock = InstanceLock(beside(database, ".lock"))
    try:
        _refuse_unless_empty(database)
        fresh = unfinished(database)
        try:
            rows = _fill(fresh, lines)
            verify_copy(fresh)
            return rows, put_in_place(fresh, database)
        except sqlite3.Error as error:
            raise store_error(error, str(fresh)) or StoreError(f"{database} cannot be made") from error
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
    reader = DumpReader(lines, LATEST)
    steps = migrations()
    with closing(connect(fresh, steps[: reader.tables], BUSY_TIMEOUT)) as connection:
        _insert_all(connection, reader)
    with closing(connect(fresh, steps, BUSY_TIMEOUT)) as connection:  # migrates the tables
        connection.execute("PRAGMA journal_mode = DELETE")
    sync(fresh)
    return reader.rows


def _insert_all(connection: sqlite3.Connection, reader: DumpReader) -> None:
    """Insert all rows in one transaction. An error names the line of a row that breaks a constraint."""
    tables = _columns(connection)
    connection.execute("BEGIN")
    for table in tables:  # a migration may have put the first rows in
        connection.execute(f"DELETE FROM {table}")  # noqa: S608  the schema's own name
    connection.execute("PRAGMA defer_foreign_keys = ON")
    for row in reader.read(tables):
        _insert(connection, row)
    if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
        raise NotADumpError(reader.line, "ends a dump in which a row refers to a missing one")
    connection.execute("COMMIT")


def _insert(connection: sqlite3.Connection, row: Row) -> None:
    names = ", ".join(f'"{name}"' for name in row.values)
    placeholders = ", ".join("?" * len(row.values))
    try:
        # Table and columns were compared with the schema's.
        connection.execute(
            f"INSERT INTO {row.table} ({names}) VALUES ({placeholders})",  # noqa: S608  as said above
            tuple(row.values.values()),
        )
    except (sqlite3.IntegrityError, sqlite3.DataError, ValueError, OverflowError):
        raise refused(row.line) from None


def _columns(connection: sqlite3.Connection) -> Columns:
    names = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY rowid"
    ).fetchall()
    return {
        name: tuple(column for (column,) in connection.execute("SELECT name FROM pragma_table_info(?)", (name,)))
        for (name,) in names
    }
