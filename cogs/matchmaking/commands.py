"""The command /play, and who is notified of tables.

It seats one person, with two presses at most.

With a game named, it sits them down at once where somebody waits. If nobody does, it opens a table that starts by
itself, and offers the computer meanwhile. Without a game it offers what there is, and one press does the same. Every
answer is private; a new table is a message of the bot's own in the channel, which anybody can join there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from discord import app_commands

from bot.games import GAMES
from bot.gateway.command_texts import Describe
from bot.play.computers.levels import DEFAULT
from bot.play.match_registry import MatchRegistry
from bot.play.refusals import NotInstalled, Refused, Unsaved, translate_errors
from bot.play.server_settings import KnownServerSettings
from bot.store.queries.invitations import Invitation
from cogs.actions.challenging import TermsReader, check_roles
from cogs.actions.command_parameters import game_choices
from cogs.actions.component_press import Capability, Command, ComponentPress, Verbs
from cogs.actions.computer_matches import ComputerMatches, computers
from cogs.interactions.responses import Interaction, answer_beside, reply_private, translations_for
from cogs.interactions.venues import in_servers
from cogs.matchmaking.queries import TableSubscriptions
from cogs.matchmaking.screens import PLAY, SUBJECT, choice_screen, table_notices_screen, tables_screen
from cogs.matchmaking.tables import SittingDown, TableSearch, WaitingTables, show_waiting
from cogs.screens.custom_ids import UnknownCustomId


@dataclass(slots=True, eq=False)
class Play(Capability):
    """The command `/play` and its buttons."""

    verbs = Verbs()

    search: TableSearch
    sitting: SittingDown
    waiting: WaitingTables
    terms: TermsReader
    computer_matches: ComputerMatches
    matches: MatchRegistry
    server_settings: KnownServerSettings

    @verbs("play")
    async def _begin(self, press: ComponentPress) -> None:
        """Do as the command does, with a game that was chosen or without one."""
        await self._find(press.interaction, _game(press.arg) if press.arg else "")

    @verbs("seat")
    async def _sit(self, press: ComponentPress) -> None:
        """Sit down at a table that was offered. If it is gone, offer what there is now."""
        interaction = press.interaction
        begun = self.matches.playing(press.arg)
        if begun is not None and begun.guild_id == interaction.guild_id and press.user_id in begun.seats:
            await self.sitting.show_match(interaction, begun)  # the answer to the press that did it was lost
            return
        table = self.search.table(press.arg)
        if table is not None and table.guild_id != interaction.guild_id:
            raise Refused("challenge.unknown")
        if table is not None and press.user_id in table.seated:
            await show_waiting(interaction, table, again=True)
            return
        if table is not None and table not in await self.search.fitting(interaction, table.game, only=table):
            table = None
        say = translations_for(interaction)
        if table is None:
            await self._offer(interaction, say("play.gone"))
            return
        check_roles(self.server_settings, interaction)
        try:
            await self.sitting.seat(interaction, table)
        except Unsaved:
            raise
        except Refused as refused:
            await self._offer(interaction, say(refused.key, **refused.values))

    @verbs("meanwhile")
    async def _practise(self, press: ComponentPress) -> None:
        """Play the computer, while nobody else is there. Show the match if there is one already.

        Where somebody waits at a table, the message that says so stays.
        """
        interaction, game = press.interaction, _game(press.arg)
        if self.search.waits_at(interaction.guild_id or 0, press.user_id):
            answer_beside(interaction)
        await self.computer_matches.once(interaction, self._play_computer(interaction, game))

    async def _play_computer(self, interaction: Interaction, game: str) -> None:
        match = self.computer_matches.played(interaction, game)
        if match is not None:
            await (self.sitting.show_match if match.has_clock else self.computer_matches.show)(interaction, match)
            return
        seated = computers(game, DEFAULT, max(1, GAMES[game].info.seats[0] - 1))
        terms = await self.terms.read(interaction, game, {}, chosen_for=1 + len(seated))
        await self.computer_matches.begin(interaction, terms, seated)

    def _commands(self, say: Describe) -> tuple[Command, ...]:
        @in_servers
        @app_commands.command(name="play", description=say("command.play"))
        @app_commands.describe(game=say("option.play_game"))
        @app_commands.choices(game=game_choices())
        async def play(interaction: Interaction, game: app_commands.Choice[str] | None = None) -> None:
            await self._find(interaction, "" if game is None else game.value)

        return (play,)

    async def _find(self, interaction: Interaction, game: str) -> None:
        """Find somebody for a game, or offer all (""). Raises Refused."""
        if game:
            await self._play(interaction, game)
        else:
            await self.terms.check_begin(interaction)
            await self._offer(interaction)

    async def _offer(self, interaction: Interaction, note: str = "") -> None:
        """Show the tables with room, and the games to begin with."""
        say, guild_id, user = translations_for(interaction), interaction.guild_id or 0, interaction.user.id
        found = await self.search.offered(interaction, await self.search.fitting(interaction, None))
        screen = choice_screen(
            found, self.search.waits_at(guild_id, user), await self.search.games(interaction), say, note
        )
        await reply_private(interaction, screen, PLAY)

    async def _play(self, interaction: Interaction, game: str) -> None:
        """Sit down where somebody waits for this game, or open a table and wait there. Raises Refused."""
        guild_id, user = interaction.guild_id or 0, interaction.user.id
        terms = await self.terms.read(interaction, game, {}, chosen_for=GAMES[game].info.seats[0])
        note, refusing = "", set[str]()
        while True:
            async with self.search.alone_in(guild_id):
                own = [table for table in self.search.waits_at(guild_id, user) if table.game == game]
                if own:
                    await show_waiting(interaction, own[0], again=True)
                    return
                fitting = [table for table in await self.search.fitting(interaction, game) if table.id not in refusing]
                if not fitting:
                    await self.waiting.wait(interaction, terms)
                    return
            table = _best(fitting)
            if table is None:
                break
            try:
                await self.sitting.seat(interaction, table)
            except Unsaved:
                raise
            except Refused as refused:  # others were faster, or its match would be over a limit of theirs
                refusing.add(table.id)
                note = translations_for(interaction)(refused.key, **refused.values)
            else:
                return
        say = translations_for(interaction)
        screen = tables_screen(await self.search.offered(interaction, fitting), game, say, note)
        await reply_private(interaction, screen, PLAY)


def _game(key: str) -> str:
    """The key of a game that is installed. Raises NotInstalled for any other, and UnknownCustomId for none."""
    if not key:
        raise UnknownCustomId("no game")
    if key not in GAMES:
        raise NotInstalled(key)
    return key


def _best(fitting: Sequence[Invitation]) -> Invitation | None:
    """Where to sit down at once: at the first table that starts by itself, or at the only one. None if it is better
    to ask, because the tables differ in what their hosts chose."""
    alone = [table for table in fitting if table.auto_start]
    if alone:
        return alone[0]
    return fitting[0] if len(fitting) == 1 else None


@dataclass(slots=True, eq=False)
class TableNoticePresses(Capability):
    """Who is notified when a table opens, and of which games.

    A button under `/notify` and `/play` opens the screen. Nobody is notified of a table before they ask for it here.
    """

    verbs = Verbs()

    subscriptions: TableSubscriptions

    @verbs("tableson", "tablesoff")
    async def _choose_game(self, press: ComponentPress) -> None:
        if press.arg not in GAMES:
            raise UnknownCustomId("no such game")
        given, wanted = (press.server_id, press.user_id, press.arg), press.verb == "tableson"
        await translate_errors(self.subscriptions.set_subscription(*given, wanted=wanted))
        await self._show(press)

    @verbs("tables")
    async def _show(self, press: ComponentPress) -> None:
        user, guild_id = press.user_id, press.server_id
        wanted = await self.subscriptions.games_of(guild_id, user)
        note = "" if press.verb == "tables" else press.words("settings.saved")
        screen = table_notices_screen(wanted, press.words, note)
        await press.reply(screen, SUBJECT)
