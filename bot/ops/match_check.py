"""What `cardroom check` finds out about the matches and invitations in a database: whether they are as they were saved.

This reads every record of every match, also of finished ones and of games that aren't installed.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from bot.store.sqlite.queries import invitations, matches
from bot.store.verification import Altered, opens_seal, verify


@dataclass(frozen=True, slots=True)
class Found:
    """How many matches and open invitations were verified, and what was altered: the reason by id.

    `chained_later` counts the matches with records that an upgrade chained, after they were played.
    """

    matches: int
    chained_later: int
    invitations: int
    altered: dict[str, str]


def verify_all(connection: sqlite3.Connection) -> Found:
    """Verify every match and every open invitation. Raises sqlite3.Error."""
    altered: dict[str, str] = {}
    count = chained_later = 0
    for row in matches.all_by_id(connection):
        count += 1
        chained_later += row.chained_from > 0
        try:
            verify(row, matches.records(connection, row.id), matches.result(connection, row.id))
        except Altered as found:
            altered[row.id] = str(found)
    asked = invitations.all_open(connection)
    altered.update({each.id: "its deal was altered" for each in asked if not opens_seal(each)})
    return Found(count, chained_later, len(asked), altered)
