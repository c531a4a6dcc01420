"""Recalculates standings from the results. Comparing works at any time, rewriting only while the bot is stopped."""

from __future__ import annotations

from pathlib import Path

from bot.store.errors import NotSaved
from bot.store.sqlite.backup import open_existing, verify_database
from bot.store.sqlite.instance_lock import InstanceLock
from bot.store.sqlite.queries import standings
from bot.store.sqlite.queries.standings import Recount


def recount_standings(database: Path) -> Recount:
    """Compare the standings with the recalculated ones. The database may be in use. Raises StoreError."""
    with open_existing(database) as connection:
        connection.execute("BEGIN")  # results and standings from the same moment
        return standings.recount(connection)


def rebuild_standings(database: Path) -> Recount:
    """Replace, in one transaction, the standings that differ from the recalculated ones. Returns the comparison.

    Raises InUse while a bot runs, Damaged for a damaged database, and StoreError.
    """
    if not database.is_file():
        raise NotSaved(f"there is no database at {database}")
    lock = InstanceLock(database.with_name(f"{database.name}.lock"))
    try:
        verify_database(database)
        with open_existing(database) as connection:
            connection.execute("BEGIN IMMEDIATE")
            found = standings.recount(connection)
            standings.replace_differing(connection, found)
            connection.execute("COMMIT")
        return found
    finally:
        lock.release()
