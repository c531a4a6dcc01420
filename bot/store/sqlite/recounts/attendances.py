"""Works out again how people attended finished matches, from the logs, and corrects what is kept. Only while the bot is
stopped."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.store.errors import NotSaved, StoreError
from bot.store.queries.profiles import attending
from bot.store.queries.profiles.attending import Attend
from bot.store.sqlite.backup import verify_database
from bot.store.sqlite.instance_lock import InstanceLock
from bot.store.sqlite.reading import connect_to
from bot.store.sqlite.result_codes import store_error


def rebuild_attendances(database: Path, attend: Attend) -> int:
    """Replace, in one transaction, the attendances that differ from the recalculated ones. Returns of how many matches.

    Those of a match that cannot be worked out stay. Raises InUse while a bot runs, Damaged for a damaged database, and
    StoreError.
    """
    if not database.is_file():
        raise NotSaved(f"there is no database at {database}")
    lock = InstanceLock(database.with_name(f"{database.name}.lock"))
    try:
        verify_database(database)
        with closing(connect_to(database, "mode=rw")) as connection:
            connection.execute("BEGIN IMMEDIATE")
            differing = attending.rebuild(connection, attend)
            connection.execute("COMMIT")
            return differing
    except sqlite3.Error as error:
        raise store_error(error, str(database)) or StoreError(f"the database {database} cannot be used") from error
    finally:
        lock.release()
