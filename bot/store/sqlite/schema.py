"""Opens a database file: configures it, checks that it is intact, and migrates its tables.

Migrations are the numbered files of a folder, `0001_foundation.sql` and so on. They are SQL, and may call the functions
of `bot.store.sqlite.migration_functions`. They only go forward; each is one transaction with its number in
`PRAGMA user_version`. So if the process is killed during one, the version before it is intact.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bot.private_files import create, sync, unfinished
from bot.store.errors import StoreError, TooNew
from bot.store.sqlite import migration_functions
from bot.store.sqlite.result_codes import damaged
from bot.store.sqlite.snapshot import copy_database

MIGRATIONS = Path(__file__).parent / "migrations"
CHECKED_UP_TO = 256 * 2**20
"""Files up to this many bytes are read to the end at every start (about a second), larger ones only before
migrations."""

_SYNC_FULL = 2


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the tables' history."""

    number: int
    sql: str


def migrations(folder: Path) -> tuple[Migration, ...]:
    """The folder's migrations in order. Raises ValueError unless they are numbered 1, 2, 3 and so on."""
    files = sorted(folder.glob("[0-9][0-9][0-9][0-9]_*.sql"))
    found = tuple(Migration(int(file.name[:4]), file.read_text("utf-8")) for file in files)
    if [step.number for step in found] != list(range(1, len(found) + 1)):
        raise ValueError(f"the migrations in {folder} are not numbered in a row")
    return found


def connect(path: Path, steps: tuple[Migration, ...], busy_timeout: int) -> sqlite3.Connection:
    """An open connection in autocommit mode, configured, checked, and migrated.

    `busy_timeout` is in milliseconds. Raises TooNew, Damaged, StoreError, sqlite3.Error.
    """
    create(path)  # it contains hands and seeds
    connection = sqlite3.connect(path, isolation_level=None, timeout=busy_timeout / 1000, cached_statements=256)
    try:
        version = version_of(connection)
        _refuse_newer(path, version, len(steps))
        _set(connection, busy_timeout)
        if version < len(steps) or path.stat().st_size <= CHECKED_UP_TO:
            _check(connection, path)
        if version < len(steps):
            _migrate(connection, path, version, steps)
        _read_back(connection, busy_timeout)
    except BaseException:
        connection.close()
        raise
    return connection


def checkpoint(connection: sqlite3.Connection) -> bool:
    """Move the WAL into the file and empty it; False if another program keeps it from being emptied.

    (https://www.sqlite.org/pragma.html#pragma_wal_checkpoint)
    """
    (busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy


def version_of(connection: sqlite3.Connection) -> int:
    """The number of the last migration the database went through; 0 for a new one."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _refuse_newer(path: Path, version: int, known: int) -> None:
    if version > known:
        raise TooNew(
            f"the database {path} has version {version}, and this program reads up to {known}: "
            "install the newer program again, or restore the backup made before its first start"
        )


def _set(connection: sqlite3.Connection, busy_timeout: int) -> None:
    connection.execute(f"PRAGMA busy_timeout = {busy_timeout:d}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = OFF")  # a migration may rebuild a table that others refer to


def _check(connection: sqlite3.Connection, path: Path) -> None:
    if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise damaged(str(path))


def _migrate(connection: sqlite3.Connection, path: Path, version: int, steps: tuple[Migration, ...]) -> None:
    if version > 0:
        _back_up(connection, path.with_name(f"{path.name}.v{version}.backup"))
    migration_functions.register(connection)
    for step in steps[version:]:
        connection.execute("BEGIN IMMEDIATE")
        try:
            for statement in _statements(step.sql):
                connection.execute(statement)
            _check_references(connection, step)
            connection.execute(f"PRAGMA user_version = {step.number:d}")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")


def _check_references(connection: sqlite3.Connection, step: Migration) -> None:
    if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
        raise StoreError(f"migration {step.number} leaves rows that refer to nothing")


def _statements(sql: str) -> Iterator[str]:
    """The statements of a script one by one: sqlite3's own `executescript` would first commit an open transaction."""
    lines: list[str] = []
    for line in sql.splitlines(keepends=True):
        lines.append(line)
        if sqlite3.complete_statement("".join(lines)):
            yield "".join(lines)
            lines.clear()
    if any(line.strip() and not line.lstrip().startswith("--") for line in lines):
        raise ValueError("a migration ends in the middle of a statement")


def _back_up(connection: sqlite3.Connection, to: Path) -> None:
    """Copy the whole database. The copy gets its name only once it is on the disk."""
    copy = unfinished(to)
    copy_database(connection, copy)
    copy.replace(to)
    sync(to.parent)


def _read_back(connection: sqlite3.Connection, busy_timeout: int) -> None:
    """Turn foreign keys on, and refuse to work with settings other than the required ones."""
    connection.execute("PRAGMA foreign_keys = ON")
    wanted = {"journal_mode": "wal", "synchronous": _SYNC_FULL, "foreign_keys": 1, "busy_timeout": busy_timeout}
    for name, value in wanted.items():
        found = connection.execute(f"PRAGMA {name}").fetchone()[0]
        if found != value:
            raise StoreError(f"the database is set to {name} = {found}, not {value}")
