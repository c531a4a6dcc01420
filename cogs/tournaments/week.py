"""What a server reads of its tournaments in the channel of its week: those that people can join."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.games import game_title
from bot.store.special_ids import message_link
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Press, Screen, Text
from cogs.tournaments.panel import format_name
from cogs.tournaments.queries import TournamentTables
from cogs.tournaments.rows import State, Tournament
from cogs.updates.server_week import WeekPost
from cogs.wording import Wording

MOST_TOLD: Final = 5


@dataclass(frozen=True, slots=True, eq=False)
class TournamentWeek:
    """The tournaments of servers that people can join, as whole servers read of them."""

    tables: TournamentTables
    wording: Wording

    async def post(self, guild_id: int) -> WeekPost | None:
        """Those that begin first; None if there are none. Raises StoreError."""
        found = [
            each
            for each in await self.tables.of_server(guild_id)
            if each.state is State.OPEN and each.message_id is not None
        ]
        if not found:
            return None
        first = sorted(found, key=lambda each: (each.closes_at, each.id))[:MOST_TOLD]
        return WeekPost(week_screen(first, self.wording.of_server(guild_id)))


def week_screen(tournaments: Sequence[Tournament], words: Translations) -> Screen:
    """These tournaments, each with the way to its message."""
    lines = [
        words(
            "tournament.week_line",
            game=game_title(each.game),
            format=format_name(each.format, each.seats, words),
            when=f"<t:{each.closes_at // 1000}:R>",
            link=message_link(each.guild_id, each.channel_id, each.message_id),
        )
        for each in tournaments
    ]
    own = Button(words("button.own_tournament"), Press("tournow"))
    return Screen(words("tournament.week"), (Text("\n".join(lines)),), ((own,),))
