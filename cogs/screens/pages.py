"""Lists that have pages: which one is shown, and the buttons that turn it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Press

T = TypeVar("T")


def page_of(items: Sequence[T], page: int, size: int) -> tuple[Sequence[T], int, int]:
    """The items of a page, counted from 0, its number, and that of the last page, which is shown for any later one."""
    last = max(0, (len(items) - 1) // size)
    page = min(page, last)
    return items[page * size : (page + 1) * size], page, last


def turning(verb: str, page: int, last: int, words: Translations) -> tuple[Button, Button]:
    """The buttons to the page before and the one after. Their windows tell their ids apart, which may name one page."""
    return (
        Button(words("button.previous"), Press(verb, 1, str(max(0, page - 1))), enabled=page > 0),
        Button(words("button.next"), Press(verb, 2, str(page + 1)), enabled=page < last),
    )
