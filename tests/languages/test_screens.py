"""Every screen of every game in every language is within every limit, with nothing cut, no label twice, and nothing
turned round where it is read from right to left."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from bot.languages import DEFAULT_LANGUAGE, languages
from bot.play.live_match import LiveMatch
from bot.ui.catalogue import Translations, translations
from cogs.replays.marked_text import read_lines
from cogs.screens.card_text import TEXT_CARDS
from cogs.screens.presenter import Reader
from cogs.screens.renderer import render
from cogs.wiring import additions_of
from engines import GAMES
from laws import lessons, limits
from laws.bodies import as_drawn, match_of, screens, styled
from laws.case import GameCase, Viewer
from laws.hands.card_words import in_words
from laws.secrecy import played, points
from tests.gallery.matches import shown
from tests.gallery.moments import Moment, moments
from tests.gallery.scene import NAMES, Shown
from tests.games.cases import case_of
from tests.languages.comparing import faults, turned
from tests.languages.made_up import MADE_UP, MIRRORED, made_up
from tests.names.test_names import texts_of

REAL = [each for each in languages() if each != DEFAULT_LANGUAGE]
ENGLISH = translations(DEFAULT_LANGUAGE)
LANGUAGES = pytest.mark.parametrize(
    "language", [*MADE_UP, *(pytest.param(each, marks=pytest.mark.nightly) for each in REAL)]
)
MOMENTS = 3
"""Of a match, beside its end."""


def words_of(language: str) -> Translations:
    """A language that is made up or shipped."""
    return made_up(language) if language in MADE_UP else translations(language)


def looked_at(case: GameCase) -> tuple[GameCase, ...]:
    """A game with its cards in text, as emojis and in words."""
    return (*styled(case), in_words(case))


@cache
def in_english(key: str) -> list[tuple[GameCase, LiveMatch, Viewer, list[Any]]]:
    """What is looked at in every language: how cards are shown, at which point, to whom, and what it is in English."""
    case = replace(case_of(key), words=ENGLISH)
    setting, seats = max(case.setups, key=lambda setup: setup[1])
    log, styles = played(case, setting, seats, 1), itertools.cycle(looked_at(case))
    found: list[tuple[GameCase, LiveMatch, Viewer, list[Any]]] = []
    for moves in (*points(log, random.Random(1), MOMENTS), len(log.moves)):
        match, each = match_of(log.deal, log.events(moves), moves, held=moves % 2 == 1), next(styles)
        found += [
            (each, match, viewer, [render(as_drawn(screen), match.id) for screen in screens(each, match, viewer)])
            for viewer in (None, *range(seats))
        ]
    return found


@LANGUAGES
@pytest.mark.parametrize("key", GAMES)
def test_nothing_on_a_screen_of_a_match_is_cut_or_stands_twice(key: str, language: str) -> None:
    words = words_of(language)
    for english, match, viewer, meant in in_english(key):
        mine = replace(english, words=words)
        for screen, other in zip(screens(mine, match, viewer), meant, strict=True):
            made = render(as_drawn(screen), match.id)
            assert limits.faults(mine, made) == {}
            assert [*faults(made, other)] == []


@pytest.mark.parametrize("language", MADE_UP)
@pytest.mark.parametrize("key", GAMES)
def test_every_screen_of_a_lesson_is_whole_in_every_style(key: str, language: str) -> None:
    case = replace(case_of(key), words=words_of(language))
    for each in looked_at(case):
        lessons.screens_fit(each)


@cache
def gallery_in_english(key: str) -> list[list[Shown]]:
    """What the gallery shows of each moment in English."""
    return [[*in_gallery(key, moment, ENGLISH)] for moment in of_gallery(key)]


@cache
def of_gallery(key: str) -> list[Moment]:
    """The moments of a game that the gallery shows: they are the same in every language."""
    return moments(case_of(key))


def in_gallery(key: str, moment: Moment, words: Translations) -> Iterator[Shown]:
    """The gallery's messages of a moment, with cards in text."""

    def reader(seat: int | None) -> Reader:
        names = tuple(map(words.named, NAMES[: moment.log.deal.seats]))
        return Reader(words, names, seat, TEXT_CARDS, additions_of())

    return shown(case_of(key), moment, reader)


@LANGUAGES
@pytest.mark.parametrize("key", GAMES)
def test_every_label_in_the_gallery_fits_a_phone_and_no_name_or_number_is_turned_round(key: str, language: str) -> None:
    for moment, english in zip(of_gallery(key), gallery_in_english(key), strict=True):
        for mine, meant in zip(in_gallery(key, moment, words_of(language)), english, strict=True):
            found = faults(mine.message["components"], meant.message["components"], on_a_phone=True)
            assert [*found] == [], (moment.title, mine.caption)
            if language == MIRRORED:
                lines = [line.plain for text in texts_of(mine.message) for line in read_lines(text)]
                assert [fault for line in lines if (fault := turned(line))] == [], (moment.title, mine.caption)
