"""Texts with Discord's Markdown, for places that aren't Discord: a terminal, a page of our own.

It reads what our catalogue and presenters write: bold, italics, code, escaped signs, and a line that is small, a
heading, a quote or a point of a list (https://support.discord.com/hc/en-us/articles/210298617).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from bot.ui.screen import Picture, Rule, Section
from cogs.screens.renderer import written


class Kind(Enum):
    """What a line is."""

    PLAIN = ""
    SMALL = "-# "
    HEADING = "## "
    QUOTE = "> "
    POINT = "- "


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of a line without markup, and how it is shown. Cards are code."""

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a text, in pieces."""

    kind: Kind
    runs: tuple[Run, ...]

    @property
    def plain(self) -> str:
        """Its text without markup."""
        return "".join([run.text for run in self.runs])


_PIECE: Final = re.compile(r"\\(?P<escaped>[!-/:-@\[-`{-~])|`(?P<code>[^`]*)`|(?P<mark>\*\*|\*)|(?P<text>[^\\`*]+|.)")


def lines_of(section: Section) -> list[Line]:
    """The lines of a section; none of a rule and a picture."""
    return [] if isinstance(section, Rule | Picture) else read_lines(written(section))


def read_lines(text: str) -> list[Line]:
    """The lines of a text, without those that are blank."""
    return [_read_line(line) for line in text.splitlines() if line.strip()]


def _read_line(line: str) -> Line:
    kind = next((each for each in Kind if each.value and line.startswith(each.value)), Kind.PLAIN)
    return Line(kind, tuple(_merged(_runs(line.removeprefix(kind.value)))))


def _runs(text: str) -> Iterator[Run]:
    bold = italic = False
    for piece in _PIECE.finditer(text):
        match piece.lastgroup:
            case "code":
                yield Run(piece["code"], bold, italic, code=True)
            case "mark" if piece["mark"] == "**":
                bold = not bold
            case "mark":
                italic = not italic
            case _:
                yield Run(piece["escaped"] or piece["text"], bold, italic)


def _merged(runs: Iterator[Run]) -> Iterator[Run]:
    """Neighbours that are shown alike as one; cards stay apart."""
    last: Run | None = None
    for run in runs:
        if last is not None and not last.code and (run.bold, run.italic, run.code) == (last.bold, last.italic, False):
            last = Run(last.text + run.text, run.bold, run.italic)
            continue
        if last is not None:
            yield last
        last = run
    if last is not None:
        yield last
