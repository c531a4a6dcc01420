"""What is done on a database that was just opened, before anybody plays."""

from __future__ import annotations

import logging
import sqlite3

from bot.store.errors import StoreError
from bot.store.queries import standings
from bot.store.sql.deleting import finish

_log = logging.getLogger(__name__)


def finish_deletions(connection: sqlite3.Connection) -> None:
    """Finish what the last process began to delete. Nobody plays yet, so one transaction may take long."""
    if not _has(connection, "deletions"):
        return  # tables of an older version know of none
    connection.execute("BEGIN IMMEDIATE")
    try:
        finished = finish(connection)
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
    if finished:
        _log.info("finished %d deletions that the last process had begun", finished)


def count_boards(connection: sqlite3.Connection) -> None:
    """Count the leaderboards of a database that was upgraded: the one part of the upgrade that SQL cannot say.

    A result that lacks a rank keeps nobody from starting. Then leaderboards begin with the next result, and
    `cardroom check` names the one that is not whole.
    """
    if not _has(connection, "board_days"):
        return  # tables of an older version have none
    connection.execute("BEGIN IMMEDIATE")
    try:
        standings.count_boards(connection)
    except StoreError as error:
        _log.warning("the leaderboards could not be counted: %s", str(error))  # with it, the open query would live on
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _has(connection: sqlite3.Connection, table: str) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (table,)).fetchone() is not None
