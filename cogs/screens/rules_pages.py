"""The rules of a game as Discord shows them: the players' page, one section at a time."""

from __future__ import annotations

from functools import cache

from bot.games import GAMES
from bot.ui.catalogue import Translations
from bot.ui.pages import rules_page
from bot.ui.screen import Button, Press, Screen, Text


@cache
def sections(game: str) -> tuple[tuple[str, str], ...]:
    """The sections of a game's rules page as (heading, text), in order. Raises UnknownPage."""
    _, *parts = f"\n{rules_page(game)}".split("\n## ")
    return tuple((heading.strip(), text.strip()) for heading, _, text in (part.partition("\n") for part in parts))


def rules_screen(game: str, page: int, words: Translations, terms: tuple[str, ...] = ()) -> Screen:
    """A page of the rules, counted from 0; past the last page it is the last. `terms` are the options in force."""
    pages = sections(game)
    page = min(page, len(pages) - 1)
    heading, text = pages[page]
    buttons = (
        Button(words("button.previous"), Press("page", 1, str(max(0, page - 1))), enabled=page > 0),
        Button(words("button.next"), Press("page", 2, str(page + 1)), enabled=page + 1 < len(pages)),
    )
    title = words("rules.title", game=GAMES[game].info.title, section=heading)
    footer = "\n".join((*terms, words("rules.page", page=page + 1, pages=len(pages))))
    return Screen(title, (Text(text),), (buttons,), footer)
