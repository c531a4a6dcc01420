"""`/history`: a person's finished matches here, a page at a time, each of which can be opened as a replay."""

from __future__ import annotations

from collections.abc import Iterable

import discord
from discord import app_commands

from bot.games import GAMES
from bot.languages import DEFAULT_LANGUAGE
from bot.play.daily import DailyMatches
from bot.store.rows.replays import FinishedMatch, HistoryQuery
from bot.store.store import Store
from bot.ui.catalogue import translations
from bot.ui.screen import Screen
from cogs.actions.component_press import Capability, Command, ComponentPress, Verbs
from cogs.actions.finding import Finder
from cogs.interactions import responses
from cogs.interactions.places import IN_SERVERS, IN_SERVERS_AND_DIRECT, place_id_of
from cogs.interactions.responses import Interaction, translations_for
from cogs.screens.custom_ids import UnknownCustomId
from cogs.screens.replays.history_screen import LISTED, NEWER, OLDER, PAGE, HistoryPage, history_screen, read_edge
from cogs.wording import Wording


class History(Capability):
    """The command `/history`, and what turns its pages."""

    verbs = Verbs()

    def __init__(
        self,
        store: Store,
        daily: DailyMatches,
        wording: Wording,
        finder: Finder,
    ) -> None:
        self._store = store
        self._daily = daily
        self._wording = wording
        self._finder = finder

    @verbs("history")
    async def _turn(self, press: ComponentPress) -> None:
        user_id, game, edge = read_edge(press.arg)
        if press.window not in (NEWER, OLDER):
            raise UnknownCustomId("no page of a history")
        older = press.window == OLDER
        screen = await self._screen(press.interaction, user_id, game, edge, older=older)
        await responses.reply_private(press.interaction, screen, LISTED)

    def _commands(self) -> Iterable[Command]:
        say = translations(DEFAULT_LANGUAGE)

        @app_commands.command(name="history", description=say("command.history"))
        @app_commands.describe(user=say("option.history_user"), game=say("option.history_game"))
        @app_commands.choices(game=[app_commands.Choice(name=g.info.title, value=key) for key, g in GAMES.items()])
        async def history(
            interaction: Interaction, user: discord.User | None = None, game: app_commands.Choice[str] | None = None
        ) -> None:
            if user is not None:
                await self._wording.remember_names(interaction, user)
            wanted = interaction.user.id if user is None else user.id
            screen = await self._screen(interaction, wanted, "" if game is None else game.value)
            await responses.reply_private(interaction, screen, LISTED)

        history.allowed_contexts = IN_SERVERS_AND_DIRECT
        history.allowed_installs = IN_SERVERS["allowed_installs"]
        return (history,)

    async def _screen(
        self, interaction: Interaction, user_id: int, game: str, edge: str = "", *, older: bool = True
    ) -> Screen:
        """A page that begins next to the match `edge`; the first one without it, and if it is no place any more."""
        guild_id, viewer_id = place_id_of(interaction), interaction.user.id
        query = HistoryQuery(guild_id, user_id, viewer_id, self._daily.today(), game or None)
        page = await self._page(query, edge, older=older)
        people = {user_id, *(user for each in page.matches for user in each.row.seats)}
        await self._wording.load(guild_id, people)
        words = translations_for(interaction)

        def names(finished: FinishedMatch) -> tuple[str, ...]:
            return self._wording.names(guild_id, finished.row.seats, words)

        return history_screen(page, viewer_id, names, self._wording.name(guild_id, user_id, words), words)

    async def _page(self, query: HistoryQuery, edge: str, *, older: bool) -> HistoryPage:
        """The matches of a page, with one more to see whether there is another page."""
        game = query.game or ""
        if edge and await self._store.finished_match(query.guild_id, edge, query.viewer_id, query.today) is not None:
            if older:
                found = await self._store.finished_matches(query, PAGE + 1, before=edge)
                if found:
                    return HistoryPage(query.user_id, game, self._open(found[:PAGE]), len(found) > PAGE, newer=True)
            else:
                found = await self._store.finished_matches(query, PAGE + 1, after=edge)
                if len(found) > PAGE:
                    return HistoryPage(query.user_id, game, self._open(found[-PAGE:]), older=True, newer=True)
        found = await self._store.finished_matches(query, PAGE + 1)
        return HistoryPage(query.user_id, game, self._open(found[:PAGE]), len(found) > PAGE, newer=False)

    def _open(self, found: list[FinishedMatch]) -> list[FinishedMatch]:
        """Those whose deal is open: a day may have ended while somebody still played."""
        return [each for each in found if self._daily.closed_until(each.row) is None]
