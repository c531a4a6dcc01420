"""What a store raises::

    StoreError
    ├── NotSaved           disk full, read-only, input or output failed: it was not saved
    ├── Busy               another program kept the database locked for too long: it was not saved
    ├── AlreadyMade        this interaction was applied before
    ├── Conflict           the match is not where the writer thought: another seq is next, or it is over
    ├── InvitationClosed   the invitation is not open any more
    ├── Damaged            the database cannot be read
    ├── TooNew             the database was written by a later version of the program
    └── InUse              another process has the database

No message holds a value of a row: not a card, not a seed, not a name.
"""

# ruff: noqa: N818  an error says what happened: not saved, busy, already made

from __future__ import annotations


class StoreError(Exception):
    """Something the store could not do. Itself raised only for a store that is closed."""


class NotSaved(StoreError):
    """The disk is full, read-only or failing. Nothing was written; later calls may succeed."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"not saved: {reason}")
        self.reason = reason


class Busy(StoreError):
    """Another program held the database locked for longer than the store waits. Nothing was written."""


class AlreadyMade(StoreError):
    """The interaction was applied by an earlier call."""


class Conflict(StoreError):
    """The match is unknown, is over, or expects another seq than the one given."""


class InvitationClosed(StoreError):
    """The invitation is unknown or no longer open."""


class Damaged(StoreError):
    """The database file cannot be read. One line, with the path and how to restore."""


class TooNew(StoreError):
    """The database was written by a later version of the program. One line, with both versions."""


class InUse(StoreError):
    """Another process has the database. `holder` is its process id where known."""

    def __init__(self, message: str, holder: int | None) -> None:
        super().__init__(message)
        self.holder = holder
