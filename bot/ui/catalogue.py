"""The catalogue: every sentence that players read, by key, in each language.

There is one gettext catalogue per language (`bot/locale/<language>/LC_MESSAGES/cardroom.po`), read by Babel when
somebody first reads it; there is no compiled file to forget. Messages are named by keys such as ``match.not_seated``,
so that the engines can refuse an act without containing a sentence, and all our English is in one file.

English is whole. Any other language may lack sentences, which then are English and counted (`lacking`), and a file that
cannot be read is left out with one line in the log: neither stops the bot.

A game of another package brings its own sentences, under keys that begin with the game's key. They are looked up in
that package alone, so it cannot change any other sentence. In a language that the package lacks they are English.

Placeholders are `str.format` fields. Plurals are chosen by gettext's own rules for the language.

Rules pages are texts of their own, one for each game and language (`rules_text`).
"""

from __future__ import annotations

import asyncio
import logging
import re
import string
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from gettext import c2py
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final, TypeAlias

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from bot.games import DISTRIBUTIONS, GamePackage, installed
from bot.kept import Kept
from bot.languages import DEFAULT_LANGUAGE, folders, language_for, languages, tag
from bot.ui.formats import Formats

_KEY: Final = re.compile(r"[a-z][a-z0-9_]*")
_COUNTED: Final = 200
"""Numbers for which a plural rule must name a form that there is. All rules of CLDR repeat after 100."""
_LONGEST_REASON: Final = 200

Forms: TypeAlias = "str | tuple[str, ...]"
"""A sentence, or its plural forms."""

_log = logging.getLogger(__name__)
_lacking: Final[dict[str, set[str]]] = {}


class UnknownSentence(KeyError):  # noqa: N818  named for what is unknown
    """Raised for a key that the English catalogue does not have. This is a bug, which a test over all keys prevents."""


class Sentences:
    """What a catalogue says, by key: its finished sentences alone, without those marked as fuzzy."""

    __slots__ = ("forms", "plural")

    def __init__(self, read: Catalog) -> None:
        """Raises ValueError for a rule of plurals that is none, or that names forms which there cannot be."""
        self.plural: Callable[[int], int] = c2py(read.plural_expr)
        if not all(0 <= self.plural(n) < read.num_plurals for n in range(_COUNTED)):
            raise ValueError(f"its {read.num_plurals} plural forms do not fit plural={read.plural_expr}")
        self.forms: dict[str, Forms] = {}
        for message in read:
            key = message.id if isinstance(message.id, str) else message.id[0]
            forms: Forms = message.string if isinstance(message.string, str) else tuple(message.string or ())
            whole = forms if isinstance(forms, str) else len(forms) == read.num_plurals and all(forms)
            if key and whole and not message.fuzzy:
                self.forms[sys.intern(key)] = forms


class Translations(Formats):
    """The sentences of one language, and how it writes numbers and lists.

    Values in them must be safe (`cogs.screens.safe_names.safe_name`).
    """

    def __init__(self, language: str, read: Catalog | None = None) -> None:
        """`read` is in place of the catalogue that is shipped: a language that is made up needs no file. Raises what
        `catalogue` raises, and ValueError."""
        super().__init__(language)
        self._ours = Sentences(catalogue(language) if read is None else read)
        self._english = self._ours if language == DEFAULT_LANGUAGE else translations(DEFAULT_LANGUAGE)._ours
        self._found: dict[str, str] = {}
        self._counted: dict[str, tuple[Callable[[int], int], tuple[str, ...]]] = {}

    def __call__(self, key: str, /, **values: object) -> str:
        """The sentence of a key with its placeholders filled. Raises UnknownSentence."""
        text = self._found.get(key) or self._find(key)
        return text.format_map(self._kept_apart(values)) if values else text

    def count(self, key: str, n: int, /, **values: object) -> str:
        """The sentence for a number of things; the number itself is the placeholder ``n``. Raises UnknownSentence."""
        plural, forms = self._counted.get(key) or self._find_forms(key)
        return forms[plural(n)].format_map({"n": n, **self._kept_apart(values)})

    @property
    def tag(self) -> str:
        """The language as a web page names it, such as "pt-BR"."""
        return tag(self.language)

    def _find(self, key: str) -> str:
        """The sentence of a key, which is remembered if it is ours: only a test removes an installed game again."""
        ours, sentences, forms = self._look_up(key)
        text = forms if isinstance(forms, str) else forms[sentences.plural(1)]
        if ours:
            self._found[key] = text
        return text

    def _find_forms(self, key: str) -> tuple[Callable[[int], int], tuple[str, ...]]:
        ours, sentences, forms = self._look_up(key)
        if isinstance(forms, str):
            raise UnknownSentence(key)
        if ours:
            self._counted[key] = sentences.plural, forms
        return sentences.plural, forms

    def _look_up(self, key: str) -> tuple[bool, Sentences, Forms]:
        """Whether a key is ours, and not an installed game's; the sentences that have it; and its forms there."""
        own, english, package = self._ours, self._english, None
        if DISTRIBUTIONS and (package := installed(key.partition(".")[0])) is not None:
            own, english = of_package(package.resources, self.language)
        expected, forms = english.forms.get(key), own.forms.get(key)
        if expected is None:
            raise UnknownSentence(key)
        if forms is not None and (own is english or alike(forms, expected)):
            return package is None, own, forms
        _note_lack(self.language, key, is_wrong=forms is not None)
        return package is None, english, expected


