"""What a server reads of a season that has ended: its final table, for a week."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from bot.kept import Kept
from bot.play.days import Days
from bot.play.seasons import Ranked, final_table, season_of
from bot.play.server_settings import KnownServerSettings
from bot.store.errors import Busy
from bot.store.queries.resets import Reset
from bot.store.store import Store
from cogs.leaderboards.queries import LeaderboardTables
from cogs.leaderboards.screens import season_screen
from cogs.updates.server_week import WeekPost
from cogs.wording import Wording

TOLD_FOR: Final = 7
"""For how many days after its end a season has a message, which follows who hides or has their data deleted."""
MOST_KEPT: Final = 100
SHOWN: Final = 10


@dataclass(slots=True, eq=False)
class SeasonEnds:
    """The final tables of all servers, each read once a day."""

    store: Store
    tables: LeaderboardTables
    days: Days
    server_settings: KnownServerSettings
    wording: Wording
    _read: Kept[int, tuple[int, range, Reset | None, list[Ranked]]] = field(
        default_factory=lambda: Kept("final tables", MOST_KEPT), init=False
    )

    async def post(self, guild_id: int) -> WeekPost | None:
        """The final table of the season that ended in the last days. Raises StoreError."""
        today, length = self.days.today(), self.server_settings.of(guild_id).season
        stop = season_of(today, length).start
        if today - stop >= TOLD_FOR:
            return None
        season = season_of(stop - 1, length)
        table = await self._table(guild_id, today, season)
        if not table:
            return None
        shown, words = table[:SHOWN], self.wording.of_server(guild_id)
        users = [each.user_id for each in shown]
        names = dict(zip(users, await self.wording.loaded(guild_id, users, words), strict=True))
        firsts = tuple(each.user_id for each in table if each.rank == 1)
        return WeekPost(season_screen(season, shown, len(table), names, words), stop, firsts)

    async def _table(self, guild_id: int, today: int, season: range) -> list[Ranked]:
        if await self.tables.is_counting(guild_id):
            raise Busy("the server is being counted again")
        found, reset = self._read.get(guild_id), await self.tables.latest_reset(guild_id)
        if found is None or found[:3] != (today, season, reset):
            found = today, season, reset, await final_table(self.store, guild_id, season)
            self._read[guild_id] = found
        return found[3]
