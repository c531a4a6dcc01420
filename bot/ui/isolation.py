"""Keeps the direction of a name from turning what stands around it.

By the Unicode Bidirectional Algorithm a name in Hebrew or Arabic takes the digits after it along: "NAME · 12–3" would
be drawn "3–12 · NAME", with wins and losses changed. Between an isolate and its end a name has no effect on what
surrounds it, and has its own direction inside.

In a sentence that is written from left to right, a name without a letter or digit of the other direction turns nothing
round. So it stays as it is: who copies it from a message gets what they see. A language that is written from right to
left has everything isolated that is put into its sentences (`bot.ui.catalogue`): names, cards, times, "+12".

Source: Unicode Standard Annex 9, "First strong isolate" (https://www.unicode.org/reports/tr9/).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from typing import Final

ISOLATE: Final = "\u2068"
END: Final = "\u2069"
_FROM_RIGHT_TO_LEFT: Final = frozenset({"R", "AL", "AN"})
"""Classes of letters and digits (UAX 9, table 4). Controls of direction are in no name (`cogs.screens.safe_names`)."""


def isolated(text: str) -> str:
    """The text between an isolate and its end, if anything in it is written from right to left; otherwise as it is.

    It must have no control of direction by itself.
    """
    turns = any(unicodedata.bidirectional(char) in _FROM_RIGHT_TO_LEFT for char in text)
    return f"{ISOLATE}{text}{END}" if turns else text


def apart(value: object) -> object:
    """A value for a sentence that is written from right to left: a text is isolated as a whole, a number is as it is.

    Nothing is isolated twice, and no blanks are around a text for nothing.
    """
    if not isinstance(value, str) or not value:
        return value
    whole = value[0] == ISOLATE and value.find(END) == len(value) - 1
    return value if whole else f"{ISOLATE}{value}{END}"


def mention(user_id: int) -> str:
    """Mentions a person, isolated: Discord draws their name there, which may be written from right to left."""
    return f"{ISOLATE}<@{user_id}>{END}"


def each_whole(lines: Iterable[str]) -> Iterator[str]:
    """The lines with every isolate ended where its line ends, and begun again in the next: an isolate ends with a line
    anyway, and the rest of its name would be without one."""
    is_open = False
    for line in lines:
        begun = f"{ISOLATE}{line}" if is_open else line
        is_open = begun.rfind(ISOLATE) > begun.rfind(END)
        yield f"{begun}{END}" if is_open else begun


def cut_whole(text: str, longest: int) -> str:
    """The first characters of a text in which every isolate ends: as many as there may be, with one ended that is
    cut."""
    cut = text[:longest]
    if cut.rfind(ISOLATE) <= cut.rfind(END):
        return cut
    return cut[:-1] + (END if cut[-1] != ISOLATE else "")
