"""What `cardroom check` finds out about the matches and invitations in a database: whether they are as they were saved.

This reads every record of every match, also of finished ones and of games that aren't installed.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field

from bot.store.sqlite.queries import invitations, matches
from bot.store.verification import Altered, opens_seal, verify


@dataclass(slots=True)
class Found:
    """How many matches and open invitations were verified, and what was altered: the reason by id."""

    matches: int = 0
    chained_later: int = 0
    """The matches with records that an upgrade chained, after they were played."""
    invitations: int = 0
    altered: dict[str, str] = field(default_factory=dict)


def verify_all(connection: sqlite3.Connection) -> Found:
    """Verify every match and every open invitation. Raises sqlite3.Error."""
    connection.text_factory = _text
    found = Found()
    for row in matches.all_by_id(connection):
        found.matches += 1
        found.chained_later += row.chained_from > 0
        try:
            verify(row, matches.records(connection, row.id), matches.result(connection, row.id))
        except Altered as altered:
            found.altered[row.id] = str(altered)
    for invitation in invitations.all_open(connection):
        found.invitations += 1
        if not opens_seal(invitation):
            found.altered[invitation.id] = "its deal was altered"
    return found


def _text(stored: bytes) -> str:
    """A stored text. One that is no longer UTF-8 was altered, and must be read to be found."""
    return stored.decode("utf-8", "replace")
