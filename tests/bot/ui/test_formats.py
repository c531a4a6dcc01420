"""Lists and shares are written as the reader's language writes them."""

from __future__ import annotations

import pytest
from babel.lists import format_list

from bot.languages import LOCALES, language_named
from bot.ui.formats import Formats

ANN = ("Ann", "Ben", "Cat", "Dan")


@pytest.mark.parametrize("locale", LOCALES)
def test_lists_of_any_length_are_babels(locale: str) -> None:
    formats = Formats(language_named(locale))
    for most in range(1, len(ANN) + 1):
        assert formats.all_of(ANN[:most]) == format_list(ANN[:most], locale=formats.locale)
        assert formats.any_of(ANN[:most]) == format_list(ANN[:most], "or", locale=formats.locale)
    assert formats.all_of(()) == ""


@pytest.mark.parametrize(
    ("language", "listed", "share"),
    [("en", "Ann, Ben and Cat", "45%"), ("de", "Ann, Ben und Cat", "45\u00a0%"), ("ja", "Ann、Ben、Cat", "45%")],
)
def test_each_language_has_its_own(language: str, listed: str, share: str) -> None:
    assert Formats(language).all_of(ANN[:3]) == listed
    assert Formats(language).percent(45) == share


def test_a_language_that_cldr_does_not_know_has_those_of_english() -> None:
    assert Formats("qq").all_of(ANN[:3]) == Formats("en").all_of(ANN[:3])
