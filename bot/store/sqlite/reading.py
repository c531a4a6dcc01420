"""Opens databases to be read only: not a byte of their files changes.

SQLite may write even for a reader. The first connection to a database that a killed process left rewrites its `-shm`
file, and the last one moves its WAL into the file and removes it. So a database that nobody uses is read through a
second name, beside which its WAL is copied.

A reader never checkpoints. SQLite before 3.51.3 can damage a database when one connection checkpoints while another
writes (https://www.sqlite.org/wal.html#walresetbug), so only the bot's one connection does either.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from bot.store.errors import Busy, NotSaved, StoreError
from bot.store.sqlite.instance_lock import lock_holder
from bot.store.sqlite.result_codes import store_error

BUSY_TIMEOUT: Final = 5.0
"""Seconds to wait for another program's lock."""


@contextlib.contextmanager
def open_existing(path: Path, *, is_mine: bool = False) -> Iterator[sqlite3.Connection]:
    """A connection that reads a database, which may be in use. It changes no file. Raises StoreError.

    `is_mine` as for `reading`.
    """
    if not path.is_file():
        raise NotSaved(f"there is no database at {path}")
    try:
        with reading(path, is_mine=is_mine) as connection:
            yield connection
    except sqlite3.Error as error:
        raise store_error(error, str(path)) or StoreError(f"the database {path} cannot be read") from error
    except OSError as error:
        raise NotSaved(f"the database {path} cannot be read ({error.strerror})") from error


@contextlib.contextmanager
def reading(path: Path, *, is_mine: bool = False) -> Iterator[sqlite3.Connection]:
    """A connection that reads a database file, with its WAL if there is one. Raises sqlite3.Error and OSError.

    `is_mine` says that the caller has the lock, and no connection to the database yet.
    """
    try:
        with _connected(path, is_mine=is_mine) as connection:
            yield connection
    except UnicodeDecodeError:  # SQLite quoted the schema in an error, and its text is damaged
        raise _damaged_schema() from None


@contextlib.contextmanager
def _connected(path: Path, *, is_mine: bool) -> Iterator[sqlite3.Connection]:
    file = path.resolve()  # SQLite has the WAL beside the file itself, and not beside a link to it
    if not is_mine and lock_holder(beside(path, ".lock")) is not None:
        with closing(connect_to(file, "mode=ro")) as connection:
            yield connection
    elif not _holds_anything(beside(file, "-wal")):
        with _left_alone(file), closing(connect_to(file, "mode=ro&immutable=1")) as connection:
            yield connection
    else:
        with _left_alone(file), _second_name(file) as name, closing(connect_to(name, "mode=ro")) as connection:
            yield connection


@contextlib.contextmanager
def _left_alone(file: Path) -> Iterator[None]:
    """Raise Busy if a file that nobody used was written meanwhile, as by a bot that was started: what was read from it
    may be of two moments."""
    before = _written_at(file)
    try:
        yield
    except (sqlite3.Error, StoreError):
        if _written_at(file) == before:
            raise
    if _written_at(file) != before:
        raise Busy(f"{file} was written while it was read: try again")


def _written_at(file: Path) -> tuple[int, int]:
    # By its name, because to close a file is to give up the locks that SQLite has on it in the same process.
    found = file.stat()
    return found.st_ino, found.st_mtime_ns


def connect_to(path: Path, mode: str, *, any_thread: bool = False) -> sqlite3.Connection:
    """A connection in autocommit mode; `mode` is the query of SQLite's file address (https://www.sqlite.org/uri.html).

    With `any_thread` another thread than this one may close it.
    """
    return sqlite3.connect(
        f"{path.resolve().as_uri()}?{mode}",
        uri=True,
        isolation_level=None,
        timeout=BUSY_TIMEOUT,
        check_same_thread=not any_thread,
    )


def _damaged_schema() -> sqlite3.DatabaseError:
    """What SQLite raises for a schema that it finds damaged."""
    error = sqlite3.DatabaseError("malformed database schema")
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    error.sqlite_errorname = "SQLITE_CORRUPT"
    return error


def beside(path: Path, suffix: str) -> Path:
    """The path of a file with a suffix added to its name."""
    return path.with_name(path.name + suffix)


def _holds_anything(wal: Path) -> bool:
    try:
        return wal.stat().st_size > 0
    except OSError:
        return False


@contextlib.contextmanager
def _second_name(path: Path) -> Iterator[Path]:
    """Another name of a database that nobody uses, in a folder of its own, with a copy of its WAL beside it."""
    with folder_near(path) as folder:
        name = Path(folder) / path.name
        try:
            os.link(path, name)
        except OSError:  # not every file system gives a file two names, and the folder may be on another one
            shutil.copyfile(path, name)
        shutil.copyfile(beside(path, "-wal"), beside(name, "-wal"))
        yield name


def folder_near(path: Path) -> tempfile.TemporaryDirectory[str]:
    """A folder, removed at the end, on the file system of a file if that can be written."""
    try:
        return tempfile.TemporaryDirectory(dir=path.parent, prefix=f"{path.name}.", suffix=".unfinished")
    except OSError:
        return tempfile.TemporaryDirectory(prefix="cardroom-")
