"""Screens as values, independent of Discord: a title, sections, rows of controls, a footer.

Presenters make screens, and one renderer (`cogs.screens.renderer`) turns them into messages. Texts may contain
Discord's Markdown. Names and other people's texts must have been made safe before.

What a hand has dozens of is a named tuple: a frozen dataclass takes three times as long to make.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from bot.art.chart_picture import Chart
from bot.art.curve_picture import Curve, StoryPicture
from bot.art.layout import TableLayout
from bot.art.rating_picture import RatingCurve


class Tone(StrEnum):
    """The meaning of a button's or a screen's colour. Colour is never the only way to show something."""

    PLAIN = "plain"
    MAIN = "main"
    GOOD = "good"
    BAD = "bad"

    __hash__ = str.__hash__  # in C: every button looks its style up, and an enumeration's own hash is in Python


class Press(NamedTuple):
    """What a control does when pressed: a verb, the window it answers (0 for none), and an argument.

    An argument is at most 70 ASCII characters without a colon. It names cards by their index in the presser's own
    hand, never by what they are.
    """

    verb: str
    window: int = 0
    arg: str = ""


class Button(NamedTuple):
    """A button; its label is at most 80 characters, and may be empty beside an emoji, which is written as in a text.

    The reason why it is disabled belongs in a text, not here.
    """

    label: str
    press: Press
    tone: Tone = Tone.PLAIN
    enabled: bool = True
    emoji: str = ""


class Option(NamedTuple):
    """An option of a select. Its value becomes the press's argument; an emoji is written as in a text."""

    label: str
    value: str
    description: str = ""
    chosen: bool = False
    emoji: str = ""


@dataclass(frozen=True, slots=True)
class Select:
    """A list to pick one option from, at most 25."""

    press: Press
    placeholder: str
    options: tuple[Option, ...]
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class PeopleSelect:
    """A list of the server's members, from which up to `most` can be picked. Their ids become the press's values."""

    press: Press
    placeholder: str
    most: int


@dataclass(frozen=True, slots=True)
class ChannelSelect:
    """A list of the server's channels, from which up to `most` can be picked, or none.

    Their ids become the press's values. `chosen` are those that are picked so far, `kinds` the types of channels to
    list, by Discord's numbers.
    """

    press: Press
    placeholder: str
    most: int
    chosen: tuple[int, ...] = ()
    kinds: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RoleSelect:
    """A list of the server's roles, from which up to `most` can be picked, or none.

    Their ids become the press's values. `chosen` are those that are picked so far.
    """

    press: Press
    placeholder: str
    most: int
    chosen: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Form:
    """A form with one line of text, which opens over the channel.

    Title and label are at most 45 characters, the hint 100; `longest` is how many characters can be typed.
    """

    press: Press
    title: str
    label: str
    hint: str
    longest: int


Control: TypeAlias = Button | Select | PeopleSelect | ChannelSelect | RoleSelect
Rows: TypeAlias = tuple[tuple[Control, ...], ...]


class Text(NamedTuple):
    """A paragraph."""

    text: str


def noted(note: str) -> tuple[Text, ...]:
    """A note above the other sections of a screen, in bold; nothing without one."""
    return (Text(f"**{note}**"),) if note else ()


class Cards(NamedTuple):
    """A row of cards with a label; each is written as its reader sees it, markup included.

    Cards that can be picked (`is_hand`), and those of which each button names some (`is_offered`), are on the screen
    once: where they are buttons, they are left out.
    """

    label: str
    cards: tuple[str, ...]
    separator: str = " "
    is_hand: bool = False
    is_offered: bool = False


class SeatLine(NamedTuple):
    """One player's line: the safe name, facts such as counts, whether the match waits for them, and below a picture
    their disc on it."""

    name: str
    facts: tuple[str, ...]
    awaited: bool = False
    disc: str = ""


@dataclass(frozen=True, slots=True)
class Seats:
    """All players of a table, one line each, or all of them in a row."""

    lines: tuple[SeatLine, ...]
    in_a_row: bool = False


class Log(NamedTuple):
    """The last events in words, oldest first."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A thin line between two sections."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a table, a curve or both, described for people who cannot see it, in 1,024 plain characters at most.

    Only once it is drawn (`cogs.screens.tables`) it is a part of the message: without `png`, the sections are shown
    that stand `instead` of it. So they, or the texts beside it, or the screen `in_words`, say all that it shows.
    """

    layout: TableLayout | Curve | RatingCurve | Chart | StoryPicture
    description: str
    png: bytes = b""
    instead: tuple[Section, ...] = ()


Section: TypeAlias = Text | Cards | Seats | Log | Rule | Picture


@dataclass(frozen=True, slots=True)
class Screen:
    """One message. `in_words` makes the whole message as it is where its picture can't be shown; without it, that is
    the same message with what stands instead of the picture."""

    title: str
    sections: tuple[Section, ...] = ()
    rows: Rows = ()
    footer: str = ""
    tone: Tone = Tone.PLAIN
    in_words: Callable[[], Screen] | None = field(default=None, compare=False)
