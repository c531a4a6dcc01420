"""The texts of commands: Discord shows everybody a command in their own language, so each is made in all of them.

A text is English with a way to make it in another language; `bot.gateway.announced_commands` does that when the
commands are announced.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

from discord.app_commands import locale_str

from bot.languages import DEFAULT_LANGUAGE
from bot.ui.catalogue import Translations, translations

Make: TypeAlias = Callable[[Translations], str]
Describe: TypeAlias = Callable[..., locale_str]
"""Makes a command's text from a key and its values, like `Translations`."""

_MAKE: Final = "make"


def text(make: Make) -> locale_str:
    """The text that this makes in each language."""
    return locale_str(make(translations(DEFAULT_LANGUAGE)), **{_MAKE: make})


def describe(key: str, /, **values: object) -> locale_str:
    """A sentence of the catalogue as a command's text."""
    return text(partial(_sentence, key, values))


def _sentence(key: str, values: dict[str, object], words: Translations) -> str:
    return words(key, **values)


def said(made: str | locale_str | None, words: Translations) -> str | None:
    """A command's text in a language; None for one that is the same in all."""
    make: Make | None = made.extras.get(_MAKE) if isinstance(made, locale_str) else None
    return None if make is None else make(words)
