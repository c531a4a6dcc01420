"""The catalogue: every sentence a player reads, by key, in each language we ship.

One gettext catalogue a language (`bot/locale/<language>/LC_MESSAGES/cardroom.po`), read by Babel at start; there is
no compiled file to forget. Messages are named by keys such as ``match.not_your_turn``, so that the engines can refuse
an act without holding a sentence, and all English stands in one file.

Placeholders are `str.format` fields. Plurals are chosen by gettext's own rules for the language.
"""

from __future__ import annotations

import gettext
from functools import cache
from importlib import resources
from io import BytesIO

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from bot.languages import DEFAULT_LANGUAGE, languages


class UnknownSentence(KeyError):  # noqa: N818  named for what is unknown
    """Raised for a key the catalogue does not have; a bug, which a test over all keys prevents."""


class Translations:
    """The sentences of one language. Values put into them must be safe (`cogs.screens.safe_names.safe_name`)."""

    def __init__(self, language: str) -> None:
        self.language = language
        compiled = BytesIO()
        write_mo(compiled, catalogue(language))
        compiled.seek(0)
        self._translations = gettext.GNUTranslations(compiled)

    def __call__(self, key: str, /, **values: object) -> str:
        """The sentence of a key, its placeholders filled. Raises UnknownSentence."""
        text = self._translations.gettext(key)
        if text == key:
            raise UnknownSentence(key)
        return text.format_map(values) if values else text

    def count(self, key: str, n: int, /, **values: object) -> str:
        """The sentence for a number of things; the number itself is the placeholder ``n``. Raises UnknownSentence."""
        text = self._translations.ngettext(key, key, n)
        if text == key:
            raise UnknownSentence(key)
        return text.format_map({"n": n, **values})


def catalogue(language: str) -> Catalog:
    """The language's catalogue as Babel reads it. Raises FileNotFoundError for a language we do not ship."""
    path = resources.files("bot") / "locale" / language / "LC_MESSAGES" / "cardroom.po"
    with path.open("rb") as file:
        return read_po(file, locale=language)


@cache
def translations(language: str) -> Translations:
    """The words of a language or locale such as ``en-US``; the default language where we do not ship it."""
    shipped = languages()
    for candidate in (language, language.partition("-")[0]):
        if candidate in shipped:
            return Translations(candidate)
    return Translations(DEFAULT_LANGUAGE)
