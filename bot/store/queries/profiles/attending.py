"""Works out again, from the logs, how people attended finished matches, and corrects what is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from bot.store.queries import matches, people
from bot.store.queries.connection import Connection
from bot.store.rows.matches import MatchRow, Record, Result
from bot.store.rows.people import Attendance

Attend: TypeAlias = Callable[[MatchRow, Sequence[Record], Result], Sequence[Attendance] | None]
"""How the people of a finished match attended it, from its log; None if that cannot be worked out here."""


def rebuild(db: Connection, attend: Attend) -> int:
    """Replace the attendances that differ from the recalculated ones. Returns of how many matches.

    Those of a match that cannot be worked out stay.
    """
    differing = list(_differing(db, attend))
    for row, found in differing:
        db.execute("DELETE FROM attendances WHERE match_id = ?", (row.id,))
        people.add_attendances(db, row.guild_id, row.seats, found)
    return len(differing)


def _differing(db: Connection, attend: Attend) -> Iterator[tuple[MatchRow, Sequence[Attendance]]]:
    for row in matches.all_by_id(db):
        result = matches.result(db, row.id)
        found = None if result is None else attend(row, matches.records(db, row.id), result)
        if found is not None and list(found) != people.attendances_of_match(db, row.id):
            yield row, found
