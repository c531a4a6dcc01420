"""Makes the commands of every game, so that five games do not need five copies; and /help, which lists them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any, Final, TypeAlias

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.games import GAMES
from bot.gateway.command_texts import Describe, describe, text
from bot.play.clocks.stops import ClockStops
from bot.play.matchmaking.series import LENGTHS
from bot.play.refusals import Refused
from bot.time_controls import TIME_CONTROLS
from bot.ui.catalogue import Translations
from bot.ui.command_names import name_in
from bot.ui.screen import Button, Press, Screen, Text
from cogs.actions.challenging import Challenges, TermsReader, User
from cogs.actions.command_parameters import Parameter, add, parameters, series_parameters, stand_in_parameters
from cogs.actions.component_press import Capability, Command, ComponentPress, Verbs
from cogs.actions.own_threads import OwnThreads
from cogs.interactions.responses import Interaction, reply_private, translations_for
from cogs.interactions.venues import DIRECT_TOO, direct_too
from cogs.interactions.whose_rows import Whose, writes
from cogs.screens.additions import Additions, Buttons, Placed, arranged
from cogs.screens.presenter import Presenters
from cogs.screens.rules_pages import rules_screen
from cogs.screens.time_control_text import time_control_label


@dataclass(frozen=True, slots=True)
class GameCommand:
    """A command in the group of a game; those with a lower order come first."""

    order: int
    name: str
    description: locale_str
    callback: Callable[..., Awaitable[None]]
    parameters: list[Parameter] = field(default_factory=list)
    writes: Whose = Whose.ACTOR


GameCommandsOf: TypeAlias = Callable[[str, Describe], Iterable[GameCommand]]
"""The commands that a room adds to the group of a game."""


@dataclass(slots=True, eq=False)
class GameCommands:
    """Makes the command group of each game."""

    terms: TermsReader
    challenges: Challenges
    own_threads: OwnThreads
    presenters: Presenters
    additions: Additions
    stops: ClockStops
    added: Sequence[GameCommandsOf] = ()
    """The commands that rooms add to each game's group."""

    def of(self, game: str) -> app_commands.Group:
        """The command group of a game: its matches, its rules and what rooms add. Options are the game's fields."""
        info, say = GAMES[game].info, describe
        group = app_commands.Group(name=game, description=say("command.game", game=info.title), **DIRECT_TOO)

        async def challenge(interaction: Interaction, opponent: User, **given: Any) -> None:
            in_thread, best_of = given.get("thread"), _best_of(given.pop("series", None) if series else None)
            terms = replace(await self.terms.read(interaction, game, given, chat=True), best_of=best_of)
            await self.challenges.send(interaction, terms, opponent)
            await self.own_threads.explain(interaction, in_thread)

        async def open_(interaction: Interaction, **given: Any) -> None:
            private, reliable = bool(given.pop("private", None)), bool(given.pop("reliable", None))
            in_thread = given.get("thread")
            terms = await self.terms.read(interaction, game, given, chat=True)
            await self.challenges.open_table(interaction, terms, private=private, reliable=reliable)
            await self.own_threads.explain(interaction, in_thread)

        async def rules(interaction: Interaction) -> None:
            words = translations_for(interaction)
            added = arranged((), self.additions.rules, game, self.presenters[game], words)
            await reply_private(interaction, rules_screen(game, 0, words, added=added), game)
            await self.stops.begin_reading(interaction.user.id)

        thread = Parameter("thread", bool, say("option.thread"), required=False)
        series, stand_in = series_parameters(game), stand_in_parameters(game)
        opponent = Parameter("opponent", discord.User, say("option.opponent"))
        private = Parameter("private", bool, say("option.private"), required=False)
        reliable = Parameter("reliable", bool, say("option.reliable"), required=False)
        of_two = [opponent, *parameters(game), *series, *stand_in, thread]
        of_table = [*parameters(game), *stand_in, private, reliable, thread]
        title = info.title
        about = text(lambda words: words("command.open", game=title, players=players_label(info.seats, words)))
        own = [
            GameCommand(20, "open", about, open_, of_table),
            GameCommand(40, "rules", say("command.rules", game=title), rules, writes=Whose.NOBODY),
        ]
        if 2 in info.seats:
            about = say("command.challenge", game=title)
            own.append(GameCommand(10, "challenge", about, challenge, of_two, Whose.INVITED))
        added = [command for commands_of in self.added for command in commands_of(game, say)]
        for each in sorted((*own, *added), key=attrgetter("order")):
            made = add(group, each.name, each.description, each.callback, each.parameters)
            writes(each.writes)(made)
        return group


def players_label(seats: range, words: Translations) -> str:
    """How many can play, such as "2 to 6 players"."""
    if len(seats) == 1:
        return words("help.players_exactly", n=seats[0])
    return words("help.players", least=seats[0], most=seats[-1])


def _best_of(value: str | None) -> int:
    """What an option says of a series. Raises Refused for a word that is not among its choices."""
    if value is None:
        return 1
    if value not in map(str, LENGTHS):
        raise Refused("press.not_offered")
    return int(value)


@dataclass(slots=True, eq=False)
class Help(Capability):
    """The command `/help`, and the list of all commands behind it."""

    verbs = Verbs()

    lines: Sequence[tuple[int, str]]
    """The commands of rooms, each with its number in the order of the list."""
    welcome: Placed[Buttons]
    """The buttons that they add."""

    @verbs("commands")
    async def _list(self, press: ComponentPress) -> None:
        await press.reply(commands_screen(press.words, self.lines), HELP)

    def _commands(self, say: Describe) -> tuple[Command, ...]:
        @direct_too
        @writes(Whose.NOBODY)
        @app_commands.command(name="help", description=say("command.help"))
        async def help_(interaction: Interaction) -> None:
            words = translations_for(interaction)
            await reply_private(interaction, help_screen(words, arranged((), self.welcome, words)), HELP)

        return (help_,)


HELP: Final = "help"
"""What the controls of these screens act on, in place of a match."""
OWN_LINES: Final = ((40, "games"), (150, "help"))
"""The core's own commands, with their numbers in the order of the list."""


def help_screen(say: Translations, doors: tuple[Button, ...]) -> Screen:
    """What the bot is, how to begin, and which games there are. `doors` are the buttons of rooms."""
    listed = [
        say("help.game", game=game.info.title, players=players_label(game.info.seats, say)) for game in GAMES.values()
    ]
    sections = (Text(say("help.intro")), Text("\n".join(listed)))
    return Screen(say("help.title"), sections, (doors, (Button(say("button.commands"), Press("commands")),)))


def commands_screen(say: Translations, lines: Sequence[tuple[int, str]]) -> Screen:
    """All commands, the clocks, and what is promised. `lines` are the commands of rooms."""
    clocks = " · ".join(time_control_label(each, say) for each in TIME_CONTROLS.values())
    of_games = f"{say('help.of_games')} {' · '.join(f'`/{key}`' for key in GAMES)}"
    sections = (
        Text("\n".join((*(_line(name, say) for _, name in sorted((*OWN_LINES, *lines))), of_games))),
        Text(say("help.clocks", clocks=clocks)),
        Text(say("help.promises")),
    )
    return Screen(say("button.commands"), sections)


def _line(name: str, say: Translations) -> str:
    """A command as it is typed, and what Discord's own list says of it."""
    return say("help.command", command=name_in(say, name), about=say(f"command.{name}"))
