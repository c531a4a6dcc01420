"""What a server reads of the deals of the day in the channel of its week: today's, and yesterday's table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.play.closed_deals import ClosedDeals
from bot.store.store import Store
from cogs.daily.deals import open_deals
from cogs.daily.queries import DailyTables
from cogs.daily.screens import OpenDeal, week_screen
from cogs.updates.server_week import WeekPost
from cogs.wording import Wording

RECENT: Final = 3
"""In how many days, today among them, somebody must have tried a deal. A silent server gets no message."""


@dataclass(frozen=True, slots=True, eq=False)
class DailyWeek:
    """The deals of the day, as whole servers read of them."""

    tables: DailyTables
    closed_deals: ClosedDeals
    store: Store
    wording: Wording

    async def post(self, guild_id: int) -> WeekPost | None:
        """Today's deals, and what people made of yesterday's; None if nobody has tried one lately. Raises
        StoreError."""
        today = self.closed_deals.today()
        yesterdays = await self.tables.attempts_on(guild_id, today - 1)
        others = (today, *range(today - RECENT + 1, today - 1))
        if not yesterdays and not any([await self.tables.attempts_on(guild_id, day) for day in others]):
            return None
        users = {each.user_id for each in yesterdays}
        listed = {user for user in users if not await self.store.is_hidden(guild_id, user)}
        told = [each for each in yesterdays if each.user_id in listed]
        games = dict.fromkeys(each.game for each in told)
        deals = await open_deals(self.tables, self.closed_deals, guild_id, today - 1, games)
        table = [OpenDeal(deal, [each for each in told if each.game == deal.game]) for deal in deals]
        words = self.wording.of_server(guild_id)
        asked = sorted(listed)
        names = dict(zip(asked, await self.wording.loaded(guild_id, asked, words), strict=True))
        return WeekPost(week_screen(table, today, names, words))
