"""A time for a turn can be typed in every language, as it is shown there, and always in English."""

from __future__ import annotations

import re

import pytest

from bot.durations import AND, ENGLISH, UNITS, key_of, read_turn
from bot.languages import LOCALES, WHOLE, language_named, languages
from bot.time_controls import TIME_CONTROLS, time_control
from bot.ui.catalogue import translations
from bot.ui.formats import Formats
from cogs.screens.time_control_text import read_time_control, time_control_label, time_label

REAL = [each for each in WHOLE if each in languages()]
TURNS = (45, 90, 150, 300, 3600, 5400, 5405, 86_400, 259_200, 273_600)
EXAMPLE = re.compile(r"`([^`/]+)`")


@pytest.mark.parametrize("language", REAL)
def test_every_time_is_read_as_it_is_shown(language: str) -> None:
    words = translations(language)
    for turn in TURNS:
        shown = time_label(turn, words)
        for typed in (shown, shown.upper(), words("clock.offer", clock=shown)):
            assert read_time_control(typed, words) == time_control(key_of(turn)), typed
    for named in TIME_CONTROLS.values():
        label = time_control_label(named, words)
        for typed in (label, re.split("[,、]", label)[0], named.key):
            assert read_time_control(typed, words) == named


@pytest.mark.parametrize("language", REAL)
def test_every_time_that_is_named_as_an_example_is_read(language: str) -> None:
    words = translations(language)
    for sentence in (words("clock.unreadable"), words("help.clocks", clocks="")):
        examples = EXAMPLE.findall(sentence)
        assert len(examples) >= 3
        for example in examples:
            assert read_time_control(example, words).turn, example


@pytest.mark.parametrize(
    ("language", "typed", "seconds"),
    [
        ("es", "3 dias", 259200),
        ("de", "2 Std.", 7200),
        ("de", "3 Tage", 259_200),
        ("de", "1 Stunde und 30 Minuten", 5400),
        ("de", "1,5 Std", 5400),
        ("fr", "1 h 30", 5400),
        ("fr", "2 jours", 172_800),
        ("fr", "1\u202fh", 3600),
        ("es", "1 hora y 30 minutos", 5400),
        ("pt_BR", "3 dias", 259_200),
        ("ja", "5分", 300),
        ("ja", "５分", 300),
        ("ja", "1時間30分", 5400),
        ("ja", "3日", 259_200),
        ("ru", "5 мин", 300),
        ("ar", "30 دقيقة", 1800),
        ("he", "2 ימים", 172_800),
        ("th", "3 วัน", 259_200),
        ("ja", "1h 30m", 5400),
        ("de", "3 days", 259_200),
    ],
)
def test_a_time_typed_in_a_language_is_read(language: str, typed: str, seconds: int) -> None:
    assert read_turn(typed, Formats(language).typed) == seconds


@pytest.mark.parametrize("locale", LOCALES)
def test_each_locale_of_discord_has_words_for_each_unit(locale: str) -> None:
    """In Turkish "d" is a minute to some, and still a day here: our examples say so."""
    typed = Formats(language_named(locale)).typed
    assert ENGLISH.items() <= typed.items()
    assert set(typed.values()) == {*UNITS, AND}
    assert len(typed) <= 120
