"""Finished matches as people may see them again: by their code, and private if all players want that.

Those are the matches of a server with a result, without attempts at a deal of `today` or a later day, and without the
private ones of others (`FinishedMatch.is_private`). Days are counted since 1970, in UTC.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.store.queries import matches
from bot.store.queries.database import Connection
from bot.store.queries.matches import MatchRow, Result


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A match that is over, and the seats whose players want its replay to be private."""

    row: MatchRow
    result: Result
    private_wishes: tuple[int, ...] = ()

    @property
    def is_private(self) -> bool:
        """Whether all of its players want that: computers and deleted people, whose ids are negative, aren't asked."""
        asked = [seat for seat, user in enumerate(self.row.seats) if user > 0]
        return bool(self.private_wishes) and set(asked) <= set(self.private_wishes)


_MAY_SEE: Final = """
    matches.guild_id = :guild AND (matches.day IS NULL OR matches.day < :today)
    AND (EXISTS (SELECT 1 FROM seats WHERE match_id = matches.id AND +user_id = :viewer)
         OR NOT EXISTS (SELECT 1 FROM seats WHERE match_id = matches.id AND private_replay = 1)
         OR EXISTS (SELECT 1 FROM seats WHERE match_id = matches.id AND private_replay = 0 AND +user_id > 0))
"""
"""Computers and deleted people have negative ids: they aren't asked whether a replay is private. The plus signs keep
SQLite from reading all seats of the viewer for each match."""
_FIND: Final = f"SELECT number FROM results JOIN matches ON matches.id = match_id WHERE match_id = :id AND {_MAY_SEE}"


def find(db: Connection, guild_id: int, match_id: str, viewer_id: int, today: int) -> FinishedMatch | None:
    """A finished match that a person may see. For all others None, at the cost of one question."""
    return None if number(db, guild_id, match_id, viewer_id, today) is None else _read(db, match_id)


def number(db: Connection, guild_id: int, match_id: str, viewer_id: int, today: int) -> int | None:
    """Which result a match's is, in the order in which they came; None for one that the person may not see."""
    found = db.execute(_FIND, {"guild": guild_id, "id": match_id, "viewer": viewer_id, "today": today}).fetchone()
    return None if found is None else int(found[0])


def _read(db: Connection, match_id: str) -> FinishedMatch:
    row, result = matches.find(db, match_id), matches.result(db, match_id)
    if row is None or result is None:
        raise RuntimeError("a finished match is gone within one transaction")
    wishes = db.execute("SELECT seat FROM seats WHERE match_id = ? AND private_replay = 1 ORDER BY seat", (match_id,))
    return FinishedMatch(row, result, tuple([seat for (seat,) in wishes]))
