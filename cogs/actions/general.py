"""The commands that belong to no game: /games, /leaderboard, /help."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.games import GAMES
from bot.languages import DEFAULT_LANGUAGE
from bot.store.boards import ALL_GAMES, Span
from bot.time_controls import TIME_CONTROLS, time_control
from bot.ui.catalogue import Translations, translations
from bot.ui.screen import Screen, Text
from cogs.actions.challenging import check_opponent, check_place
from cogs.actions.command_parameters import MOST_CHOICES
from cogs.actions.game_commands import IN_SERVERS, IN_SERVERS_AND_DIRECT, players_label
from cogs.actions.match_list import LISTED, match_list_screen
from cogs.actions.standings.leaderboards import show_board
from cogs.app import CardroomApp
from cogs.interactions import responses
from cogs.interactions.responses import Interaction, translations_for
from cogs.screens.challenge_panel import Panel, panel_screen
from cogs.screens.leaderboards.board_ids import EVERY
from cogs.screens.lessons.lesson_screen import lesson_list
from cogs.screens.presenter import taught_games
from cogs.screens.time_control_text import time_control_label


def setup(app: CardroomApp) -> None:
    """Register the commands."""
    say = translations(DEFAULT_LANGUAGE)

    @app_commands.command(name="games", description=say("command.games"))
    async def games(interaction: Interaction) -> None:
        await responses.reply_private(interaction, await match_list_screen(app, interaction, 0), LISTED)

    @app_commands.command(name="leaderboard", description=say("command.leaderboard"))
    @app_commands.describe(game=say("option.game"))
    @app_commands.choices(
        game=[
            *(app_commands.Choice(name=g.info.title, value=key) for key, g in [*GAMES.items()][: MOST_CHOICES - 1]),
            app_commands.Choice(name=say("ladder.all_games"), value=EVERY),
        ]
    )
    async def leaderboard(interaction: Interaction, game: app_commands.Choice[str] | None = None) -> None:
        key = game.value if game else await favourite(app, interaction)
        await show_board(app, interaction, Span.ALL_TIME, ALL_GAMES if key == EVERY else key)

    @app_commands.command(name="help", description=say("command.help"))
    async def help_(interaction: Interaction) -> None:
        screen = help_screen(translations_for(interaction), taught_games(app.presenters))
        await responses.reply_private(interaction, screen, "help")

    async def challenge(interaction: Interaction, member: discord.User) -> None:
        await check_place(app, interaction)
        check_opponent(interaction, member)
        await app.wording.remember_names(interaction, member)
        guild_id = interaction.guild_id or 0
        defaults = app.server_settings.of(guild_id).defaults_of
        panel = Panel.first(member.id, time_control(app.settings.default_clock), defaults)
        words = translations_for(interaction)
        screen = panel_screen(panel, app.wording.name(guild_id, member.id, words), words, defaults)
        await responses.reply_private(interaction, screen, "panel")

    app.tree.add_command(app_commands.ContextMenu(name=say("command.menu"), callback=challenge, **IN_SERVERS))
    commands: tuple[app_commands.Command[Any, ..., None], ...] = (games, leaderboard, help_)
    for command in commands:
        command.allowed_contexts = IN_SERVERS["allowed_contexts"] if command is not games else IN_SERVERS_AND_DIRECT
        command.allowed_installs = IN_SERVERS["allowed_installs"]
        app.tree.add_command(command)


async def favourite(app: CardroomApp, interaction: Interaction) -> str:
    """The game of a leaderboard if the command names none: the one with the most players in the server, or the first
    game."""
    played = await app.store.games_played(interaction.guild_id or 0)
    sizes = {game: await app.store.count_ranked(interaction.guild_id or 0, game) for game in played if game in GAMES}
    return max(sizes, key=lambda game: sizes[game]) if sizes else next(iter(GAMES))


def help_screen(say: Translations, taught: tuple[str, ...] = ()) -> Screen:
    """What the bot is and which commands there are; and a list of the games that have a lesson."""
    listed = [
        say("help.game", game=game.info.title, key=key, players=players_label(game.info.seats, say))
        for key, game in GAMES.items()
    ]
    clocks = " · ".join(time_control_label(each, say) for each in TIME_CONTROLS.values())
    sections = (
        Text(say("help.intro")),
        Text("\n".join(listed)),
        Text(say("help.commands")),
        Text(say("help.clocks", clocks=clocks)),
        Text(say("help.promises")),
    )
    return Screen(say("help.title"), sections, lesson_list(taught, say))
