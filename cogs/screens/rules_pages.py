"""The rules of a game as Discord shows them: the players' rules, one page at a time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from bot.games import GAMES
from bot.ui.catalogue import Translations, rules_text
from bot.ui.screen import Button, Option, Press, Rows, Rule, Screen, Section, Select, Text
from cogs.screens.pages import turning
from cogs.screens.renderer import LONGEST_OPTION, MOST_OPTIONS

OPTIONS: Final = "options"
"""The name of the page about a game's options."""

_NAME: Final = re.compile(r"<!-- page: ([a-z_]+) -->\s*")


def rules_button(words: Translations) -> Button:
    """Opens the rules of the game."""
    return Button(words("button.rules"), Press("rules"))


@dataclass(frozen=True, slots=True)
class RulesPage:
    """A page of a game's rules. Its name is the same in every language; a page that nothing refers to has none ("")."""

    name: str
    heading: str
    text: str


@cache
def rules_pages(game: str, language: str) -> tuple[RulesPage, ...]:
    """The pages of a game's rules in order, at least one. Raises UnknownPage.

    A page begins with a heading of the second level. Its name is in a comment below the heading.
    """
    whole, *parts = f"\n{rules_text(game, language)}".split("\n## ")
    return tuple(map(_page, parts or [whole.strip().removeprefix("# ")]))


def index_of(name: str, game: str, language: str) -> int:
    """The index of the page with this name, counted from 0; the first page's if there is no such page."""
    return next((index for index, page in enumerate(rules_pages(game, language)) if name and page.name == name), 0)


def rules_screen(game: str, index: int, words: Translations, terms: tuple[str, ...] = (), added: Rows = ()) -> Screen:
    """The page at this index, counted from 0; past the last page it is the last.

    `terms` are the options in force. They are on the first page and on the page about options. `added` are the rows of
    rooms. The title is larger than that of other screens, because the text has headings of that size.
    """
    pages = rules_pages(game, words.language)
    index = min(index, len(pages) - 1)
    page = pages[index]
    title = words("rules.title", game=GAMES[game].info.title, section=page.heading)
    sections: tuple[Section, ...] = (Text(f"## {title}"), Text(page.text))
    if terms and (index == 0 or page.name == OPTIONS):
        sections += (Rule(), Text("\n".join((words("rules.terms"), *(f"- {line}" for line in terms)))))
    rows = _rows(pages, index, words) if len(pages) > 1 else ()
    return Screen("", sections, (*rows, *added), words("rules.page", page=index + 1, pages=len(pages)))


def _page(part: str) -> RulesPage:
    heading, _, text = part.partition("\n")
    named = _NAME.match(text.lstrip())
    text = text.strip() if named is None else text.lstrip()[named.end() :].strip()
    return RulesPage("" if named is None else named[1], heading.strip(), text)


def _rows(pages: tuple[RulesPage, ...], index: int, words: Translations) -> Rows:
    """The list of pages, and the buttons to turn them.

    The list's id changes with the page: otherwise some clients would keep showing the line that was picked before.
    """
    first = max(0, min(index - MOST_OPTIONS // 2, len(pages) - MOST_OPTIONS))
    lines = tuple(
        Option(words("rules.listed", page=each + 1, section=page.heading)[:LONGEST_OPTION], str(each))
        for each, page in enumerate(pages)
        if first <= each < first + MOST_OPTIONS
    )
    listed = Select(Press("page", 3, str(index)), words("rules.go_to"), lines)
    return (listed,), turning("page", index, len(pages) - 1, words)
