"""What a player sees, without Discord: a title, sections, rows of controls, a footer.

Presenters make screens, one renderer (`cogs.screens.renderer`) turns them into messages. Texts may hold Discord's
markdown; names and other people's texts in them must have been made safe before.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias


class Tone(Enum):
    """What a button or a screen's edge says by its colour; never the only way to show something."""

    PLAIN = "plain"
    MAIN = "main"
    GOOD = "good"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Press:
    """What pressing a control means: a verb, the window it answers (0 for none), and its argument.

    An argument is at most 70 ASCII characters without a colon. It names cards by their place in the presser's own
    hand, never by what they are.
    """

    verb: str
    window: int = 0
    arg: str = ""


@dataclass(frozen=True, slots=True)
class Button:
    """A button; its label is at most 80 characters. A reason not to press it belongs in a text, not in here."""

    label: str
    press: Press
    tone: Tone = Tone.PLAIN
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Option:
    """A line of a select: its value becomes the press's argument."""

    label: str
    value: str
    description: str = ""
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Select:
    """A list to pick one option from, at most 25."""

    press: Press
    placeholder: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class PeopleSelect:
    """A list of the server's members to pick up to so many from; their ids become the press's values."""

    press: Press
    placeholder: str
    most: int


Control: TypeAlias = Button | Select | PeopleSelect


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class Cards:
    """A row of cards in their short text forms, with what they are."""

    label: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeatLine:
    """One player's line: the name (safe), facts such as counts, and whether the match waits for them."""

    name: str
    facts: tuple[str, ...]
    awaited: bool = False


@dataclass(frozen=True, slots=True)
class Seats:
    """All players of a table, a line each."""

    lines: tuple[SeatLine, ...]


@dataclass(frozen=True, slots=True)
class Log:
    """The last events in words, oldest first."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A thin line between two sections."""


Section: TypeAlias = Text | Cards | Seats | Log | Rule


@dataclass(frozen=True, slots=True)
class Screen:
    """One message."""

    title: str
    sections: tuple[Section, ...] = ()
    rows: tuple[tuple[Control, ...], ...] = ()
    footer: str = ""
    tone: Tone = Tone.PLAIN
