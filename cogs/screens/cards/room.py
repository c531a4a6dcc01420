"""Emojis count with their markup toward the 4,000 characters of a message. Where they have no room, all of it is text.

Which of the two it is must not change while a question is open, or buttons would move. So it is decided by what is
fixed meanwhile, with room for the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import wraps
from typing import TypeVar

from bot.play.live_match import LiveMatch
from bot.ui.screen import Log, Rule, Screen, Section
from cogs.screens.presenter import OpenPiles, Presenter, Reader
from cogs.screens.renderer import LONGEST_TEXT, utf16_units, written

LONGEST_LINE = 300
"""A line of a log that is longer is written in text (`cogs.screens.narration`)."""
BOARD_LINES = 6
"""How many lines of a log there must be room for on a board."""
FRAME_OF_TEXT = 400
"""Room for a title, headings, rules and the footer."""

P = TypeVar("P", Presenter, OpenPiles)
Make = Callable[[LiveMatch, P, Reader], Screen]


def length(sections: Iterable[Section]) -> int:
    """How long sections are together, as Discord may count them at most."""
    return sum([utf16_units(written(section)) + 1 for section in sections if not isinstance(section, Rule)])


def in_text(reader: Reader) -> Reader | None:
    """The same reader, with cards in a form that needs less room; None if there is none."""
    shorter = reader.cards.shorter
    return None if shorter is reader.cards else replace(reader, cards=shorter)


def in_room(make: Make[P]) -> Make[P]:
    """Make a public screen of a match in text if it might have no room in its reader's form."""

    @wraps(make)
    def made(match: LiveMatch, presenter: P, reader: Reader) -> Screen:
        screen = make(match, presenter, reader)
        shorter = in_text(reader)
        if shorter is None or _needed(screen, is_over=match.over) <= LONGEST_TEXT - FRAME_OF_TEXT:
            return screen
        return make(match, presenter, shorter)

    return made


def _needed(screen: Screen, *, is_over: bool) -> int:
    """How much room a screen may come to need: while a match is played, its log changes with every act."""
    if is_over:
        return length(screen.sections)
    return BOARD_LINES * LONGEST_LINE + length([each for each in screen.sections if not isinstance(each, Log)])
