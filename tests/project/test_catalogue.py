"""The catalogue: every key the code asks for is there, every sentence is asked for, in every language alike."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from pathlib import Path

import pytest
from babel.messages.plurals import get_plural

from bot.languages import DEFAULT_LANGUAGE, LOCALES, WHOLE, language_for, languages
from bot.ui.catalogue import Sentences, UnknownSentence, catalogue, placeholders, translations
from engines import GAMES
from tests.project.reading import Module, found, reads

ROOT = Path(__file__).parents[2]
KEY = re.compile(r"[a-z_{}]+(\.[a-z_{}]+)+")


@reads("bot", "cogs", "engines")
def keys(text: Module) -> Iterator[str]:
    """Every string of a module that could be a key; `{}` stands for a part put in at run time."""
    pieces = {id(part) for node in text.nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in text.nodes:
        said = ""
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in pieces:
            said = node.value
        elif isinstance(node, ast.JoinedStr) and id(node) not in pieces:
            said = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        if KEY.fullmatch(said):
            yield said


def texts() -> set[str]:
    """All of them."""
    return {each for said in found(keys).values() for each in said}


FILES = {"table.png"}
"""Names of files that look like keys."""


def asks(text: str, known: AbstractSet[str]) -> AbstractSet[str]:
    """The keys among these that a text stands for."""
    if "{}" not in text:
        return {text} & known
    pattern = re.compile(".+".join(re.escape(part) for part in text.split("{}")))
    return {key for key in known if pattern.fullmatch(key)}


def test_every_key_in_the_code_is_in_the_catalogue() -> None:
    known = Sentences(catalogue(DEFAULT_LANGUAGE)).forms
    first = {key.partition(".")[0] for key in known}
    asked = [text for text in texts() if text.partition(".")[0] in first and text not in FILES]
    assert len(asked) > 100
    assert sorted(text for text in asked if not asks(text, known.keys())) == []


def test_every_sentence_is_asked_for() -> None:
    known = Sentences(catalogue(DEFAULT_LANGUAGE)).forms
    asked = {key for text in texts() for key in asks(text, known.keys())}
    assert [key for key in known if key not in asked] == []


@pytest.mark.parametrize("language", [each for each in WHOLE if each in languages()])
def test_a_whole_language_has_every_sentence(language: str) -> None:
    """Of a game that is new it may have none yet: then that game is English in it."""
    english, other = Sentences(catalogue(DEFAULT_LANGUAGE)).forms, Sentences(catalogue(language)).forms
    unbegun = GAMES.keys() - {key.partition(".")[0] for key in other}
    assert sorted(key for key in english.keys() - other.keys() if key.partition(".")[0] not in unbegun) == []


@pytest.mark.parametrize("language", languages())
def test_a_language_says_nothing_that_english_does_not_with_the_same_placeholders(language: str) -> None:
    english, other = Sentences(catalogue(DEFAULT_LANGUAGE)).forms, Sentences(catalogue(language)).forms
    assert sorted(other.keys() - english.keys()) == []
    assert [key for key in other if placeholders(other[key]) != placeholders(english[key])] == []
    assert [key for key in other if isinstance(other[key], str) is not isinstance(english[key], str)] == []


@pytest.mark.parametrize("language", languages())
def test_a_language_has_the_plural_forms_that_babel_gives_it(language: str) -> None:
    read = catalogue(language)
    assert (read.num_plurals, read.plural_expr) == get_plural(language)[:2]


def test_somebody_reads_each_language_in_one_folder() -> None:
    """A folder of another name would be read by nobody. Translators may begin with Discord's name; here it is
    gettext's."""
    read = {language_for(locale, languages()) for locale in LOCALES}
    assert read - {None} == set(languages()), "a folder's name fits none of Discord's locales"
    assert sorted(entry.name for entry in (ROOT / "bot" / "locale").iterdir()) == list(languages())


def test_a_key_that_is_not_there_is_a_fault_and_not_shown() -> None:
    with pytest.raises(UnknownSentence):
        translations(DEFAULT_LANGUAGE)("no.such.key")


def test_a_locale_we_do_not_ship_reads_the_default_language() -> None:
    assert translations("xx-YY").language == DEFAULT_LANGUAGE
