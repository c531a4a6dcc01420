"""The command /weekly and its buttons: the deals of the week, each person's one try, and how servers did."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from discord import app_commands

from bot.gateway.command_texts import Describe
from bot.play.deals.tried import TriedDeals, tried_games
from bot.play.live_match import LiveMatch
from bot.play.match_press import MatchPresses
from bot.play.refusals import Refused
from bot.play.server_settings import KnownServerSettings, WeeklyStandings
from bot.store.queries.attempts import TriedDeal
from cogs.actions.challenging import TermsReader
from cogs.actions.command_parameters import game_choices
from cogs.actions.component_press import Capability, Command, ComponentPress, Verbs
from cogs.actions.playing import Hands
from cogs.interactions.responses import Interaction
from cogs.interactions.venues import direct_too, venue_id_of
from cogs.screens.additions import arranged
from cogs.screens.custom_ids import UnknownCustomId
from cogs.weekly.deals import WEEK
from cogs.weekly.queries import WeeklyQueries
from cogs.weekly.scoring import Scoring
from cogs.weekly.screens import FIRST, MOST_NAMED, SUBJECT, Own, Standings, result_screen, seals_screen, week_screen

COMMAND: Final = "weekly"


@dataclass(slots=True, eq=False)
class Weekly(Capability):
    """The command `/weekly` and its buttons."""

    verbs = Verbs()

    queries: WeeklyQueries
    scoring: Scoring
    tried: TriedDeals
    hands: Hands
    terms: TermsReader
    presses: MatchPresses
    server_settings: KnownServerSettings

    def week(self) -> int:
        """The present week, by its last day."""
        return self.scoring.week()

    async def deal(self, game: str) -> TriedDeal:
        """This week's deal of a game, sealed now if nobody has asked for it before. Raises as `TriedDeals.sealed`."""
        return await self.tried.sealed(game, self.week(), self.queries.deal, self.queries.seal)

    @verbs("weekly")
    async def show_week(self, press: ComponentPress) -> None:
        """Show this week's deals with what the reader has made of them, how servers did last week, and the reader's own
        attempts of then."""
        week, user, venue = self.week(), press.user_id, venue_id_of(press.interaction)
        deals = [await self.deal(game) for game in tried_games()]
        present = [(deal, await self.queries.attempt(deal.game, week, user)) for deal in deals]
        former = week - WEEK
        own, standings = [], {}
        for deal in await self._open_deals(former):
            attempt = await self.queries.attempt(deal.game, former, user)
            if attempt is not None and attempt.result is not None and attempt.guild_id == venue:
                own.append(attempt)
            await self.scoring.catch_up(deal.game, former)
            first = await self.queries.standings(deal.game, former, FIRST)
            standings[deal.game] = Standings.of(first, venue)
        await press.reply(week_screen(present, own, standings, week, press.words), SUBJECT)

    @verbs("weeklyproof")
    async def _show_seals(self, press: ComponentPress) -> None:
        """Show the seals of this week's deals, and how those of last week were chosen."""
        deals, week = [await self.deal(game) for game in tried_games()], self.week()
        await press.reply(seals_screen(deals, await self._open_deals(week - WEEK), week, press.words), SUBJECT)

    async def _open_deals(self, week: int) -> list[TriedDeal]:
        """The deals of a week, as far as they are open: nobody plays them any more, in whichever process."""
        found = [await self.queries.deal(game, week) for game in tried_games()]
        return [
            deal
            for deal in found
            if deal is not None
            and self.hands.finder.closed_deals.closing_of_day(None, week, deal.deal_id) is None
            and not await self.queries.is_played(deal.game, week)
        ]

    @verbs("weeklyplay")
    async def play(self, press: ComponentPress) -> None:
        """Begin an attempt at the deal of a game, open its hand again, or show how it ended.

        Raises Refused if no match can begin here, and for who has tried the deal elsewhere.
        """
        user, guild_id = press.user_id, venue_id_of(press.interaction)
        deal = await self.deal(press.arg)
        attempt = await self.queries.attempt(deal.game, deal.day, user)
        match = None
        if attempt is None:
            venue = await self.terms.check_begin(press.interaction, direct=True)
            match = await self._begin(deal, press, venue)
            attempt = None if match is not None else await self.queries.attempt(deal.game, deal.day, user)
        if match is None and attempt is not None:
            if attempt.guild_id != guild_id:
                raise Refused("weekly.elsewhere")
            match = await self.hands.finder.match(press.interaction, attempt.match_id)
        if match is None:
            raise Refused("match.unknown")
        await self._show(press, match)

    async def _begin(self, deal: TriedDeal, press: ComponentPress, venue: tuple[int, int]) -> LiveMatch | None:
        save = partial(self.queries.open_attempt, server_name=self.hands.readers.wording.server_name(venue[0]))
        return await self.tried.begin(deal, press.user_id, venue, press.changes, save, everywhere=True)

    @verbs("weeklyend")
    async def _look(self, press: ComponentPress) -> None:
        """Show how an attempt ended: before its week is over without a card, and then with everything."""
        await self._show(press, await self.hands.finder.match(press.interaction, press.arg))

    async def _show(self, press: ComponentPress, match: LiveMatch) -> None:
        seat = match.seat_of(press.user_id)
        if not match.everywhere:
            raise UnknownCustomId("no deal of the week")
        if not match.over:
            if seat is None:
                raise Refused("match.not_seated")
            await self.hands.show(press, match, seat)
        elif self.hands.finder.closed_deals.closing(match) is not None or await self._is_played(match):
            await self._show_result(press, match)
        else:
            await self.hands.show_board(press, match)

    async def _is_played(self, match: LiveMatch) -> bool:
        return await self.queries.is_played(match.game.info.key, match.day or 0)

    async def _show_result(self, press: ComponentPress, match: LiveMatch) -> None:
        game, week, guild_id = match.game.info.key, match.day or 0, match.guild_id
        own = await self.queries.attempt(game, week, press.user_id)
        if own is None or own.match_id != match.id:
            raise Refused("match.unknown")
        await self.scoring.score_now(own)
        here = await self.queries.best_in(game, week, guild_id, MOST_NAMED)
        named = tuple([user_id for user_id, _ in here])
        words = press.words
        names = dict(zip(named, await self.hands.readers.wording.loaded(guild_id, named, words), strict=True))
        reader = await self.hands.readers.pressing(press.interaction, match, match.seat_of(press.user_id))
        added = arranged((), reader.added.deal, match, reader)
        shown = self.server_settings.of(guild_id).weekly is WeeklyStandings.SHOWN
        standings = Standings.of(await self.queries.standings(game, week, MOST_NAMED, guild_id), guild_id)
        screen = result_screen(Own(own, here, names, is_shown=shown), standings, words, added=added)
        await press.reply(screen, match.id)

    def _commands(self, say: Describe) -> tuple[Command, ...]:
        @direct_too
        @app_commands.command(name=COMMAND, description=say("command.weekly"))
        @app_commands.describe(game=say("option.daily_game"))
        @app_commands.choices(game=game_choices(tried_games()))
        async def weekly(interaction: Interaction, game: app_commands.Choice[str] | None = None) -> None:
            with self.presses.take_up(SUBJECT, interaction.id) as changes:
                press = ComponentPress(interaction, SUBJECT, COMMAND, 0, game.value if game else "", changes)
                await (self.play(press) if game else self.show_week(press))

        return (weekly,)