def alike(forms: Forms, english: Forms) -> bool:
    """Whether a sentence has the placeholders of the English one, and both have plural forms or none has."""
    try:
        return isinstance(forms, str) is isinstance(english, str) and placeholders(forms) == placeholders(english)
    except ValueError:
        return False


def placeholders(forms: Forms) -> set[tuple[str, str | None, str | None]]:
    """The placeholders of all forms of a sentence: each one's name, format and conversion. Raises ValueError for braces
    that don't match."""
    return {
        (field, form, conversion)
        for text in ((forms,) if isinstance(forms, str) else forms)
        for _, field, form, conversion in string.Formatter().parse(text)
        if field is not None
    }


def _note_lack(language: str, key: str, *, is_wrong: bool) -> None:
    known = _lacking.setdefault(language, set())
    if is_wrong and key not in known:
        _log.warning(
            "%s is English in %s: its placeholders or plural forms are not those of the English", key, language
        )
    known.add(key)


def lacking() -> Mapping[str, int]:
    """How many sentences were looked up and are English because a language lacks them, by language."""
    return {language: len(found) for language, found in _lacking.items()}


# ---------------------------------------------------------------------------------------------- reading files


def catalogue(language: str) -> Catalog:
    """Our catalogue of a language as Babel reads it.

    Raises FileNotFoundError for a language without a catalogue, and ValueError, PoFileError or anything else for a file
    that is none.
    """
    folder = folders().get(language)
    if folder is None:
        raise FileNotFoundError(f"there is no catalogue of {language}")
    return _read(folder / "LC_MESSAGES" / "cardroom.po", language)


def package_catalogue(package: str, language: str) -> Catalog:
    """All sentences of a language that a package of resources ships, from all its PO files; empty without any. Plurals
    are as in the first of them.

    Raises what `catalogue` raises for a file that is none.
    """
    folder = folders(package)[language] / "LC_MESSAGES" if language in folders(package) else None
    files = sorted(folder.iterdir(), key=lambda file: file.name) if folder is not None and folder.is_dir() else []
    whole, *others = [_read(path, language) for path in files if path.name.endswith(".po")] or [
        Catalog(locale=language)
    ]
    for message in (message for other in others for message in other if message.id):
        whole[message.id] = message
    return whole


def _read(path: Traversable, language: str) -> Catalog:
    with path.open(encoding="utf-8-sig") as file:
        return read_po(_whole_lines(file), locale=language, abort_invalid=True)


def _whole_lines(lines: Iterable[str]) -> Iterator[str]:
    """The same lines. Raises ValueError for a text that does not end, of which Babel would cut off the last letter."""
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text and not text.startswith("#") and not text.endswith('"'):
            raise ValueError(f"line {number} does not end with a quotation mark")
        yield line


def keys(read: Catalog) -> list[str]:
    """The keys of a catalogue's sentences."""
    found = [message.id if isinstance(message.id, str) else message.id[0] for message in read]
    return [key for key in found if key]


# ---------------------------------------------------------------------------------------------- what is in memory


_of_locales: Final[Kept[str, Translations]] = Kept("locales", 128)


def translations(locale: str) -> Translations:
    """The translations for a language or for somebody's locale such as ``pt-BR``; the default language if it has none.

    A language's file is read when it is first needed, which takes some 25 ms of the processor (`prepare`).
    """
    return _of_locales.get(locale) or _find(locale)


async def prepare(*locales: str) -> None:
    """Read the files of these locales' languages if they were not yet, and what CLDR says of them, in a thread."""
    for locale in locales:
        if locale not in _of_locales:
            await asyncio.to_thread(_read_whole, locale)


def _read_whole(locale: str) -> None:
    translations(locale).all_of(("", ""))


def _find(locale: str) -> Translations:
    shipped = languages()
    found = None
    while found is None and (language := language_for(locale, shipped)) is not None:
        found = _translations(language)
        shipped = tuple(each for each in shipped if each != language)
    _of_locales[locale] = found = found or translations(DEFAULT_LANGUAGE)
    return found


_reading: Final = threading.RLock()


@cache
def _once(language: str) -> Translations | None:
    try:
        return Translations(language)
    except Exception as error:
        if language == DEFAULT_LANGUAGE:
            raise
        _leave_out("the catalogue", language, error)
        return None


def _translations(language: str) -> Translations | None:
    """The translations of a language that is shipped; None if its file is broken. English raises then."""
    with _reading:  # two threads would each have their own
        return _once(language)


@cache
def of_package(package: str, language: str) -> tuple[Sentences, Sentences]:
    """The sentences of an installed game in a language, and in English; English ones twice if there are no others."""
    english = Sentences(package_catalogue(package, DEFAULT_LANGUAGE))
    theirs = language_for(language, languages(package))
    if theirs is None or language == DEFAULT_LANGUAGE:
        return english, english
    try:
        return Sentences(package_catalogue(package, theirs)), english
    except Exception as error:  # noqa: BLE001  a file may be wrong in any way
        _leave_out(f"the catalogue of {package}", theirs, error)
        return english, english


def forget() -> None:
    """Forget all that was read, because there are other files now: a test ships languages of its own."""
    _of_locales.clear()
    _once.cache_clear()
    of_package.cache_clear()
    _lacking.clear()


def _leave_out(what: str, language: str, error: Exception) -> None:
    reason = " ".join(f"{type(error).__name__}: {error}".split())[:_LONGEST_REASON]
    _log.error("%s in %s is left out, so English is read there: %s", what, language, reason)


# ---------------------------------------------------------------------------------------------- rules pages


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
