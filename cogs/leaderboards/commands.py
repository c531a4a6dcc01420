"""Leaderboards: shown by commands and presses, one page at a time, with the reader's own rank on every page; and why a
rating changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from discord import app_commands

from bot.games import GAMES
from bot.gateway.command_texts import Describe
from bot.play.days import Days
from bot.play.refusals import Refused, translate_errors
from bot.play.seasons import season_of
from bot.play.server_settings import KnownServerSettings
from bot.scheduler import begins_at, day_of
from bot.store.errors import StoreError
from bot.store.queries.leaderboards import ALL_GAMES, Leaderboard, Span
from bot.store.store import Store
from bot.ui.catalogue import Translations
from cogs.actions.command_parameters import choices, game_choices
from cogs.actions.component_press import Capability, Command, ComponentPress, Verbs
from cogs.actions.finding import Finder
from cogs.actions.game_commands import GameCommand
from cogs.interactions.responses import Interaction, reply_private, translations_for
from cogs.interactions.venues import in_servers, server_of
from cogs.interactions.whose_rows import Whose, writes
from cogs.leaderboards import screens
from cogs.leaderboards.calendar import LeaderboardCalendar
from cogs.leaderboards.queries import LeaderboardQueries, PageOf, PageRequest
from cogs.screens import custom_ids
from cogs.screens.additions import Additions, arranged
from cogs.screens.renderer import MOST_OPTIONS
from cogs.wording import Wording

PAGE: Final = 10
FIRST: Final = PageRequest()
MOST_ROLLS: Final = 40
"""How often a reader waits for a few lines to be moved who comes before the calendar, or after a server's seasons got
another length. Where this is not enough, they see what is there, and read that it will change."""


@dataclass(slots=True, eq=False)
class Leaderboards(Capability):
    """The command `/leaderboard`, and what the buttons and lists of leaderboards do, those of older versions too."""

    verbs = Verbs()

    store: Store
    queries: LeaderboardQueries
    finder: Finder
    days: Days
    server_settings: KnownServerSettings
    wording: Wording
    calendar: LeaderboardCalendar
    additions: Additions
    """What rooms add behind *?*, and to an empty page."""

    @verbs(screens.SHOW)
    async def _show_page(self, press: ComponentPress) -> None:
        span, game, request = screens.read(press.arg)
        await self._show(press, span, game, request)

    @verbs(screens.HIDE)
    async def _hide(self, press: ComponentPress) -> None:
        """Leave the presser out of the lists of this server, or put them back."""
        span, game, hidden = screens.read_choice(press.arg)
        await self.check(press, game)
        await translate_errors(self.queries.set_hidden(press.server_id, press.user_id, hidden=hidden))
        listed = not await self.store.is_hidden(press.server_id, press.user_id)  # a moderator may have set them aside
        note = press.words("ladder.now_listed") if listed else press.words("ladder.now_hidden") if hidden else ""
        await self._show(press, span, game, FIRST, note)

    @verbs(screens.HOW)
    async def _explain(self, press: ComponentPress) -> None:
        """Say how a leaderboard ranks, and offer what is rarely pressed."""
        span, game, _ = screens.read(press.arg)
        await self.check(press, game)
        view = await self._view(press.interaction, span, game)
        manages = press.interaction.permissions.manage_guild
        await press.reply(screens.how_screen(view, press.words, manages=manages), press.target)

    @verbs("ranks")
    async def _ranks(self, press: ComponentPress) -> None:
        """Show a page by its number, as buttons of older versions name it."""
        request = PageRequest(position=custom_ids.read_page(press.arg) * PAGE)
        await self._show(press, Span.ALL_TIME, press.target, request)

    @verbs("ownrank")
    async def _own_rank(self, press: ComponentPress) -> None:
        await self._show(press, Span.ALL_TIME, press.target, PageRequest(PageOf.OWN))

    @verbs("standings")
    async def _standings(self, press: ComponentPress) -> None:
        """Show the game that was chosen from the list of an older version."""
        if not press.arg:
            raise custom_ids.UnknownCustomId("no game")
        await self._show(press, Span.ALL_TIME, press.arg, FIRST)

    async def _show(self, press: ComponentPress, span: Span, game: str, request: PageRequest, note: str = "") -> None:
        await self.check(press, game)
        await self.show(press.interaction, span, game, request, note=note)

    def _commands(self, say: Describe) -> tuple[Command, ...]:
        everywhere = choices([(say("ladder.all_games"), screens.EVERY)])

        @in_servers
        @writes(Whose.NOBODY)
        @app_commands.command(name="leaderboard", description=say("command.leaderboard"))
        @app_commands.describe(game=say("option.game"))
        @app_commands.choices(game=[*game_choices()[: MOST_OPTIONS - 1], *everywhere])
        async def leaderboard(interaction: Interaction, game: app_commands.Choice[str] | None = None) -> None:
            key = game.value if game else await self._last_played(interaction)
            await self.show(interaction, Span.ALL_TIME, ALL_GAMES if key == screens.EVERY else key)

        return (leaderboard,)

    def game_commands(self, game: str, say: Describe) -> Iterable[GameCommand]:
        """The command that shows the leaderboard of a game."""

        async def leaderboard(interaction: Interaction) -> None:
            await self.show(interaction, Span.ALL_TIME, game)

        about = say("command.game_leaderboard", game=GAMES[game].info.title)
        return (GameCommand(50, "leaderboard", about, leaderboard, writes=Whose.NOBODY),)

    async def _last_played(self, interaction: Interaction) -> str:
        """The game of the reader's latest match in the server; all games for who has finished none. Raises
        StoreError."""
        found = await self.store.latest_finished(interaction.guild_id or 0, interaction.user.id, 1)
        return next((row.game for row in found if row.game in GAMES), ALL_GAMES)

    async def check(self, press: ComponentPress, game: str) -> None:
        if game != ALL_GAMES and game not in GAMES:
            await self.finder.check_installed(press.interaction, game)
            raise custom_ids.UnknownCustomId("no such game")

    async def show(
        self,
        interaction: Interaction,
        span: Span,
        game: str,
        request: PageRequest = FIRST,
        *,
        note: str = "",
    ) -> None:
        """Answer with a page of a leaderboard, which only its reader sees. Raises Refused outside of servers."""
        is_current = await self.bring_up_to_date(server_of(interaction))
        view = await self._view(interaction, span, game, request)
        words = translations_for(interaction)
        waiting = "ladder.counting" if view.counting else "" if is_current else "ladder.updating"
        screen = screens.leaderboard_screen(view, words, note or (words(waiting) if waiting else ""))
        await reply_private(interaction, screen, view.subject)

    async def _view(
        self, interaction: Interaction, span: Span, game: str, request: PageRequest = FIRST
    ) -> screens.LeaderboardView:
        """What the reader sees of a leaderboard. Raises Refused outside of servers."""
        guild_id, words = server_of(interaction), translations_for(interaction)
        return await self.view(Leaderboard(guild_id, game, span), interaction.user.id, request, words)

    async def view(
        self, leaderboard: Leaderboard, reader: int, request: PageRequest, words: Translations
    ) -> screens.LeaderboardView:
        """What a reader sees of a leaderboard. Raises StoreError."""
        guild_id, game, span = leaderboard
        season = season_of(self.days.today(), self.server_settings.of(guild_id).season)
        page = await self.queries.page(leaderboard, reader, request, PAGE)
        hidden = await self.store.is_hidden(guild_id, reader)
        aside = await self.store.is_set_aside(guild_id, reader)
        users = [entry.key.user_id for entry in page.entries]
        names = dict(zip(users, await self.wording.loaded(guild_id, users, words), strict=True))
        ends = begins_at(season.stop) // 1000
        added, empty = (arranged((), each, words) for each in (self.additions.leaderboard, self.additions.empty))
        since, counting = await self._since(leaderboard), await self.queries.is_counting(guild_id)
        return screens.LeaderboardView(
            span, game, page, names, reader, hidden, ends, added, empty, aside, since, counting
        )

    async def _since(self, leaderboard: Leaderboard) -> int | None:
        """When a server's standings started over, in seconds since 1970, if its leaderboard would begin before."""
        reset, dates = await self.queries.latest_reset(leaderboard.guild_id), self.calendar.dates(leaderboard.guild_id)
        first = {Span.ALL_TIME: 0, Span.SEASON: dates.season, Span.LAST_DAYS: dates.week}[leaderboard.span]
        return None if reset is None or day_of(reset.at) < first else reset.at // 1000

    async def bring_up_to_date(self, guild_id: int) -> bool:
        """Move some of what the calendar has not moved yet. Returns whether nothing is left."""
        dates = self.calendar.dates(guild_id)
        try:
            if await self.queries.is_current(guild_id, dates):
                return True
            for _ in range(MOST_ROLLS):
                if await self.queries.roll(guild_id, dates):
                    return True
        except StoreError:  # yesterday's leaderboard is better than none, and the store has reported what failed
            return False
        return False


@dataclass(slots=True, eq=False)
class RatingPresses(Capability):
    """What the button *Why did my rating change?* does."""

    verbs = Verbs()

    finder: Finder
    store: Store

    @verbs(screens.RATING)
    async def _explain(self, press: ComponentPress) -> None:
        match = await self.finder.match(press.interaction, press.target)
        if not match.over:
            raise Refused("match.not_over")
        seat = match.seat_of(press.user_id)
        if seat is None:
            raise Refused("rating.not_seated")
        changes = await self.store.rating_changes(match.id)
        if not changes and match.result is not None and match.result.counted:
            raise Refused("ladder.counting")
        if not changes:
            raise Refused("rating.none")
        screen = screens.rating_screen(changes, seat, press.words)
        await press.reply(screen, match.id)
