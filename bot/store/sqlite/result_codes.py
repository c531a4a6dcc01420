"""Converts SQLite's result codes to the store's errors."""

from __future__ import annotations

import sqlite3

from bot.store.errors import Busy, Damaged, NotSaved, StoreError

_REASONS = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_READONLY: "the database is read-only",
    sqlite3.SQLITE_IOERR: "the disk could not be read or written",
    sqlite3.SQLITE_CANTOPEN: "the database could not be opened",
    sqlite3.SQLITE_PERM: "the database may not be written",
    sqlite3.SQLITE_NOMEM: "there is no memory left",
    sqlite3.SQLITE_TOOBIG: "a value is too large",
}
_PRIMARY = 0xFF
"""The primary result code is the low byte of an extended one (https://www.sqlite.org/rescode.html)."""


def store_error(error: sqlite3.Error, path: str) -> StoreError | None:
    """The store's error for one of SQLite's (https://www.sqlite.org/rescode.html).

    None for an error that only a bug explains: a broken constraint, a statement that does not parse.
    """
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return None
    primary = code & _PRIMARY
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return Busy("another program has kept the database locked")
    if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return damaged(path)
    reason = _REASONS.get(primary)
    return None if reason is None else NotSaved(reason)


def damaged(path: str) -> Damaged:
    """The error for a file that cannot be read, with what to do about it."""
    return Damaged(f"the database {path} is damaged: stop the bot and put back a backup with `cardroom restore FILE`")
