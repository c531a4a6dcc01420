"""Works out again how people attended finished matches, from the logs, and corrects what is kept. Only while the bot is
stopped."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeAlias

from bot.store.errors import NotSaved, StoreError
from bot.store.queries import matches, people
from bot.store.rows import Attendance, MatchRow, Record, Result
from bot.store.sqlite.backup import verify_database
from bot.store.sqlite.instance_lock import InstanceLock
from bot.store.sqlite.reading import connect_to
from bot.store.sqlite.result_codes import store_error

Attend: TypeAlias = Callable[[MatchRow, Sequence[Record], Result], Sequence[Attendance] | None]
"""How the people of a finished match attended it, from its log; None if that cannot be worked out here."""


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
            differing = list(_differing(connection, attend))
            for row, found in differing:
                connection.execute("DELETE FROM attendances WHERE match_id = ?", (row.id,))
                people.add_attendances(connection, row.guild_id, row.seats, found)
            connection.execute("COMMIT")
            return len(differing)
    except sqlite3.Error as error:
        raise store_error(error, str(database)) or StoreError(f"the database {database} cannot be used") from error
    finally:
        lock.release()


def _differing(db: sqlite3.Connection, attend: Attend) -> Iterator[tuple[MatchRow, Sequence[Attendance]]]:
    for row in matches.all_by_id(db):
        result = matches.result(db, row.id)
        found = None if result is None else attend(row, matches.records(db, row.id), result)
        if found is not None and list(found) != people.attendances_of_match(db, row.id):
            yield row, found
