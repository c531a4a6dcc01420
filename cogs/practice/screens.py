"""What lets a computer play on in somebody's place (C-8), and what is asked before."""

from __future__ import annotations

from typing import Final

from bot.games import GAMES
from bot.play.computers.levels import levels_of
from bot.play.computers.stand_ins import LEVEL
from bot.play.live_match import LiveMatch
from bot.store.queries.invitations import StandIn
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Option, Press, Rows, Screen, Select, Text, Tone
from cogs.screens.presenter import Reader
from cogs.screens.renderer import MOST_OPTIONS

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
