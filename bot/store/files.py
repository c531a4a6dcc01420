"""Files that hold hands and seeds: for the owner's eyes only, and under their name only when they are whole."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path


def create(path: Path) -> None:
    """Make the file where there is none, for the owner's eyes only. Raises OSError."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))


def unfinished(path: Path) -> Path:
    """Where a file is written until it is whole; nothing is there yet."""
    name = path.with_name(f"{path.name}.unfinished")
    name.unlink(missing_ok=True)
    return name


def copy_database(connection: sqlite3.Connection, to: Path) -> None:
    """Copy a database whole, all of one moment, into a new file that needs no journal beside it, and onto the disk.

    One step of SQLite's backup (https://www.sqlite.org/backup.html) reads in one transaction, so nobody who writes
    meanwhile waits or is seen by halves. Raises OSError and sqlite3.Error.
    """
    create(to)
    with closing(sqlite3.connect(to, isolation_level=None)) as copy:
        connection.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
    sync(to)


def sync(path: Path) -> None:
    """Have a file, or a folder's names, on the disk before going on. Raises OSError."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
