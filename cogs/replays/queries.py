"""Lists of somebody's finished matches, and the wish that a replay is private."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Final

from bot.store.binding import Part, spanning, writing
from bot.store.errors import Conflict
from bot.store.queries import finished_matches as finished
from bot.store.queries.database import NEWEST, Connection, Database, Page, following
from bot.store.queries.finished_matches import FinishedMatch


@dataclass(frozen=True, slots=True)
class HistoryQuery:
    """Whose finished matches of a server are listed, and for whom. `today` counts the days since 1970, UTC, and `game`
    is None for all games."""

    guild_id: int
    user_id: int
    viewer_id: int
    today: int
    game: str | None = None


_THEIRS: Final = """
    SELECT match_id, result_number, (SELECT game FROM results WHERE number = result_number) FROM seats
    WHERE user_id = :user AND guild_id = :guild AND result_number
"""
_LOOKED_AT: Final = 200
"""How many matches one page looks at: some 8 us each."""


async def finished_matches(
    database: Database, query: HistoryQuery, most: int, *, before: str | None = None, after: str | None = None
) -> list[FinishedMatch]:
    """The finished matches of a person that a viewer may see, at most `most`, the last to end first.

    With `before`, those that ended before the match with this id; with `after`, those that ended next after it.
    A match that the viewer may not see is none of these: then it is as if none was given.
    """
    oldest = await database.read(lambda db: _number(db, query, after))
    if oldest is not None:
        newer = await database.read_first(
            lambda db, last, wanted: _page(db, query, wanted, last, older=False), oldest, most
        )
        return newer[::-1]
    newest = await database.read(lambda db: _number(db, query, before))
    return await database.read_first(
        lambda db, last, wanted: _page(db, query, wanted, last, older=True), NEWEST if newest is None else newest, most
    )


def _page(db: Connection, query: HistoryQuery, most: int, last: int, *, older: bool) -> Page[FinishedMatch, int]:
    """At most this many of a person's finished matches, among the next ones before or after a result's number."""
    sought = {"user": query.user_id, "guild": query.guild_id, "last": last, "most": _LOOKED_AT}
    order = "< :last ORDER BY result_number DESC" if older else "> :last ORDER BY result_number"
    passed = db.execute(f"{_THEIRS} {order} LIMIT :most", sought).fetchall()
    wanted = (match_id for match_id, _, game in passed if query.game in (None, game))
    seen = (finished.find(db, query.guild_id, match_id, query.viewer_id, query.today) for match_id in wanted)
    found = list(islice(filter(None, seen), most))
    return found, None if len(found) == most else following([number for _, number, _ in passed], _LOOKED_AT)


def _number(db: Connection, query: HistoryQuery, match_id: str | None) -> int | None:
    return None if match_id is None else finished.number(db, query.guild_id, match_id, query.viewer_id, query.today)


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


class ReplayQueries(Part):
    """These queries, as methods."""

    finished_matches = spanning(finished_matches)
    set_private_wish = writing(set_wish)
