"""Converts PostgreSQL's errors to the store's. None of their messages is used: they quote values of rows."""

from __future__ import annotations

from typing import Final

import psycopg

from bot.store.errors import Busy, Damaged, NotSaved, StoreError

UNREACHABLE: Final = "the database server cannot be reached"

_REASONS: Final = {
    "08": UNREACHABLE,
    "25006": "the database is read-only",
    "28": "the database server refuses the bot's name or password",
    "3D": "the database server has no such database",
    "53100": "the disk is full",
    "53200": "the database server has no memory left",
    "53300": "the database server has no free connection",
    "53": "the database server has no room left",
    "54": "a value is too large",
    "57014": "the database server took too long",
    "57": "the database server was stopped",
    "58": "the disk could not be read or written",
}
"""Why nothing was saved, by the beginning of the error's code
(https://www.postgresql.org/docs/current/errcodes-appendix.html). The longest that fits counts."""

_LOCKED: Final = frozenset({"55P03", "40001", "40P01"})
"""Another transaction kept a row locked for too long, or this one was chosen to end a deadlock."""
_AGAIN: Final = frozenset({"40001", "40P01", "23505"})
"""With these codes a transaction may succeed when it is tried again, because it then sees what another one did."""


def store_error(error: psycopg.Error) -> StoreError | None:
    """The store's error for one of PostgreSQL's.

    None for an error that only a bug explains: a broken constraint, a statement that does not parse.
    """
    code = error.sqlstate
    if code is None:
        return NotSaved(UNREACHABLE) if isinstance(error, psycopg.OperationalError) else None
    if code in _LOCKED:
        return Busy("another process has kept the database locked")
    if code.startswith("XX"):
        return Damaged("the database server finds its data damaged: see its log, and restore a backup")
    reason = next((_REASONS[code[:length]] for length in (5, 2) if code[:length] in _REASONS), None)
    return None if reason is None else NotSaved(reason)


def is_worth_repeating(error: psycopg.Error) -> bool:
    """Whether a transaction may succeed when it is tried again at once."""
    return error.sqlstate in _AGAIN


def is_lost(error: psycopg.Error) -> bool:
    """Whether an error is the end of its connection. The connection itself may not know that yet."""
    code = error.sqlstate
    if code is None:
        return isinstance(error, psycopg.OperationalError)
    return code.startswith(("08", "57P"))
