"""Opens a database to correct what it keeps beside its results, while no bot has it open."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from bot.store.errors import NotSaved, StoreError
from bot.store.migrations import LATEST, migrations
from bot.store.sqlite.backup import verify_database
from bot.store.sqlite.instance_lock import InstanceLock
from bot.store.sqlite.reading import beside, connect_to
from bot.store.sqlite.result_codes import store_error
from bot.store.sqlite.schema import known_version


@contextmanager
def alone(database: Path) -> Iterator[sqlite3.Connection]:
    """A connection in a transaction, which is committed at the end.

    Raises InUse while a bot runs, Damaged for a damaged database, and StoreError, also for tables of an earlier
    version.
    """
    if not database.is_file():
        raise NotSaved(f"there is no database at {database}")
    lock = InstanceLock(beside(database, ".lock"))
    try:
        verify_database(database)
        with closing(connect_to(database, "mode=rw")) as connection:
            connection.execute("BEGIN IMMEDIATE")
            if known_version(connection, database, migrations()) < LATEST:
                raise StoreError(
                    f"the tables of {database} are of an earlier version: start the bot once, it brings them up to date"
                )
            yield connection
            connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise store_error(error, str(database)) or StoreError(f"the database {database} cannot be used") from error
    finally:
        lock.release()
