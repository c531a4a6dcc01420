"""The command /help: what the bot is, and which commands there are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from discord import app_commands

from bot.games import GAMES
from bot.time_controls import TIME_CONTROLS
from bot.ui.catalogue import Translations
from bot.ui.screen import Screen, Text
from cogs.actions.component_press import Capability, Command
from cogs.actions.game_commands import players_label
from cogs.interactions.places import in_servers
from cogs.interactions.responses import Interaction, reply_private, translations_for
from cogs.screens.lessons.lesson_screen import lesson_list
from cogs.screens.presenter import Presenter, taught_games
from cogs.screens.time_control_text import time_control_label


@dataclass(slots=True, eq=False)
class Help(Capability):
    """The command `/help`."""

    presenters: Mapping[str, Presenter]

    def _commands(self, say: Translations) -> Iterable[Command]:
        @in_servers
        @app_commands.command(name="help", description=say("command.help"))
        async def help_(interaction: Interaction) -> None:
            screen = help_screen(translations_for(interaction), taught_games(self.presenters))
            await reply_private(interaction, screen, "help")

        return (help_,)


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
