"""The command practice of each game, and the presses that let a computer play on in somebody's place (C-8)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from discord import app_commands

from bot.games import GAMES
from bot.gateway.command_texts import Describe
from bot.play.computers.levels import DEFAULT, levels_of
from bot.play.computers.stand_ins import LEVEL
from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused
from bot.store.queries.invitations import StandIn
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Option, Press, Rows, Screen, Select, Text, Tone
from cogs.actions.challenging import TermsReader
from cogs.actions.command_parameters import Parameter, parameters
from cogs.actions.component_press import Capability, ComponentPress, Verbs
from cogs.actions.computer_matches import ComputerMatches, computers, is_played_alone
from cogs.actions.game_commands import GameCommand
from cogs.actions.playing import Hands
from cogs.interactions.responses import Interaction, translations_for
from cogs.screens.custom_ids import UnknownCustomId
from cogs.screens.presenter import Reader
from cogs.screens.renderer import MOST_OPTIONS


@dataclass(slots=True, eq=False)
class Practice(Capability):
    """The command `/<game> practice` of each game that has computer players, and the button that leads to it."""

    verbs = Verbs()

    terms: TermsReader
    computer_matches: ComputerMatches

    @verbs("practice")
    async def _press(self, press: ComponentPress) -> None:
        """Practise the game that was chosen, as its command without options does; offer all if none was."""
        if not press.arg:
            await press.reply(practice_screen(press.words), PRACTICE)
        elif press.arg in GAMES and levels_of(press.arg):
            await self.computer_matches.once(press.interaction, self._practise(press.interaction, press.arg, {}))
        else:
            raise UnknownCustomId("no computer plays this game")

    def of(self, game: str, say: Describe) -> Iterable[GameCommand]:
        """The command of a game; none without levels of computers."""
        if not levels_of(game):
            return

        async def practise(interaction: Interaction, **given: Any) -> None:
            await self._practise(interaction, game, given)

        about = say("command.practice", game=GAMES[game].info.title)
        yield GameCommand(30, "practice", about, practise, _parameters(game, say))

    async def _practise(self, interaction: Interaction, game: str, given: dict[str, Any]) -> None:
        """Begin a match against computers with these options, or without any go on with the one that is played."""
        match = self.computer_matches.played(interaction, game)
        if match is not None and not match.has_clock and not any(value is not None for value in given.values()):
            words = translations_for(interaction)
            await self.computer_matches.show(interaction, match, words("practice.goes_on"))
            return
        level = given.pop("level", None) or DEFAULT
        number = given.pop("computers", None) or max(1, GAMES[game].info.seats[0] - 1)
        seated = computers(game, level, number)
        race, number = not is_played_alone(game), 1 + len(seated)  # a race has a board, which belongs to a chat
        terms = await self.terms.read(interaction, game, given, direct=True, chat=race, chosen_for=number)
        await self.computer_matches.begin(interaction, terms, seated)


def _parameters(game: str, say: Describe) -> list[Parameter]:
    """The options of a match against computers: their level and, where more than two can play, how many they are."""
    seats = GAMES[game].info.seats
    levels = tuple((say(f"computer.level.{level}"), level) for level in levels_of(game))
    found = [Parameter("level", str, say("option.strength"), required=False, choices=levels)]
    if seats[-1] > 2:
        number = app_commands.Range[int, max(1, seats[0] - 1), seats[-1] - 1]
        found.append(Parameter("computers", number, say("option.computers"), required=False))
    return [*found, *parameters(game, clock=not is_played_alone(game))]


@dataclass(slots=True, eq=False)
class LettingPlay(Capability):
    """What the buttons do by which somebody lets a computer play on in their place (C-8)."""

    verbs = Verbs()

    hands: Hands

    @verbs("handover")
    async def _ask(self, press: ComponentPress) -> None:
        """Say what it means before a computer takes over."""
        match, seat = await self.hands.seated(press, press.target)
        if match.over:
            raise Refused("refusal.match_over")
        if match.stand_in is StandIn.OFF:
            raise Refused("press.not_offered")
        if match.has_stand_in(seat):
            await self.hands.show(press, match, seat)
            return
        screen = ask_screen(match, press.words)
        await press.reply(screen, match.id)

    @verbs("standin")
    async def _let_play(self, press: ComponentPress) -> None:
        match, seat = await self.hands.seated(press, press.target)
        note, done = "", False
        try:
            done = await press.changes.let_play(match, seat)
        except Refused as refused:
            note = press.words(refused.key, **refused.values)
        await self.hands.show(press, match, seat, note="" if match.has_stand_in(seat) else note, resting=done)


PRACTICE: Final = "practice"
"""What the list of games acts on, in place of a match."""


def practice_button(words: Translations) -> tuple[Button, ...]:
    """Leads to the games that can be practised."""
    return (Button(words("button.practice"), Press("practice")),)


def practice_screen(words: Translations) -> Screen:
    """The list of games that computers play."""
    games = [key for key in GAMES if levels_of(key)][:MOST_OPTIONS]
    options = tuple(Option(GAMES[key].info.title, key) for key in games)
    rows = ((Select(Press("practice"), words("practice.list"), options),),) if options else ()
    return Screen(words("button.practice"), (Text(words("practice.about")),), rows)


def let_play_row(match: LiveMatch, reader: Reader) -> Rows:
    """The row with the button that lets a computer play on, if the match has a stand-in. It is there all the time, so
    that no other button moves."""
    if match.stand_in is StandIn.OFF or reader.seat is None or not match.is_in(reader.seat):
        return ()
    return ((Button(reader.words("button.let_play"), Press("handover")),),)


def ask_screen(match: LiveMatch, words: Translations) -> Screen:
    """What it means that a computer plays on, and the button that does it."""
    level = words(f"computer.level.{LEVEL}")
    about = words("stand_in.ask", level=level, means=words(f"stand_in.means.{match.stand_in}"))
    row = (
        Button(words("button.let_play"), Press("standin"), Tone.MAIN),
        Button(words("button.stay"), Press("stay")),
    )
    return Screen(words("stand_in.title"), (Text(about),), (row,), tone=Tone.MAIN)
