"""Opens a database file: configures it, checks that it is intact, and migrates its tables.

Migrations (`bot.store.migrations`) only go forward; each is one transaction with its number in `PRAGMA user_version`,
and with the digest of all until then in `PRAGMA application_id`. So if the process is killed during one, the version
before it is intact.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeAlias

from bot.private_files import create, sync, unfinished
from bot.store.errors import OtherSchema, StoreError
from bot.store.migrations import Migration, adds, digest, refuse_others
from bot.store.sqlite.result_codes import damaged

CHECKED_UP_TO = 256 * 2**20
"""Files up to this many bytes are read to the end before play at every start, which takes half a second."""
CHECKED_AFTER_A_KILL_UP_TO = 2**30
"""Files up to this many bytes are also read before play, unless the last process ended cleanly: it takes some seconds.
What isn't read before play is read beside it."""

Shape: TypeAlias = dict[tuple[str, str], tuple[object, ...]]
"""What SQLite says of each table, index, view and trigger, by its kind and name."""

Text: TypeAlias = frozenset[tuple[str, str, str, object]]
"""The kind, name, table and words of each of them, and of the indexes that SQLite makes by itself."""

_SYNC_FULL = 2
_CHECKPOINT_AFTER = 400
"""Pages of the WAL after which SQLite moves them into the file with the commit. It takes about 6 ms, and 10 for the
thousand pages that SQLite would wait for."""


def connect(path: Path, steps: tuple[Migration, ...], busy_timeout: int, *, check: bool = True) -> sqlite3.Connection:
    """An open connection in autocommit mode, configured, checked, and migrated.

    `busy_timeout` is in milliseconds. `check` says whether to read the whole file even if it needs no migration.
    Raises TooNew, OtherSchema, Damaged, StoreError, sqlite3.Error.
    """
    create(path)  # it contains hands and seeds
    connection = sqlite3.connect(
        path, isolation_level=None, timeout=busy_timeout / 1000, cached_statements=256, factory=_Connection
    )
    try:
        version = _examine(connection, path, steps, busy_timeout, check=check)
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


def _examine(
    connection: sqlite3.Connection, path: Path, steps: tuple[Migration, ...], busy_timeout: int, *, check: bool
) -> int:
    """Configure a connection, check the database, and return the version of its tables.

    Raises TooNew, OtherSchema, Damaged, sqlite3.Error.
    """
    version = examine_schema(connection, path, steps)
    with _faults_are_damage(path):
        _set(connection, busy_timeout)
        if version < len(steps) or check:
            check_file(connection, path)
    return version


def examine_schema(connection: sqlite3.Connection, path: Path, steps: tuple[Migration, ...]) -> int:
    """The version of a database's tables, which are those of that version; 0 if there are none. It changes nothing.

    Raises TooNew, OtherSchema, Damaged, sqlite3.Error.
    """
    with _faults_are_damage(path):
        version = known_version(connection, path, steps)
        _check_schema(connection, path, version, steps)
    return version


@contextlib.contextmanager
def _faults_are_damage(path: Path) -> Iterator[None]:
    """Raise Damaged where SQLite finds a fault in a statement, because the statements here have none of their own."""
    try:
        yield
    except UnicodeDecodeError:  # SQLite quoted the schema in an error, and its text is damaged
        raise damaged(str(path)) from None
    except sqlite3.OperationalError as error:
        # There is no code where Python's own module could not decode a name in the schema.
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) == sqlite3.SQLITE_ERROR:
            raise damaged(str(path)) from error
        raise


class _Connection(sqlite3.Connection):
    """Reads a text that is no longer UTF-8 with marks where it was damaged, as other altered texts are read.

    Otherwise one altered byte would keep all rows from being read, and SQLite's module would raise the text itself as
    an error, which must not reach a log.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.text_factory = partial(str, encoding="utf-8", errors="replace")


def version_of(connection: sqlite3.Connection) -> int:
    """The number of the last migration the database went through; 0 for a new one."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def known_version(connection: sqlite3.Connection, path: Path, steps: tuple[Migration, ...]) -> int:
    """The same, of a database that these migrations made. Raises TooNew and OtherSchema for another one."""
    version = version_of(connection)
    if version > 0:
        (kept,) = connection.execute("PRAGMA application_id").fetchone()
        refuse_others(f"the database {path}", version, int(kept), steps)
    return version


def _set(connection: sqlite3.Connection, busy_timeout: int) -> None:
    connection.execute(f"PRAGMA busy_timeout = {busy_timeout:d}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_AFTER:d}")
    connection.execute("PRAGMA foreign_keys = OFF")  # a migration may rebuild a table that others refer to


def check_file(connection: sqlite3.Connection, path: Path) -> None:
    """Read a database's file to its end. Raises Damaged if its pages do not fit together, and sqlite3.Error."""
    if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise damaged(str(path))


