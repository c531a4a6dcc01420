"""Brings the leaderboards of all servers up to date when a day has begun, so that no reader waits for it: what has left
the last days or a season is moved, who is no longer active, and seasons that have ended are judged. A server whose
standings were reset, or taken back, is counted again.

Each process does so for the servers that it serves. It goes in slices of a few rows, with a pause after each. A server
in which nothing has to be moved costs some tenths of a millisecond.

What a server reads of a season that has ended is here too.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from typing import Final

from bot.kept import Kept
from bot.play.days import Days
from bot.play.seasons import Ranked, SeasonFirsts, final_standings, season_of
from bot.play.server_settings import KnownServerSettings
from bot.scheduler import Scheduler, Tasks, day_of, ends_at
from bot.store.errors import Busy, StoreError
from bot.store.queries.leaderboards import LeaderboardDates
from bot.store.queries.resets import Reset
from bot.store.store import Store
from cogs.leaderboards.queries import LeaderboardQueries
from cogs.leaderboards.screens import season_screen
from cogs.updates.server_week import WeekPost
from cogs.wording import Wording

_log = logging.getLogger(__name__)

FIRST_AFTER: Final = 60.0
"""Seconds after a start, which has more to do at first."""
LOOKS_EVERY: Final = 600.0
"""Seconds after which it is looked whether a day has begun, or all is tried again if something could not be saved."""
SAVING: Final = 5.0
"""Seconds after midnight. Before that a match may still be saved that ended on the day before, and a season is judged
only once."""
PAUSE: Final = 0.01
"""Seconds after each slice. Those of a server with 40,000 matches a year take some seconds at the end of a month."""


@dataclass(slots=True, eq=False)
class LeaderboardCalendar:
    """Goes through all servers once a day, and at a start."""

    queries: LeaderboardQueries
    seasons: SeasonFirsts
    server_settings: KnownServerSettings
    days: Days
    scheduler: Scheduler
    _running: asyncio.Task[None] | None = field(default=None, init=False)
    _counting: Tasks = field(default_factory=Tasks, init=False)
    _done: int | None = field(default=None, init=False)
    """The day for which all servers were gone through, or are; None once one of them has to be tried again."""

    async def resume(self) -> None:
        """Begin, a little later."""
        self._running = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop. What is under way is saved, or done again at the next start."""
        tasks = [*self._counting, *([] if self._running is None else [self._running])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def count_again(self, guild_id: int) -> None:
        """Begin to count a server whose standings were reset, or taken back."""
        self._counting.begin(self._tried(guild_id))

    def dates(self, guild_id: int) -> LeaderboardDates:
        """With which days the parts of a server's leaderboards begin today."""
        today = self.days.today()
        return LeaderboardDates.on(today, season_of(today, self.server_settings.of(guild_id).season).start)

    async def _run(self) -> None:
        await self.scheduler.sleep(FIRST_AFTER)
        while True:
            now = self.scheduler.now() - round(1000 * SAVING)
            today = day_of(now)
            if self._done != today:
                self._done = today
                await self._go_through_all()
                if self._done is not None:
                    continue  # the next day may have begun meanwhile
            left = (ends_at(today) - now) / 1000
            await self.scheduler.sleep(min(left, LOOKS_EVERY))

    async def _go_through_all(self) -> None:
        """Bring all servers up to date, as far as the store can be read and written."""
        try:
            played_in = [*await self.queries.played_in(), *await self.queries.counts_under_way()]
        except StoreError:  # the store has reported it
            self._done = None
            return
        for guild_id in dict.fromkeys(played_in):
            if self.queries.serves.includes(guild_id):
                await self._tried(guild_id)

    async def _tried(self, guild_id: int) -> None:
        try:
            await self.bring_up_to_date(guild_id)
        except StoreError:
            self._done = None  # it is tried again in some minutes
        except Exception as error:  # noqa: BLE001  whatever it is, the other servers come next
            _log.warning("the leaderboards of a server could not be brought up to date: %s", type(error).__name__)

    async def bring_up_to_date(self, guild_id: int) -> None:
        """Count a server again if it has to be, move all that has to be moved, and judge its seasons. Raises
        StoreError."""
        while await self.queries.is_counting(guild_id) and not await self.queries.count_some(guild_id):
            await self.scheduler.sleep(PAUSE)
        if not await self.queries.is_current(guild_id, self.dates(guild_id)):
            while not await self.queries.roll(guild_id, self.dates(guild_id)):  # a day may begin meanwhile
                await self.scheduler.sleep(PAUSE)
        await self.seasons.judge(guild_id, self.days.today(), self.server_settings.of(guild_id).season)


TOLD_FOR: Final = 7
"""For how many days after its end a season has a message, which follows who hides or has their data deleted."""
MOST_KEPT: Final = 100
SHOWN: Final = 10


@dataclass(slots=True, eq=False)
class SeasonEnds:
    """The final standings of all servers, each read once a day, and again when somebody in it hides or has their data
    deleted."""

    store: Store
    queries: LeaderboardQueries
    days: Days
    server_settings: KnownServerSettings
    wording: Wording
    _read: Kept[int, tuple[int, range, Reset | None, list[Ranked]]] = field(
        default_factory=lambda: Kept("final tables", MOST_KEPT), init=False
    )

    async def post(self, guild_id: int) -> WeekPost | None:
        """The final standings of the season that ended in the last days. Raises StoreError."""
        today, length = self.days.today(), self.server_settings.of(guild_id).season
        stop = season_of(today, length).start
        if today - stop >= TOLD_FOR:
            return None
        season = season_of(stop - 1, length)
        standings = await self._standings(guild_id, today, season)
        if not standings:
            return None
        shown, words = standings[:SHOWN], self.wording.of_server(guild_id)
        users = [each.user_id for each in shown]
        names = dict(zip(users, await self.wording.loaded(guild_id, users, words), strict=True))
        firsts = tuple([each.user_id for each in standings if each.rank == 1])
        return WeekPost(season_screen(season, shown, len(standings), names, words), stop, firsts)

    async def _standings(self, guild_id: int, today: int, season: range) -> list[Ranked]:
        if await self.queries.is_counting(guild_id):
            raise Busy("the server is being counted again")
        found, reset = self._read.get(guild_id), await self.queries.latest_reset(guild_id)
        named = [] if found is None else [each.user_id for each in found[3] if each.rank <= SHOWN]
        if found is None or found[:3] != (today, season, reset) or not await self.queries.are_listed(guild_id, named):
            found = today, season, reset, await final_standings(self.store, guild_id, season)
            self._read[guild_id] = found
        return found[3]
