"""The screens of `/calloff`: the matches that a moderator can call off, and the question before one is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Option, Press, Rows, Screen, Select, Text, Tone, noted
from cogs.screens.pages import page_of, turning
from cogs.screens.safe_names import unescaped

SUBJECT: Final = "stuck"
"""What the controls of the list act on, in place of a match."""
PAGE: Final = 25
"""Matches on a page: the lines that Discord's lists take."""


@dataclass(frozen=True, slots=True)
class StuckMatch:
    """A match in the list: its id, its game's title, its players' safe names, and in words what it waits for."""

    id: str
    game: str
    names: tuple[str, ...]
    state: str

    def line(self, words: Translations) -> str:
        """The match in one line."""
        return words("stuck.line", game=self.game, players=words("board.versus").join(self.names))


def stuck_screen(
    matches: Sequence[StuckMatch], page: int, words: Translations, *, here: bool, note: str = ""
) -> Screen:
    """A page of the matches, counted from 0. `here` says that they are those of one channel. The note comes first."""
    if not matches:
        return Screen(words("stuck.title"), (*noted(note), Text(words("stuck.none_here" if here else "stuck.none"))))
    shown, page, last = page_of(matches, page, PAGE)
    options = tuple(Option(unescaped(each.line(words))[:100], each.id, unescaped(each.state)[:100]) for each in shown)
    rows: Rows = ((Select(Press("stuckask"), words("stuck.choose"), options),),)
    if last:
        rows += (turning("stuck", page, last, words),)
    about = Text(words("stuck.about_here" if here else "stuck.about"))
    foot = words("stuck.page", page=page + 1, pages=last + 1) if last else ""
    return Screen(words("stuck.title"), (*noted(note), about), rows, foot)


def ask_screen(match: StuckMatch, words: Translations) -> Screen:
    """The question before a match is called off."""
    players = words("board.versus").join(match.names)
    row = (
        Button(words("stuck.back"), Press("stuck", 0, "0")),
        Button(words("stuck.end"), Press("stuckend"), Tone.BAD),
    )
    told = Text(words("stuck.ask", game=match.game, players=players))
    return Screen(words("stuck.ask_title"), (told,), (row,), tone=Tone.BAD)
