"""Two languages that nobody speaks, made from the English catalogue: they show what no sentence of a real one has met.

The longer one has accents, and 45 % more letters: as much as German or French may need. The mirrored one is written
from right to left, in Arabic letters. Both keep placeholders, marks, escapes, links, and the names of commands.

They have the names of real languages that Cardroom doesn't ship, so that CLDR knows their numbers and plurals.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Final

from babel.messages.catalog import Catalog

from bot.languages import DEFAULT_LANGUAGE
from bot.ui.catalogue import Translations, catalogue

LONGER: Final = "fi_FI"
MIRRORED: Final = "ar_EG"
LONGER_BY: Final = 0.45

NAMES: Final = "name."
"""What the keys of the names of commands and options begin with: Discord has rules of its own for them."""
CRIES: Final = frozenset({"tivmiv.act.dinner"})
"""What somebody cries is as short as they like, in any language."""
KEPT: Final = re.compile(r"(\{[^{}]*\}|`[^`]*`|<[^<>\s]*>|https?://\S+|\]\([^)]*\)|/[a-z]+|\\.)", re.DOTALL)
"""Placeholders, code, mentions, links, commands and escapes."""
_WORD: Final = re.compile(r"[A-Za-z]+")
_ACCENTS: Final = str.maketrans("aceinouyAEINOUY", "åçéîñöüýÅÉÎÑÖÜÝ")
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_ARABIC: Final = str.maketrans(_LETTERS + _LETTERS.upper(), "ابچدهفغحيجكلمنوپقرستعڤوخيز" * 2)


def longer(text: str) -> str:
    """A sentence with accents whose words have 45 % more letters."""
    read = added = 0

    def lengthened(word: re.Match[str]) -> str:
        nonlocal read, added
        letters = word[0]
        read += len(letters)
        more = round(LONGER_BY * read) - added
        added += more
        vowel = next((at for at, letter in enumerate(letters) if letter in "aeiouyAEIOUY"), len(letters) - 1)
        return (letters[: vowel + 1] + letters[vowel].lower() * more + letters[vowel + 1 :]).translate(_ACCENTS)

    return _words_of(text, lengthened)


def mirrored(text: str) -> str:
    """A sentence in letters that are written from right to left."""
    return _words_of(text, lambda word: word[0].translate(_ARABIC))


def _words_of(text: str, change: Callable[[re.Match[str]], str]) -> str:
    """A text with its words changed, and what is no word left as it is."""
    parts = KEPT.split(text)
    return "".join(part if index % 2 else _WORD.sub(change, part) for index, part in enumerate(parts))


_CHANGES: Final = {LONGER: longer, MIRRORED: mirrored}
MADE_UP: Final = tuple(_CHANGES)


@cache
def made_up(language: str) -> Translations:
    """One of the two."""
    return Translations(language, made_up_catalogue(language))


def made_up_catalogue(language: str) -> Catalog:
    """All messages of one of the two."""
    change, made = _CHANGES[language], Catalog(locale=language)
    for message in catalogue(DEFAULT_LANGUAGE):
        if not message.id:
            continue
        key = message.id if isinstance(message.id, str) else message.id[0]
        changed = str if key.startswith(NAMES) or key in CRIES else change
        if isinstance(message.string, str):
            made.add(message.id, changed(message.string))
        else:
            forms = [changed(form) for form in message.string or ()]
            made.add(message.id, (*forms, *forms[-1:] * made.num_plurals)[: made.num_plurals])
    return made
