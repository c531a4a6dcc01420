"""Lists and shares are written as the reader's language writes them."""

from __future__ import annotations

import pytest
from babel.lists import format_list

from bot.languages import LOCALES, language_named
from bot.ui.catalogue import translations
from bot.ui.formats import Formats
from bot.ui.isolation import END, ISOLATE, isolated
from tests.languages.made_up import MIRRORED, made_up

ANN = ("Ann", "Ben", "Cat", "Dan")


@pytest.mark.parametrize("locale", LOCALES)
def test_lists_of_any_length_are_babels(locale: str) -> None:
    formats = Formats(language_named(locale))
    for most in range(1, len(ANN) + 1):
        names = [f"{ISOLATE}{name}{END}" if formats.from_right_to_left else name for name in ANN[:most]]
        assert formats.all_of(ANN[:most]) == format_list(names, locale=formats.locale)
        assert formats.any_of(ANN[:most]) == format_list(names, "or", locale=formats.locale)
    assert formats.all_of(()) == ""


@pytest.mark.parametrize(
    ("language", "listed", "share"),
    [("en", "Ann, Ben and Cat", "45%"), ("de", "Ann, Ben und Cat", "45\u00a0%"), ("ja", "Ann、Ben、Cat", "45%")],
)
def test_each_language_has_its_own(language: str, listed: str, share: str) -> None:
    assert Formats(language).all_of(ANN[:3]) == listed
    assert Formats(language).percent(45) == share


def test_spanish_has_another_word_before_the_same_sound() -> None:
    spanish = Formats("es")
    assert spanish.all_of(["Ana", "**Inés**"]) == "Ana e **Inés**"
    assert spanish.all_of(["Ana", "Hielo"]) == "Ana y Hielo"
    assert spanish.any_of(["7", "8"]) == "7 u 8"


def test_a_language_that_cldr_does_not_know_has_those_of_english() -> None:
    assert Formats("qq").all_of(ANN[:3]) == Formats("en").all_of(ANN[:3])


def test_what_is_put_into_a_sentence_from_right_to_left_is_kept_apart_once() -> None:
    """Else "+12" would read "12+", and a name would take the number beside it along. A number turns nothing round."""
    mirrored, name = made_up(MIRRORED), isolated("\u05d0\u05d1")
    assert mirrored.from_right_to_left
    told = mirrored("ending.rating", rating=1200, change="+12")
    assert f"{ISOLATE}+12{END}" in told
    assert " 1200 " in told
    assert mirrored.all_of([name, "Ann"]).split(name) == ["", f" \u0648{ISOLATE}Ann{END}"]
    assert f"**{name}**" in mirrored("daily.told.won", player=name)
    assert ISOLATE not in translations("en")("daily.told.won", player="Ann")
