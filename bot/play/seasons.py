"""Seasons: the time that a server's season leaderboard is about, by UTC, the same for everybody.

Who was first of a season is worked out after it has ended, a few rows at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final, NamedTuple

from bot.scheduler import begins_at, day_of
from bot.store.queries.leaderboards import ALL_GAMES, LEAST_MATCHES, DayKey, Span, Tally
from bot.store.queries.seasons import SeasonDay, SeasonFirst
from bot.store.store import Store

FEWEST_RANKED: Final = 3
"""How many people must have had a rank. Nobody is first among two."""
ROWS: Final = 500
"""How many rows are read at once: 1 to 3 ms of the database's thread."""


class SeasonLength(StrEnum):
    """How long a season is. Each begins with a month."""

    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


_MONTHS: Final = {SeasonLength.MONTH: 1, SeasonLength.QUARTER: 3, SeasonLength.YEAR: 12}


def season_of(day: int, length: SeasonLength) -> range:
    """The days of the season that contains a day, counted since 1970."""
    at = datetime.fromtimestamp(begins_at(day) / 1000, UTC)
    months = _MONTHS[length]
    first = 12 * at.year + (at.month - 1) // months * months
    return range(_first_day(first), _first_day(first + months))


def _first_day(month: int) -> int:
    """The first day of a month, which counts the months since the year 0."""
    begun = datetime(month // 12, month % 12 + 1, 1, tzinfo=UTC)
    return day_of(int(begun.timestamp()) * 1000)


@dataclass(slots=True)
class _Judging:
    """How far the days of a server were read: up to the key `after`, in a `season` whose `totals` are not whole yet."""

    season: range
    after: DayKey | None = None
    totals: dict[tuple[str, int], Tally] = field(default_factory=dict)
    firsts: list[tuple[int, SeasonFirst]] = field(default_factory=list)

    def add(self, day: SeasonDay, length: SeasonLength) -> None:
        """Add the next day of somebody, which may be in a later season."""
        key, tally, everywhere = day
        if key.day not in self.season:
            self.end_season()
            self.season = season_of(key.day, length)
        self.after = key
        for game in (key.game, ALL_GAMES) if everywhere else (key.game,):
            self.totals[game, key.user_id] = self.totals.get((game, key.user_id), Tally()).plus(tally)

    def end_season(self) -> None:
        """See who was first of a season that was read to its end."""
        self.firsts += firsts_of(self.totals, self.season.stop)
        self.totals = {}


class SeasonFirsts:
    """Judges each season of each server once, after its end."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def judge(self, guild_id: int, today: int, length: SeasonLength) -> None:
        """Keep who was first of the seasons that have ended since the last time. `today` counts the days since 1970.

        Raises StoreError.
        """
        current = season_of(today, length).start
        until = await self._store.judged_until(guild_id)
        if until is None or until >= current:
            return
        judging = _Judging(season_of(until, length))
        days = range(judging.season.start, current)
        while rows := await self._store.days_between(guild_id, days, judging.after, ROWS):
            for day in rows:
                judging.add(day, length)
        judging.end_season()
        await self._store.judge_seasons(guild_id, current, judging.firsts)


class Ranked(NamedTuple):
    """Somebody who had a rank when a season ended."""

    rank: int
    user_id: int
    tally: Tally


async def final_standings(store: Store, guild_id: int, season: range) -> list[Ranked]:
    """Everybody who had a rank over all games when a season ended, the first at the head; nobody if there were too few
    of them. Who hides is left out, as on the leaderboard. Raises StoreError."""
    totals: dict[int, Tally] = {}
    after = None
    while rows := await store.days_between(guild_id, season, after, ROWS):
        for key, tally, everywhere in rows:
            after = key
            if everywhere:
                totals[key.user_id] = totals.get(key.user_id, Tally()).plus(tally)
    ranked = [each for each in totals.items() if each[1].matches >= LEAST_MATCHES[Span.SEASON]]
    if len(ranked) < FEWEST_RANKED:
        return []
    ranked.sort(key=lambda each: (-each[1].points, each[0]))
    better = {tally.points: place for place, (_, tally) in reversed([*enumerate(ranked, 1)])}
    return [Ranked(better[tally.points], user_id, tally) for user_id, tally in ranked]


def firsts_of(totals: dict[tuple[str, int], Tally], stop: int) -> list[tuple[int, SeasonFirst]]:
    """Who was first, by user id, of a season that ended before the day `stop`: all who share the most points.

    `totals` is what each game's and person's matches of the season add up to, of those who are listed: who hides leaves
    the place to the next, as on the leaderboard.
    """
    ranked: dict[str, dict[int, int]] = {}
    for (game, user_id), tally in totals.items():
        if tally.matches >= LEAST_MATCHES[Span.SEASON]:
            ranked.setdefault(game, {})[user_id] = tally.points
    most = {game: max(points.values()) for game, points in ranked.items() if len(points) >= FEWEST_RANKED}
    return [
        (user_id, SeasonFirst(game, stop))
        for game, best in most.items()
        for user_id, own in ranked[game].items()
        if own == best
    ]
