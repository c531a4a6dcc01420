"""What a store raises::

    StoreError
    ├── NotSaved               the disk is full, read-only or failing: nothing was written
    ├── Unsettled              a commit failed, and whether it was saved cannot be found out
    ├── Busy                   another program kept the database locked for too long: nothing was written
    ├── DuplicateInteraction   this interaction was applied before
    ├── Conflict               a row is not as the caller thought: another seq is next, or the match is over
    ├── InvitationClosed       the invitation is no longer open
    ├── Damaged                the database cannot be read
    ├── TooNew                 the database was written by a later version of the program
    ├── OtherSchema            the database has tables that no version of the program makes
    ├── Older                  the database lacks writes that were saved, or is missing beside its backups
    ├── InUse                  another process has the database
    ├── Unreachable            the database's server does not answer
    ├── AccessRefused          the database's server lets nobody in with this address
    └── Fenced                 this process may no longer write: another one may have its shards

No message contains a value of a row: no card, no seed, no name.
"""

# ruff: noqa: N818  an error says what happened: not saved, busy, in use

from __future__ import annotations


class StoreError(Exception):
    """The store failed. Raised directly only if the store is closed, or its file cannot be used."""


class NotSaved(StoreError):
    """The disk is full, read-only or failing. Nothing was written; later calls may succeed."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"not saved: {reason}")
        self.reason = reason


class Unsettled(StoreError):
    """A commit failed in a way that may have left it on the disk, and nothing more could be written to be sure.

    In this process it was not made. After a kill it may be there, until a later write succeeds. On a database server it
    may be there at once: then every later write is Fenced, and only another process can go on.
    """


class Busy(StoreError):
    """Another program held the database locked for longer than the store waits. Nothing was written."""


class DuplicateInteraction(StoreError):
    """The interaction was applied by an earlier call."""


class Conflict(StoreError):
    """A row is not as the caller thought: its id is taken or unknown, the match is over, or another seq is next."""


class InvitationClosed(StoreError):
    """The invitation is unknown or no longer open."""


class Damaged(StoreError):
    """The database file cannot be read. One line, with the path and how to restore."""


class TooNew(StoreError):
    """The database was written by a later version of the program. One line, with both versions."""


class OtherSchema(StoreError):
    """The database has tables of another program, or of a state of this one that was never released. One line, with
    what to do."""


class Older(StoreError):
    """The database lacks writes that its bot had saved, or is missing. One line, with the newest backup and what to
    do."""


class InUse(StoreError):
    """Another process has the database. `holder` is its process id where known."""

    def __init__(self, message: str, holder: int | None) -> None:
        super().__init__(message)
        self.holder = holder


class Unreachable(StoreError):
    """The database's server does not answer. One line; trying again later may help."""


class AccessRefused(StoreError):
    """The database's server does not know the role, the password or the database, or the address cannot be read. One
    line, which contains nothing of the address; trying again does not help."""


class Fenced(StoreError):
    """This process's lease of its shards ran out, and another may have them. Or the database lacks what this process
    has saved, because an older copy took its place, or has what was Unsettled. Nothing was written, and nothing will
    be: the process must end."""
