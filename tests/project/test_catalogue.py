"""The catalogue: every key the code asks for is there, every sentence is asked for, in every language alike."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Set as AbstractSet
from functools import cache
from pathlib import Path

import pytest

from bot.languages import DEFAULT_LANGUAGE, languages
from bot.ui.catalogue import UnknownSentence, catalogue, translations

ROOT = Path(__file__).parents[2]
KEY = re.compile(r"[a-z_{}]+(\.[a-z_{}]+)+")


@cache
def texts() -> tuple[str, ...]:
    """Every string constant of bot, cogs and engines that could be a key; `{}` stands for a part put in at run time."""
    found: list[str] = []
    for package in ("bot", "cogs", "engines"):
        for path in (ROOT / package).rglob("*.py"):
            nodes = list(ast.walk(ast.parse(path.read_text())))
            pieces = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
            for node in nodes:
                if id(node) in pieces:
                    continue
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    found.append(node.value)
                elif isinstance(node, ast.JoinedStr):
                    parts = [part.value if isinstance(part, ast.Constant) else "{}" for part in node.values]
                    found.append("".join(str(part) for part in parts))
    return tuple(text for text in found if KEY.fullmatch(text))


def keys(language: str) -> dict[str, list[str]]:
    """The language's sentences by key, all plural forms of each."""
    found: dict[str, list[str]] = {}
    for message in catalogue(language):
        key = message.id if isinstance(message.id, str) else message.id[0]
        if key:
            forms = message.string or ""
            found[key] = [forms] if isinstance(forms, str) else list(forms)
    return found


FILES = {"table.png"}
"""Names of files that look like keys."""


def asks(text: str, known: AbstractSet[str]) -> AbstractSet[str]:
    """The keys among these that a text stands for."""
    if "{}" not in text:
        return {text} & known
    pattern = re.compile(".+".join(re.escape(part) for part in text.split("{}")))
    return {key for key in known if pattern.fullmatch(key)}


def test_every_key_in_the_code_is_in_the_catalogue() -> None:
    known = keys(DEFAULT_LANGUAGE)
    first = {key.partition(".")[0] for key in known}
    asked = [text for text in texts() if text.partition(".")[0] in first and text not in FILES]
    assert len(asked) > 100
    assert sorted(text for text in set(asked) if not asks(text, known.keys())) == []


def test_every_sentence_is_asked_for() -> None:
    known = keys(DEFAULT_LANGUAGE)
    asked = {key for text in set(texts()) for key in asks(text, known.keys())}
    assert [key for key in known if key not in asked] == []


@pytest.mark.parametrize("language", languages())
def test_every_language_has_every_sentence_with_the_same_placeholders(language: str) -> None:
    def placeholders(forms: list[str]) -> set[str]:
        return {field for form in forms for _, field, _, _ in string.Formatter().parse(form) if field is not None}

    english, other = keys(DEFAULT_LANGUAGE), keys(language)
    assert other.keys() == english.keys()
    for key, forms in other.items():
        assert all(forms), key
        assert placeholders(forms) == placeholders(english[key]), key


def test_a_key_that_is_not_there_is_a_fault_and_not_shown() -> None:
    with pytest.raises(UnknownSentence):
        translations(DEFAULT_LANGUAGE)("no.such.key")


def test_a_locale_we_do_not_ship_reads_the_default_language() -> None:
    assert translations("xx-YY").language == DEFAULT_LANGUAGE
