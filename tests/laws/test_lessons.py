"""The laws of lessons find what they are for: each breach is planted here."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.ui.screen import Section, Text
from cogs.games.haymaker import HaymakerPresenter
from cogs.games.lessons.haymaker import LESSON
from cogs.screens.lesson import Lesson, Scene
from cogs.screens.presenter import Reader
from engines.cards import Card
from engines.game import IllegalAction
from laws import lessons
from laws.case import GameCase
from tests.games.cases import case_of


class LongWinded(HaymakerPresenter):
    """Says more of the table than a message has room for."""

    def lesson_table(self, own: Any, reader: Reader) -> tuple[Section, ...]:
        return (*super().lesson_table(own, reader), Text("card " * 800))


def taught(lesson: Lesson) -> GameCase:
    """Haymaker with another lesson."""

    class Planted(HaymakerPresenter):
        first_lesson = lesson

    return replace(case_of("haymaker"), presenter=Planted())


def with_answer(place: int, **changes: Any) -> Lesson:
    """The lesson with a change of an answer of its first step."""
    (scene,) = LESSON.scenes
    first, *others = scene.steps
    answers = [replace(each, **changes) if at == place else each for at, each in enumerate(first.answers)]
    steps = (replace(first, answers=tuple(answers)), *others)
    return replace(LESSON, scenes=(Scene(scene.opening, steps, scene.moves),))


def test_a_step_without_a_right_answer_is_found() -> None:
    with pytest.raises(AssertionError, match="exact"):
        lessons.leads_to_its_end(taught(with_answer(1, right=False)))


def test_a_right_answer_that_the_rules_refuse_is_found() -> None:
    with pytest.raises(IllegalAction):
        lessons.leads_to_its_end(taught(with_answer(1, act="block 3H")))


def test_a_sentence_about_a_card_of_the_opponent_is_found() -> None:
    with pytest.raises(AssertionError):
        lessons.keeps_secrets(taught(replace(LESSON, cards={**LESSON.cards, "seven": Card.of("5S")})))


def test_a_screen_that_is_too_long_is_found() -> None:
    with pytest.raises(AssertionError):
        lessons.screens_fit(replace(case_of("haymaker"), presenter=LongWinded()))


def test_a_game_without_a_lesson_keeps_the_laws() -> None:
    untaught: Any = object()
    case = replace(case_of("haymaker"), presenter=untaught)
    for law in (lessons.leads_to_its_end, lessons.screens_fit, lessons.keeps_secrets):
        law(case)
