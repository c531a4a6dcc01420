"""How far the database has come: its id, and the number of its last commit."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final

from bot.store.queries.connection import Connection

_FIND: Final = "SELECT database_id, commits FROM progress"


@dataclass(frozen=True, slots=True)
class Progress:
    """Which database it is, and how many commits it has seen; those of the heartbeat alone are not counted."""

    database_id: str
    commits: int


def begin(db: Connection) -> Progress:
    """The progress of a database. Gives it an id if it is new, or was loaded without one."""
    db.execute(
        'INSERT INTO progress ("only", database_id, commits) VALUES (1, ?, 0) ON CONFLICT DO NOTHING',
        (secrets.token_hex(16),),
    )
    return Progress(*db.execute(_FIND).fetchone())


def find(db: Connection) -> Progress | None:
    """The progress of a database; None if it was not begun."""
    row = db.execute(_FIND).fetchone()
    return None if row is None else Progress(*row)


def advance(db: Connection, commits: int) -> Progress:
    """Set the number of the commit under way, and return the progress that it makes."""
    return Progress(
        *db.execute("UPDATE progress SET commits = ? RETURNING database_id, commits", (commits,)).fetchone()
    )
