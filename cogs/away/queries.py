"""When people are away, and how many days off that takes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.play.seasons import SeasonLength, season_of
from bot.scheduler import DAY, begins_at, day_of
from bot.store.binding import Part, reading, writing
from bot.store.queries.database import Connection, inserting

DAYS_OFF: Final = 5
"""In each quarter of a year by UTC, the same for everybody and in all servers."""


@dataclass(frozen=True, slots=True)
class Absence:
    """When somebody is or was away (ms UTC)."""

    began_at: int
    until_at: int

    def days_in(self, season: range) -> int:
        """How many days off it takes of a season, whose days these are: each begun day is one."""
        begun = max(self.began_at, begins_at(season.start))
        ended = min(self.until_at, begins_at(season.stop))
        return max(0, -((begun - ended) // DAY))


def season_at(now: int) -> range:
    """The days of the season at a moment."""
    return season_of(day_of(now), SeasonLength.QUARTER)


def days_left(absences: Iterable[Absence], now: int) -> int:
    """How many days off somebody still has in the season at this moment."""
    season = season_at(now)
    return max(0, DAYS_OFF - sum([absence.days_in(season) for absence in absences]))


def of_user(db: Connection, user_id: int) -> list[Absence]:
    """When somebody is or was away, the latest first; what is long over may be left out."""
    rows = db.execute("SELECT began_at, until_at FROM absences WHERE user_id = ? ORDER BY began_at DESC", (user_id,))
    return [Absence(*row) for row in rows]


def begin(db: Connection, user_id: int, now: int, days: int) -> int | None:
    """Have somebody be away from now on for this many days, or longer if they are away longer already. The day off that
    runs is one of them. Returns until when (ms UTC); None if they have fewer left, and then nothing changes."""
    known = of_user(db, user_id)
    present = next((each for each in known if each.until_at > now), Absence(now, now))
    ends = present.began_at + (days + (now - present.began_at) // DAY) * DAY
    wanted = replace(present, until_at=max(present.until_at, ends))
    season = season_at(now)
    others = [each for each in known if each != present]
    if sum([each.days_in(season) for each in (*others, wanted)]) > DAYS_OFF:
        return None
    db.execute(
        "DELETE FROM absences WHERE user_id = ? AND (until_at <= ? OR began_at = ?)",
        (user_id, begins_at(season.start), present.began_at),
    )
    db.execute(inserting("absences", "user_id", "began_at", "until_at"), (user_id, wanted.began_at, wanted.until_at))
    return wanted.until_at


def end(db: Connection, user_id: int, now: int) -> bool:
    """Have somebody be back. Returns whether they were away."""
    ended = db.execute("UPDATE absences SET until_at = ? WHERE user_id = ? AND until_at > ?", (now, user_id, now))
    return ended.rowcount > 0


def current(db: Connection, now: int) -> list[tuple[int, int]]:
    """Who is away, each with until when (ms UTC)."""
    return [
        (user, until) for user, until in db.execute("SELECT user_id, until_at FROM absences WHERE until_at > ?", (now,))
    ]


class Absences(Part):
    """These queries, as methods."""

    of_user = reading(of_user)
    begin = writing(begin)
    end = writing(end)
    current = reading(current)

    async def export(self, _guild_id: int, user_id: int) -> dict[str, Any]:
        """When somebody is or was away. Raises StoreError."""
        return {"away": [{"from": each.began_at, "until": each.until_at} for each in await self.of_user(user_id)]}
