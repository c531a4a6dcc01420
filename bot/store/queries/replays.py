"""Finished matches as people may see them again: by their code, in a list, and private if all players want that.

Those are the matches of a server with a result, without attempts at a deal of `today` or a later day, and without the
private ones of others (`FinishedMatch.is_private`). Days are counted since 1970, in UTC.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Final

from bot.store.errors import Conflict
from bot.store.queries import matches
from bot.store.queries.database import NEWEST, Connection, Database, Page, following
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


@dataclass(frozen=True, slots=True)
class HistoryQuery:
    """Whose finished matches of a server are listed, and for whom. `today` counts the days since 1970, UTC, and `game`
    is None for all games."""

    guild_id: int
    user_id: int
    viewer_id: int
    today: int
    game: str | None = None


_MAY_SEE: Final = """
    matches.guild_id = :guild AND (matches.day IS NULL OR matches.day < :today)
    AND (EXISTS (SELECT 1 FROM seats WHERE match_id = matches.id AND +user_id = :viewer)
         OR NOT EXISTS (SELECT 1 FROM seats WHERE match_id = matches.id AND private_replay = 1)
         OR EXISTS (SELECT 1 FROM seats WHERE match_id = matches.id AND private_replay = 0 AND +user_id > 0))
"""
"""Computers and deleted people have negative ids: they aren't asked whether a replay is private. The plus signs keep
SQLite from reading all seats of the viewer for each match."""
_THEIRS: Final = """
    SELECT match_id, result_number, (SELECT game FROM results WHERE number = result_number) FROM seats
    WHERE user_id = :user AND guild_id = :guild AND result_number
"""
_LOOKED_AT: Final = 200
"""How many matches one page looks at: some 8 us each."""
_FIND: Final = f"SELECT number FROM results JOIN matches ON matches.id = match_id WHERE match_id = :id AND {_MAY_SEE}"


def find(db: Connection, guild_id: int, match_id: str, viewer_id: int, today: int) -> FinishedMatch | None:
    """A finished match that a person may see. For all others None, at the cost of one question."""
    sought: dict[str, object] = {"guild": guild_id, "viewer": viewer_id, "today": today}
    return None if _number(db, sought, match_id) is None else _read(db, match_id)


async def finished_matches(
    database: Database, query: HistoryQuery, most: int, *, before: str | None = None, after: str | None = None
) -> list[FinishedMatch]:
    """The finished matches of a person that a viewer may see, at most `most`, the last to end first.

    With `before`, those that ended before the match with this id; with `after`, those that ended next after it.
    A match that the viewer may not see is no such place: then it is as if none was given.
    """
    oldest = await database.read(lambda db: _number(db, _sought(query), after))
    if oldest is not None:
        newer = await database.read_first(
            lambda db, last, wanted: _page(db, query, wanted, last, older=False), oldest, most
        )
        return newer[::-1]
    newest = await database.read(lambda db: _number(db, _sought(query), before))
    return await database.read_first(
        lambda db, last, wanted: _page(db, query, wanted, last, older=True), NEWEST if newest is None else newest, most
    )


def _page(db: Connection, query: HistoryQuery, most: int, last: int, *, older: bool) -> Page[FinishedMatch, int]:
    """At most this many of a person's finished matches, among the next ones before or after a result's number."""
    sought = _sought(query) | {"user": query.user_id, "last": last, "most": _LOOKED_AT}
    order = "< :last ORDER BY result_number DESC" if older else "> :last ORDER BY result_number"
    passed = db.execute(f"{_THEIRS} {order} LIMIT :most", sought).fetchall()
    wanted = (match_id for match_id, _, game in passed if query.game in (None, game))
    visible = (match_id for match_id in wanted if _number(db, sought, match_id) is not None)
    found = [_read(db, match_id) for match_id in islice(visible, most)]
    return found, None if len(found) == most else following([number for _, number, _ in passed], _LOOKED_AT)


def _sought(query: HistoryQuery) -> dict[str, object]:
    return {"guild": query.guild_id, "viewer": query.viewer_id, "today": query.today}


def _number(db: Connection, sought: dict[str, object], match_id: str | None) -> int | None:
    """Which result a match's is, in the order in which they came; None for one that the viewer may not see."""
    found = None if match_id is None else db.execute(_FIND, {**sought, "id": match_id}).fetchone()
    return None if found is None else int(found[0])


def _read(db: Connection, match_id: str) -> FinishedMatch:
    row, result = matches.find(db, match_id), matches.result(db, match_id)
    if row is None or result is None:
        raise RuntimeError("a finished match is gone within one transaction")
    wishes = db.execute("SELECT seat FROM seats WHERE match_id = ? AND private_replay = 1 ORDER BY seat", (match_id,))
    return FinishedMatch(row, result, tuple([seat for (seat,) in wishes]))


def set_wish(db: Connection, match_id: str, seat: int, *, wanted: bool) -> None:
    """Record whether the player of a seat wants the replay to be private. Raises Conflict if the match isn't finished,
    or has no such seat."""
    done = db.execute(
        "UPDATE seats SET private_replay = ? WHERE match_id = ? AND seat = ?"
        " AND EXISTS (SELECT 1 FROM results WHERE results.match_id = seats.match_id)",
        (wanted, match_id, seat),
    )
    if not done.rowcount:
        raise Conflict("no such seat of a finished match")
