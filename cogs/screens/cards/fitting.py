"""Screens whose cards are in the longest form for which a message has room.

Emojis count with their markup toward the 4,000 characters of a message, and words are long. Where a form has no room,
all cards of the screen are in a shorter one instead: words with equal cards together, then text, and text instead of
emojis. So no row of cards is cut off. Only what no form can shorten is cut by the renderer.

Which form it is must not change while a question is open, or buttons would move. So it is decided by what is fixed
meanwhile, with room for the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar

from bot.ui.screen import Log, Picture, Rule, Screen, Section
from cogs.screens.presenter import Reader
from cogs.screens.renderer import LONGEST_TEXT, utf16_units, written

CHANGING = 1200
"""Room for a hand's title and footer, and for the lines that change while its question is open, in UTF-16 units."""
BOARD_LINES = 6
LONGEST_LINE = 300
"""There must be room on a board for this number of lines of this length, in UTF-16 units."""
FRAME_OF_TEXT = 400
"""Room for a title, headings, rules and the footer."""

T = TypeVar("T")


def fitting(reader: Reader, make: Callable[[Reader], T], fits: Callable[[T], bool]) -> T:
    """What `make` makes for the reader in the first of their forms in which it fits, or else in the shortest."""
    made = make(reader)
    while (shorter := reader.cards.shorter) is not None and not fits(made):
        reader = replace(reader, cards=shorter)
        made = make(reader)
    return made


def has_room(sections: Iterable[Section]) -> bool:
    """Whether a hand's sections that are fixed while its question is open leave room for the others."""
    return _length(sections) <= LONGEST_TEXT - CHANGING


def board_has_room(screen: Screen) -> bool:
    """Whether the board of a live match has room, whatever its log comes to say: it changes with every act."""
    logs = _length([each for each in screen.sections if isinstance(each, Log)])
    others = _length([each for each in screen.sections if not isinstance(each, Log)])
    return others + max(logs, BOARD_LINES * LONGEST_LINE) <= LONGEST_TEXT - FRAME_OF_TEXT


def _length(sections: Iterable[Section]) -> int:
    """How long sections are together, as Discord may count them at most."""
    return sum([utf16_units(written(each)) + 1 for each in sections if not isinstance(each, Rule | Picture)])
