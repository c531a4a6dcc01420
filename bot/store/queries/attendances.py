"""How people attended their matches: kept with each result, and worked out again from the logs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from enum import StrEnum
from typing import Any, Final, TypeAlias

from bot.store.queries import matches
from bot.store.queries.database import MANY, NEWEST, Connection, Database, Page, columns_of, following, inserting


class Stay(StrEnum):
    """Whether a person stayed in a match to its end."""

    FINISHED = "finished"
    """They did, or resigned after they had played."""
    LEFT = "left"
    """They resigned right after they saw their hand."""
    OUT_OF_TIME = "out_of_time"
    """Their time ran out, and by that they lost or were put out."""


@dataclass(frozen=True, slots=True)
class Attendance:
    """How a person attended a finished match, on its seat: whether they stayed, how many questions they were asked, and
    how many they answered in time. `began_at` and `ended_at` are the match's."""

    match_id: str
    seat: int
    began_at: int
    ended_at: int
    stay: Stay
    asked: int
    in_time: int


_COLUMNS: Final = columns_of(Attendance)
_SELECT: Final = f"SELECT {', '.join(_COLUMNS)} FROM attendances"


def add(db: Connection, guild_id: int, users: Sequence[int], latest: Sequence[Attendance]) -> None:
    """Add how people attended a match of a server; `users` are its seats."""
    db.executemany(
        inserting("attendances", "guild_id", "user_id", *_COLUMNS),
        [(guild_id, users[each.seat], *astuple(each)) for each in latest],
    )


async def latest(database: Database, guild_id: int, user_id: int, most: int) -> list[Attendance]:
    """How somebody attended their latest finished matches in a server, at most `most`, the last to end first.

    `matches.append` writes them with a match's result.
    """
    return await database.read_first(
        lambda db, before, wanted: _attended_before(db, guild_id, user_id, wanted, before), (NEWEST, ""), most
    )


def _attended_before(
    db: Connection, guild_id: int, user_id: int, most: int, before: tuple[int, str]
) -> Page[Attendance, tuple[int, str]]:
    most = min(most, MANY)
    rows = db.execute(
        f"{_SELECT} WHERE guild_id = ? AND user_id = ? AND (ended_at, match_id) < (?, ?)"
        " ORDER BY ended_at DESC, match_id DESC LIMIT ?",
        (guild_id, user_id, *before, most),
    )
    found = [_attendance(row) for row in rows]
    return found, following([(each.ended_at, each.match_id) for each in found], most)


def of_match(db: Connection, match_id: str) -> list[Attendance]:
    """How the people of a match attended it, in the order of the seats."""
    rows = db.execute(f"{_SELECT} WHERE match_id = ? ORDER BY seat", (match_id,))
    return [_attendance(row) for row in rows]


def _attendance(row: tuple[Any, ...]) -> Attendance:
    found = Attendance(*row)
    return replace(found, stay=Stay(found.stay))


Attend: TypeAlias = Callable[[matches.MatchRow, Sequence[matches.Record], matches.Result], Sequence[Attendance] | None]
"""How the people of a finished match attended it, from its log; None if that cannot be worked out here."""


def rebuild(db: Connection, attend: Attend) -> int:
    """Replace the attendances that differ from the recalculated ones. Returns of how many matches.

    Those of a match that cannot be worked out stay.
    """
    differing = 0
    for row, found in _differing(db, attend):
        db.execute("DELETE FROM attendances WHERE match_id = ?", (row.id,))
        add(db, row.guild_id, row.seats, found)
        differing += 1
    return differing


def _differing(db: Connection, attend: Attend) -> Iterator[tuple[matches.MatchRow, Sequence[Attendance]]]:
    for row in matches.all_by_id(db):
        result = matches.result(db, row.id)
        found = None if result is None else attend(row, matches.records(db, row.id), result)
        if found is not None and list(found) != of_match(db, row.id):
            yield row, found
