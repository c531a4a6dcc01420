"""Snapshots: copies of a whole database from a single moment."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.private_files import create, sync


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
