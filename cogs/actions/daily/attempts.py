"""The command /daily and its buttons: the deals of the day, each person's one try, and how everybody did."""

from __future__ import annotations

from typing import Final

from discord import app_commands

from bot.games import GAMES
from bot.languages import DEFAULT_LANGUAGE
from bot.play.daily.dealing import daily_games
from bot.play.daily.results import streak
from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused
from bot.store.rows.daily import DailyAttempt
from bot.ui.catalogue import translations
from cogs.actions.challenging import check_place
from cogs.actions.component_press import ComponentPress, Verb
from cogs.actions.game_commands import IN_SERVERS
from cogs.actions.hands.showing import show_hand
from cogs.app import CardroomApp
from cogs.interactions import responses
from cogs.interactions.responses import Interaction, translations_for
from cogs.screens.board import board_screen
from cogs.screens.custom_ids import UnknownCustomId
from cogs.screens.daily.day_screen import TABLE, TodaysDeal, day_screen
from cogs.screens.daily.result_screen import result_screen
from cogs.screens.deals.deal_line import played_deal

COMMAND: Final = "daily"


def setup(app: CardroomApp) -> None:
    """Register the command."""
    say = translations(DEFAULT_LANGUAGE)

    @app_commands.command(name=COMMAND, description=say("command.daily"))
    @app_commands.describe(game=say("option.daily_game"))
    @app_commands.choices(game=[app_commands.Choice(name=GAMES[key].info.title, value=key) for key in daily_games()])
    async def daily(interaction: Interaction, game: app_commands.Choice[str] | None = None) -> None:
        with app.presses.take_up(TABLE, interaction.id) as changes:
            await app.wording.remember_names(interaction)
            press = ComponentPress(interaction, TABLE, COMMAND, 0, game.value if game else "", changes)
            await (DailyPresses(app).play(press) if game else DailyPresses(app).show_day(press))

    daily.allowed_contexts = IN_SERVERS["allowed_contexts"]
    daily.allowed_installs = IN_SERVERS["allowed_installs"]
    app.tree.add_command(daily)


class DailyPresses:
    """What the buttons of the deal of the day do."""

    def __init__(self, app: CardroomApp) -> None:
        self._app = app
        self.verbs: dict[str, Verb] = {"daily": self.show_day, "dailyplay": self.play, "dailyend": self._look}

    async def show_day(self, press: ComponentPress) -> None:
        """Show today's deals, with what the reader has made of them, and their attempts of yesterday."""
        daily, guild_id, user = self._app.daily, _server(press.interaction), press.user_id
        deals = [await daily.deal(guild_id, game) for game in daily_games()]
        today = [TodaysDeal(deal, await daily.attempt(deal, user)) for deal in deals]
        day = deals[0].day if deals else daily.today()
        found = [await self._app.store.attempt(guild_id, game, day - 1, user) for game in daily_games()]
        words = translations_for(press.interaction)
        yesterday = [attempt for attempt in found if attempt is not None and attempt.result is not None]
        await responses.reply_private(press.interaction, day_screen(today, yesterday, day, words), TABLE)

    async def play(self, press: ComponentPress) -> None:
        """Begin an attempt at the deal of a game, open its hand again, or show how it ended.

        Raises Refused if no match can begin here.
        """
        app, guild_id, user = self._app, _server(press.interaction), press.user_id
        deal = await app.daily.deal(guild_id, press.arg)
        attempt = await app.daily.attempt(deal, user)
        match = None
        if attempt is None:
            _, channel_id = await check_place(app, press.interaction)
            match = await app.daily.begin(deal, user, channel_id, press.changes)
            attempt = None if match is not None else await app.daily.attempt(deal, user)
        if match is None and attempt is not None:
            match = await app.find_match(press.interaction, attempt.match_id)
        if match is None:
            raise Refused("match.unknown")
        await self._show(press, match)

    async def _look(self, press: ComponentPress) -> None:
        """Show how an attempt ended: before its day is over without a card, and then with everything."""
        await self._show(press, await self._app.find_match(press.interaction, press.arg))

    async def _show(self, press: ComponentPress, match: LiveMatch) -> None:
        app, seat = self._app, match.seat_of(press.user_id)
        if match.day is None:
            raise UnknownCustomId("no deal of the day")
        if not match.over:
            if seat is None:
                raise Refused("match.not_seated")
            await show_hand(app, press, match, seat)
            return
        if app.daily.closed_until(match) is not None:
            await self._show_result(press, match)
            return
        reader = await app.readers.pressing(press.interaction, match, None)
        screen = board_screen(match, app.presenters[match.game.info.key], reader)
        await responses.reply_private(press.interaction, screen, match.id)

    async def _show_result(self, press: ComponentPress, match: LiveMatch) -> None:
        app, game, day = self._app, match.game.info.key, match.day or 0
        attempts = await app.store.attempts_on(match.guild_id, day)
        of_game = [attempt for attempt in attempts if attempt.game == game]
        own = next((attempt for attempt in of_game if attempt.match_id == match.id), None)
        if own is None:
            raise Refused("match.unknown")
        words = translations_for(press.interaction)
        length = await streak_of(app, own)
        screen = result_screen(own, of_game, length, words, footer=played_deal(match, words))
        await responses.reply_private(press.interaction, screen, match.id)


async def streak_of(app: CardroomApp, attempt: DailyAttempt) -> int:
    """How many days in a row, up to that of an attempt, its person has finished the deal of its game."""
    days = await app.store.days_finished(attempt.guild_id, attempt.game, attempt.user_id)
    return streak(days, attempt.day)


def _server(interaction: Interaction) -> int:
    if interaction.guild_id is None:
        raise Refused("place.not_a_server")
    return interaction.guild_id
