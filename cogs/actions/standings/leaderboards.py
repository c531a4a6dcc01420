"""Leaderboards: shown by commands and presses, one page at a time, with the reader's own rank on every page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from bot.games import GAMES
from bot.play.daily.days import begins_at
from bot.play.refusals import MaybeSaved, Refused, Unsaved, translate_errors
from bot.play.servers.seasons import season_of
from bot.store.boards import ALL_GAMES, Board, BoardDates, PageOf, PageRequest, Span
from bot.store.errors import StoreError
from bot.ui.screen import Screen
from cogs.actions.component_press import ComponentPress, Verb
from cogs.app import CardroomApp
from cogs.interactions import responses
from cogs.interactions.responses import Interaction, translations_for
from cogs.screens import custom_ids
from cogs.screens.leaderboards import board_ids
from cogs.screens.leaderboards.board_screen import BoardView, board_screen

PAGE: Final = 10
FIRST: Final = PageRequest()
MOST_ROLLS: Final = 40
"""How often a reader waits for a few lines to be moved, when a day or a season has passed. In a server so large that
this is not enough, they see what is there, and the next reader moves more."""

CheckInstalled = Callable[[ComponentPress, str], Awaitable[None]]
"""Raises NotInstalled for a game that was played in the server and is not installed any more."""


class BoardPresses:
    """What the buttons and lists of leaderboards do, those of older versions too."""

    def __init__(self, app: CardroomApp, check_installed: CheckInstalled) -> None:
        self._app = app
        self._check_installed = check_installed
        self.verbs: dict[str, Verb] = {
            board_ids.SHOW: self._show_page,
            board_ids.HIDE: self._hide,
            "ranks": self._ranks,
            "ownrank": self._own_rank,
            "standings": self._standings,
        }

    async def _show_page(self, press: ComponentPress) -> None:
        span, game, request = board_ids.read(press.arg)
        await self._show(press, span, game, request)

    async def _hide(self, press: ComponentPress) -> None:
        """Leave the presser out of the lists of this server, or put them back."""
        span, game, hidden = board_ids.read_choice(press.arg)
        await self._check(press, game)
        guild_id = _server(press.interaction)
        try:
            await translate_errors(self._app.store.set_hidden(guild_id, press.user_id, hidden=hidden))
        except MaybeSaved:
            raise
        except Unsaved:
            raise Refused("ladder.unsaved") from None
        note = translations_for(press.interaction)("ladder.now_hidden" if hidden else "ladder.now_listed")
        await self._show(press, span, game, FIRST, note)

    async def _ranks(self, press: ComponentPress) -> None:
        """Show a page by its number, as buttons of older versions name it."""
        request = PageRequest(position=custom_ids.read_page(press.arg) * PAGE)
        await self._show(press, Span.ALL_TIME, press.target, request)

    async def _own_rank(self, press: ComponentPress) -> None:
        await self._show(press, Span.ALL_TIME, press.target, PageRequest(PageOf.OWN))

    async def _standings(self, press: ComponentPress) -> None:
        """Show the game that was chosen from the list of an older version."""
        if not press.arg:
            raise custom_ids.UnknownCustomId("no game")
        await self._show(press, Span.ALL_TIME, press.arg, FIRST)

    async def _show(self, press: ComponentPress, span: Span, game: str, request: PageRequest, note: str = "") -> None:
        await self._check(press, game)
        await show_board(self._app, press.interaction, span, game, request, note=note)

    async def _check(self, press: ComponentPress, game: str) -> None:
        if game != ALL_GAMES and game not in GAMES:
            await self._check_installed(press, game)
            raise custom_ids.UnknownCustomId("no such game")


async def show_board(
    app: CardroomApp,
    interaction: Interaction,
    span: Span,
    game: str,
    request: PageRequest = FIRST,
    *,
    note: str = "",
) -> None:
    """Answer with a page of a leaderboard, which only its reader sees. Raises Refused outside of servers."""
    view = await board_view(app, interaction, span, game, request)
    screen: Screen = board_screen(view, translations_for(interaction), note)
    await responses.reply_private(interaction, screen, view.table)


async def board_view(
    app: CardroomApp, interaction: Interaction, span: Span, game: str, request: PageRequest = FIRST
) -> BoardView:
    """What the reader sees of a leaderboard. Raises Refused outside of servers."""
    guild_id, reader = _server(interaction), interaction.user.id
    today = app.daily.today()
    season = season_of(today, app.server_settings.of(guild_id).season)
    await bring_up_to_date(app, guild_id, BoardDates.on(today, season.start))
    page = await app.store.board_page(Board(guild_id, game, span), reader, request, PAGE)
    hidden = await app.store.is_hidden(guild_id, reader)
    users = [entry.place.user_id for entry in page.entries]
    await app.display_names.load(guild_id, users)
    names = app.wording.names(guild_id, users, translations_for(interaction))
    ends = begins_at(season.stop) // 1000
    return BoardView(span, game, page, dict(zip(users, names, strict=True)), reader, hidden, ends)


async def bring_up_to_date(app: CardroomApp, guild_id: int, dates: BoardDates) -> None:
    """Judge seasons that have ended, and move what has left the last days or the season, and those who are no longer
    active."""
    if await app.store.are_boards_current(guild_id, dates):
        return
    try:
        await app.judge_seasons(guild_id)
        for _ in range(MOST_ROLLS):
            if await app.store.roll_boards(guild_id, dates):
                return
    except StoreError:
        return  # yesterday's leaderboard is better than none, and the store has reported what failed


def _server(interaction: Interaction) -> int:
    if interaction.guild_id is None:
        raise Refused("place.not_a_server")
    return interaction.guild_id
