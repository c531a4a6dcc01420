"""The command /daily and its buttons: the deals of the day, each person's one try, and how everybody did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from discord import app_commands

from bot.gateway.command_texts import Describe
from bot.play.closed_deals import ClosedDeals
from bot.play.deals.tried import tried_games
from bot.play.live_match import LiveMatch
from bot.play.match_press import MatchPresses
from bot.play.refusals import Refused
from cogs.actions.challenging import TermsReader
from cogs.actions.command_parameters import game_choices
from cogs.actions.component_press import Capability, Command, ComponentPress, Verbs
from cogs.actions.finding import Finder
from cogs.actions.playing import Hands
from cogs.daily.deals import DailyDeals, open_deals
from cogs.daily.queries import DailyAttempt, DailyDeal, DailyQueries
from cogs.daily.screens import SUBJECT, OpenDeal, TodaysDeal, day_screen, result_screen, seals_screen
from cogs.interactions.responses import Interaction
from cogs.interactions.venues import direct_too, venue_id_of
from cogs.screens.additions import arranged
from cogs.screens.custom_ids import UnknownCustomId
from cogs.wording import Readers

COMMAND: Final = "daily"


@dataclass(slots=True, eq=False)
class Daily(Capability):
    """The command `/daily` and its buttons."""

    verbs = Verbs()

    deals: DailyDeals
    queries: DailyQueries
    closed_deals: ClosedDeals
    hands: Hands
    finder: Finder
    terms: TermsReader
    presses: MatchPresses
    readers: Readers

    @verbs("daily")
    async def show_day(self, press: ComponentPress) -> None:
        """Show today's deals, with what the reader has made of them, and their attempts of yesterday."""
        deals, guild_id, user = self.deals, venue_id_of(press.interaction), press.user_id
        todays = [await deals.deal(guild_id, game) for game in tried_games()]
        today = [TodaysDeal(deal, await deals.attempt(deal, user)) for deal in todays]
        day = todays[0].day if todays else self.closed_deals.today()
        yesterday = []
        for deal in await self._deals_of(guild_id, day - 1):
            attempt = await deals.attempt(deal, user)
            if attempt is not None and attempt.result is not None:
                yesterday.append(OpenDeal(deal, (attempt,)))
        await press.reply(day_screen(today, yesterday, day, press.words), SUBJECT)

    @verbs("dailyproof")
    async def _show_seals(self, press: ComponentPress) -> None:
        """Show the seals of today's deals, which somebody may note before they play."""
        guild_id = venue_id_of(press.interaction)
        deals = [await self.deals.deal(guild_id, game) for game in tried_games()]
        today = self.closed_deals.today()
        yesterday = await self._deals_of(guild_id, today - 1)
        await press.reply(seals_screen(deals, yesterday, today, press.words), SUBJECT)

    async def _deals_of(self, guild_id: int, day: int) -> list[DailyDeal]:
        """The deals of a server on a day, as far as they are open."""
        return await open_deals(self.queries, self.closed_deals, guild_id, day, tried_games())

    @verbs("dailyplay")
    async def play(self, press: ComponentPress) -> None:
        """Begin an attempt at the deal of a game, open its hand again, or show how it ended.

        Raises Refused if no match can begin here.
        """
        guild_id, user = venue_id_of(press.interaction), press.user_id
        deal = await self.deals.deal(guild_id, press.arg)
        attempt = await self.deals.attempt(deal, user)
        match = None
        if attempt is None:
            _, channel_id = await self.terms.check_begin(press.interaction, direct=True)
            match = await self.deals.begin(deal, user, channel_id, press.changes)
            attempt = None if match is not None else await self.deals.attempt(deal, user)
        if match is None and attempt is not None:
            match = await self.finder.match(press.interaction, attempt.match_id)
        if match is None:
            raise Refused("match.unknown")
        await self._show(press, match)

    @verbs("dailyend")
    async def _look(self, press: ComponentPress) -> None:
        """Show how an attempt ended: before its day is over without a card, and then with everything."""
        await self._show(press, await self.finder.match(press.interaction, press.arg))

    async def _show(self, press: ComponentPress, match: LiveMatch) -> None:
        seat = match.seat_of(press.user_id)
        if match.day is None or match.everywhere:
            raise UnknownCustomId("no deal of the day")
        if not match.over:
            if seat is None:
                raise Refused("match.not_seated")
            await self.hands.show(press, match, seat)
            return
        if self.closed_deals.closing(match) is not None:
            await self._show_result(press, match)
            return
        await self.hands.show_board(press, match)

    async def _show_result(self, press: ComponentPress, match: LiveMatch) -> None:
        game, day = match.game.info.key, match.day or 0
        attempts = await self.queries.attempts_on(match.guild_id, day)
        of_game = [attempt for attempt in attempts if attempt.game == game]
        own = next((attempt for attempt in of_game if attempt.match_id == match.id), None)
        if own is None:
            raise Refused("match.unknown")
        reader = await self.readers.pressing(press.interaction, match, match.seat_of(press.user_id))
        added = arranged((), reader.added.deal, match, reader)
        screen = result_screen(own, of_game, await self.streak_of(own), reader.words, added=added)
        await press.reply(screen, match.id)

    def _commands(self, say: Describe) -> tuple[Command, ...]:
        @direct_too
        @app_commands.command(name=COMMAND, description=say("command.daily"))
        @app_commands.describe(game=say("option.daily_game"))
        @app_commands.choices(game=game_choices(tried_games()))
        async def daily(interaction: Interaction, game: app_commands.Choice[str] | None = None) -> None:
            with self.presses.take_up(SUBJECT, interaction.id) as changes:
                press = ComponentPress(interaction, SUBJECT, COMMAND, 0, game.value if game else "", changes)
                await (self.play(press) if game else self.show_day(press))

        return (daily,)

    async def streak_of(self, attempt: DailyAttempt) -> int:
        """How many days in a row, up to that of an attempt, its person has finished the deal of its game."""
        return await self.queries.streak(attempt.guild_id, attempt.game, attempt.user_id, attempt.day)
