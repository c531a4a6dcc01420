"""The catalogue: every sentence that players read, by key, in each language.

There is one gettext catalogue per language (`bot/locale/<language>/LC_MESSAGES/cardroom.po`), read by Babel at start;
there is no compiled file to forget. Messages are named by keys such as ``match.not_seated``, so that the engines can
refuse an act without containing a sentence, and all our English is in one file.

A game of another package brings its own sentences, under keys that begin with the game's key. They are looked up in
that package alone, so it cannot change any other sentence. In a language that the package lacks they are English.

Placeholders are `str.format` fields. Plurals are chosen by gettext's own rules for the language.

Rules pages are texts of their own, one for each game and language (`rules_text`).
"""

from __future__ import annotations

import re
from functools import cache
from gettext import GNUTranslations
from importlib import resources
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from bot.games import DISTRIBUTIONS, GamePackage, installed
from bot.languages import DEFAULT_LANGUAGE, languages
from bot.ui.formats import Formats

_KEY: Final = re.compile(r"[a-z][a-z0-9_]*")


class UnknownSentence(KeyError):  # noqa: N818  named for what is unknown
    """Raised for a key that the catalogue does not have. This is a bug, which a test over all keys prevents."""


class Translations(Formats):
    """The sentences of one language, and how it writes numbers and lists.

    Values in them must be safe (`cogs.screens.safe_names.safe_name`).
    """

    def __init__(self, language: str) -> None:
        super().__init__(language)
        self.language = language
        self._ours = _compiled(catalogue(language))
        self._found: dict[str, str] = {}

    def __call__(self, key: str, /, **values: object) -> str:
        """The sentence of a key with its placeholders filled. Raises UnknownSentence."""
        text = self._found.get(key) or self._find(key)
        return text.format_map(values) if values else text

    def count(self, key: str, n: int, /, **values: object) -> str:
        """The sentence for a number of things; the number itself is the placeholder ``n``. Raises UnknownSentence."""
        text = self._holding(key).ngettext(key, key, n)
        if text == key:
            raise UnknownSentence(key)
        return text.format_map({"n": n, **values})

    def _find(self, key: str) -> str:
        """The sentence of a key, which is remembered if it is ours: only a test removes an installed game again."""
        sentences = self._holding(key)
        text = sentences.gettext(key)
        if text == key:
            raise UnknownSentence(key)
        if sentences is self._ours:
            self._found[key] = text
        return text

    def _holding(self, key: str) -> GNUTranslations:
        """The sentences among which a key is looked up: ours, or those of the installed game that it begins with."""
        if not DISTRIBUTIONS:
            return self._ours
        package = installed(key.partition(".")[0])
        return self._ours if package is None else of_package(package.resources, self.language)


def catalogue(language: str) -> Catalog:
    """Our catalogue of a language as Babel reads it. Raises FileNotFoundError for a language without a catalogue."""
    path = resources.files("bot") / "locale" / language / "LC_MESSAGES" / "cardroom.po"
    with path.open("rb") as file:
        return read_po(file, locale=language)


def package_catalogue(package: str, language: str) -> Catalog:
    """All sentences of a language that a package of resources ships, from all its PO files; empty without any.

    Raises what Babel raises for a file or a language that it cannot read.
    """
    whole = Catalog(locale=language)
    folder = resources.files(package) / "locale" / language / "LC_MESSAGES"
    files = sorted(folder.iterdir(), key=lambda file: file.name) if folder.is_dir() else []
    for path in files:
        if path.name.endswith(".po"):
            with path.open("rb") as file:
                for message in read_po(file, locale=language):
                    if message.id:
                        whole[message.id] = message
    return whole


def keys(read: Catalog) -> list[str]:
    """The keys of a catalogue's sentences."""
    found = [message.id if isinstance(message.id, str) else message.id[0] for message in read]
    return [key for key in found if key]


@cache
def of_package(package: str, language: str) -> GNUTranslations:
    """The sentences of an installed game in a language; English where there are none."""
    english = _compiled(package_catalogue(package, DEFAULT_LANGUAGE))
    if language == DEFAULT_LANGUAGE or language not in languages(package):
        return english
    made = _compiled(package_catalogue(package, language))
    made.add_fallback(english)
    return made


def _compiled(read: Catalog) -> GNUTranslations:
    compiled = BytesIO()
    write_mo(compiled, read)
    compiled.seek(0)
    return GNUTranslations(compiled)


@cache
def translations(language: str) -> Translations:
    """The translations for a language or locale such as ``en-US``, or for the default language if it has none."""
    shipped = languages()
    for candidate in (language, language.partition("-")[0]):
        if candidate in shipped:
            return Translations(candidate)
    return Translations(DEFAULT_LANGUAGE)


class UnknownPage(LookupError):  # noqa: N818  named for what is unknown
    """There is no page of that name."""


def rules_text(game_key: str, language: str = DEFAULT_LANGUAGE, package: GamePackage | None = None) -> str:
    """The rules of a game as Markdown text, for example of "haymaker". Raises UnknownPage.

    English is in ``<game>.md``, any other language in ``<game>.<language>.md``. A language without a file gets English.
    The rules of a game that is not our own are in its `package`, which may be given before the game is added.
    """
    package = package or installed(game_key)
    folder = _docs() if package is None else resources.files(package.resources)
    if not _KEY.fullmatch(game_key):
        raise UnknownPage(game_key)
    own = [f"{game_key}.{language}.md"] if language != DEFAULT_LANGUAGE else []
    for name in (*own, f"{game_key}.md"):
        page: Traversable = folder / "rules" / name
        if page.is_file():
            return page.read_text(encoding="utf-8")
    raise UnknownPage(game_key)


def _docs() -> Traversable:
    """The docs: `bot/docs` in an installed package, otherwise `docs` beside `bot` in the source tree (see setup.py)."""
    ours = resources.files("bot") / "docs"
    return ours if ours.is_dir() else Path(__file__).parents[2] / "docs"
