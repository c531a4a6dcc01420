"""Standings worked out again from the results: compared at any time, rewritten while the bot is stopped."""

from __future__ import annotations

from pathlib import Path

from bot.store.errors import NotSaved
from bot.store.sqlite.backup import open_existing, verify_database
from bot.store.sqlite.instance_lock import InstanceLock
from bot.store.sqlite.queries import standings
from bot.store.sqlite.queries.standings import Recount


def recount_standings(database: Path) -> Recount:
    """What the standings are and what the results make of them; the database may be in use. Raises StoreError."""
    with open_existing(database) as connection:
        connection.execute("BEGIN")  # results and standings of one moment
        return standings.recount(connection)


def rebuild_standings(database: Path) -> Recount:
    """Have the standings be what the results make of them, in one transaction; what was found.

    Raises InUse while a bot is running, Damaged for a database that is not sound, and StoreError.
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
