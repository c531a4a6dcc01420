"""Recalculates standings from the results. Comparing works at any time, rewriting only while the bot is stopped."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.store.errors import NotSaved, StoreError
from bot.store.queries import standings
from bot.store.queries.profiles import counted_results
from bot.store.queries.standings import Recount
from bot.store.sql.deleting import finish
from bot.store.sqlite.backup import LATEST, verify_database
from bot.store.sqlite.instance_lock import InstanceLock
from bot.store.sqlite.reading import connect_to, open_existing
from bot.store.sqlite.result_codes import store_error
from bot.store.sqlite.schema import version_of


def recount_standings(database: Path) -> Recount:
    """Compare the standings with the recalculated ones. The database may be in use.

    Raises StoreError, also for tables of an earlier version: a start brings them up to date.
    """
    with open_existing(database) as connection:
        connection.execute("BEGIN")  # results and standings from the same moment
        _refuse_older(database, connection)
        return standings.recount(connection)


def rebuild_standings(database: Path) -> Recount:
    """Replace, in one transaction, the standings that differ from the recalculated ones, and all that is kept for
    profiles. Returns the comparison of the standings.

    Raises InUse while a bot runs, Damaged for a damaged database, and StoreError.
    """
    if not database.is_file():
        raise NotSaved(f"there is no database at {database}")
    lock = InstanceLock(database.with_name(f"{database.name}.lock"))
    try:
        verify_database(database)
        with closing(connect_to(database, "mode=rw")) as connection:
            connection.execute("BEGIN IMMEDIATE")
            _refuse_older(database, connection)
            finish(connection)
            found = standings.recount(connection)
            standings.replace_differing(connection, found)
            counted_results.rebuild(connection)
            connection.execute("COMMIT")
            return found
    except sqlite3.Error as error:
        raise store_error(error, str(database)) or StoreError(f"the database {database} cannot be used") from error
    finally:
        lock.release()


def _refuse_older(database: Path, connection: sqlite3.Connection) -> None:
    if version_of(connection) < LATEST:
        raise StoreError(
            f"the tables of {database} are of an earlier version: start the bot once, it brings them up to date"
        )