def _check_schema(connection: sqlite3.Connection, path: Path, version: int, steps: tuple[Migration, ...]) -> None:
    """Raise Damaged and OtherSchema unless the schema is exactly what the migrations up to a version make."""
    if version < 0:
        raise damaged(str(path))
    wanted, text = _made_by(steps[:version])
    if _text_of(connection) == text:  # then it has their shape too, which takes twenty times as long to read
        return
    shape = _shape_of(connection)
    added = sorted(shape.keys() - wanted.keys())
    if added and version > 0 and wanted.keys() <= shape.keys():
        raise OtherSchema(f"the database {path} {adds(*added[0])}")
    if shape != wanted:
        raise damaged(str(path))


def has_altered_schema(connection: sqlite3.Connection, steps: tuple[Migration, ...]) -> bool:
    """Whether the text of the schema isn't what these migrations make of it: a rule for rows may be lost, for example.

    This is for `cardroom check`. It is too strict for a start: another version of SQLite may have written the same
    rules in other words.
    """
    _, wanted = _made_by(steps)
    return _loosely(_text_of(connection)) != _loosely(wanted)


@cache
def _made_by(steps: tuple[Migration, ...]) -> tuple[Shape, Text]:
    """The shape and the text of the tables that migrations make, in an empty database in memory.

    They are kept, since making them takes as long as all else at the start of a small bot, which looks twice.
    """
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        for step in steps:
            for statement in _statements(step.sql):
                fresh.execute(statement)
        return _shape_of(fresh), _text_of(fresh)


def _migrate(connection: sqlite3.Connection, path: Path, version: int, steps: tuple[Migration, ...]) -> None:
    if version > 0:
        _back_up(connection, path.with_name(f"{path.name}.v{version}.backup"))
    for step in steps[version:]:
        connection.execute("BEGIN IMMEDIATE")
        try:
            for statement in _statements(step.sql):
                connection.execute(statement)
            _check_references(connection, step)
            connection.execute(f"PRAGMA user_version = {step.number:d}")
            connection.execute(f"PRAGMA application_id = {digest(steps[: step.number]):d}")
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


def copy_database(connection: sqlite3.Connection, to: Path) -> None:
    """Copy a whole database into a new file that needs no journal beside it, and wait until it is on the disk.

    SQLite's backup (https://www.sqlite.org/backup.html) reads everything in one step and one transaction, so writers do
    not wait and no write is copied in part. Raises OSError and sqlite3.Error.
    """
    create(to)
    with closing(sqlite3.connect(to, isolation_level=None)) as copy:
        connection.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
    sync(to)


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


# ------------------------------------------------------------------------------ the shape of the tables

# One altered letter in the schema can make a column unknown or a trigger do nothing, and SQLite finds nothing wrong
# with that. Where the text is another one, which versions of SQLite write differently, a start compares names, types
# and keys.

_OURS = "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'"
"""All but what SQLite makes by itself, such as its statistics."""


def _shape_of(connection: sqlite3.Connection) -> Shape:
    """The shape of a database. Raises sqlite3.Error for a schema that cannot be read."""
    found: Shape = {}
    for kind, name, table, text in connection.execute(_OURS).fetchall():
        if kind == "table":
            found[kind, name] = _shape_of_one(connection, name)
        elif kind == "trigger":
            found[kind, name] = (_plain(table), _plain(text))
        else:  # an index belongs to the shape of its table
            found[kind, name] = (_plain(table),)
    return found


def _shape_of_one(connection: sqlite3.Connection, name: str) -> tuple[object, ...]:
    columns = connection.execute("SELECT * FROM pragma_table_xinfo(?)", (name,)).fetchall()
    references = connection.execute("SELECT * FROM pragma_foreign_key_list(?)", (name,)).fetchall()
    options = connection.execute("SELECT wr, strict FROM pragma_table_list WHERE schema = 'main' AND name = ?", (name,))
    indexes = connection.execute('SELECT name, "unique", origin, partial FROM pragma_index_list(?)', (name,))
    listed = [(*index, *_parts(connection, index[0])) for index in indexes.fetchall()]
    return (*columns, *sorted(references), *options.fetchall(), *sorted(listed))


def _parts(connection: sqlite3.Connection, index: str) -> Sequence[tuple[object, ...]]:
    return connection.execute("SELECT * FROM pragma_index_xinfo(?)", (index,)).fetchall()


def _text_of(connection: sqlite3.Connection) -> Text:
    """The text of the schema. Raises sqlite3.Error."""
    return frozenset(
        connection.execute(
            "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite!_stat%' ESCAPE '!'"
        )
    )


def _loosely(text: Text) -> Shape:
    """A text without what means nothing: line breaks and quotes."""
    return {(kind, name): (table, _plain(words).replace('"', "")) for kind, name, table, words in text}


def _plain(text: object) -> str:
    """A text without line breaks. In an altered schema there may be another value in its place."""
    return " ".join(str(text).split())
