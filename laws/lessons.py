"""The first lesson of a game that has one: it can be followed to its end, on screens that Discord takes, and a learner
sees only what their seat may see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from bot.ui.preferences import CardStyle
from bot.ui.screen import Button, Screen
from cogs.lessons.progress import ArrangedChance, letter, progress_after
from cogs.lessons.screens import LessonContext, lesson_screen
from cogs.screens.card_text import TEXT_CARDS, CardForm
from cogs.screens.lesson import LEARNER, MOST_ANSWERS, MOST_STEPS, Lesson, Move, Scene
from cogs.screens.presenter import Reader, Taught
from cogs.screens.renderer import LONGEST_LABEL, is_whole, render
from engines.game import Event, IllegalAction, fold
from laws.bodies import LONGEST_NAME, card_form
from laws.case import GameCase
from laws.hands.card_words import SIGNS
from laws.knowledge import seen
from laws.limits import emojis_are_whole, faults

_CARD: Final = re.compile("`([^`]+)`")
"""A card in a text of a reader who sees cards as text."""


def leads_to_its_end(case: GameCase) -> None:
    """Every step has right answers, and each leads to the next step; a wrong one leads back to its own. The rules allow
    every move that follows from an answer."""
    if not isinstance(case.presenter, Taught):
        return
    lesson = case.presenter.first_lesson
    assert 0 < len(lesson.steps) <= MOST_STEPS
    assert len({step.name for step in lesson.steps}) == len(lesson.steps)
    for step in lesson.steps:
        assert 0 < len(step.answers) <= MOST_ANSWERS
        assert len({answer.name for answer in step.answers}) == len(step.answers)
        assert any(answer.right for answer in step.answers), step.name
    for given in _answers(lesson):
        at = progress_after(case.game, lesson, given)
        assert at.done == len(given) - at.is_wrong
        assert at.asked is (None if at.done == len(lesson.steps) else lesson.steps[at.done])


def screens_fit(case: GameCase) -> None:
    """Every screen that a learner can come to by pressing buttons is one that Discord takes, and is whole. Those of all
    answers are among them, so every sentence is there."""
    if not isinstance(case.presenter, Taught):
        return
    context = _context(case, card_form(case), LONGEST_NAME)
    open_answers, known = [""], set[str]()
    while open_answers:
        answers = open_answers.pop()
        if answers in known:
            continue
        known.add(answers)
        screen = lesson_screen(context, answers)
        assert faults(case, render(screen, case.key)) == {}, answers
        assert is_whole(screen), answers
        emojis_are_whole(screen)
        assert all(0 < len(button.label) <= LONGEST_LABEL for button in _buttons(screen))
        if case.style is CardStyle.WORDS:
            assert not SIGNS.findall(_text(screen).replace("`", "")), answers
        open_answers += [button.press.arg for button in _buttons(screen) if button.press.verb == "learn"]
    assert set(_answers(context.lesson)) <= known


def keeps_secrets(case: GameCase) -> None:
    """No card is on the screen that the learner's seat has not seen at this table."""
    if not isinstance(case.presenter, Taught):
        return
    context = _context(case, TEXT_CARDS, "Ann")
    for answers in _answers(context.lesson):
        known = {card.name for card in seen(case, _facts(case, context.lesson, answers), LEARNER)}
        shown = set(_CARD.findall(_text(lesson_screen(context, answers))))
        assert shown <= known, answers


def _answers(lesson: Lesson) -> Iterator[str]:
    """All answers that a learner can have given, those that end with a wrong one too."""
    right = [""]
    for step in lesson.steps:
        yield from right
        given = [(answers + letter(index), answer) for answers in right for index, answer in enumerate(step.answers)]
        yield from [answers for answers, answer in given if not answer.right]
        right = [answers for answers, answer in given if answer.right]
    yield from right


def _facts(case: GameCase, lesson: Lesson, answers: str) -> list[Event]:
    """All facts of the tables that a learner has come to, and of what their last answer would have led to."""
    facts: list[Event] = []
    given = iter(answers)
    for scene in lesson.scenes:
        chosen = [step.answers[ord(each) - ord("a")] for step, each in zip(scene.steps, given, strict=False)]
        moves = [
            move for answer in chosen if answer.act for move in (Move(LEARNER, answer.act, answer.luck), *answer.then)
        ]
        facts += _facts_of(case, lesson, scene, [*scene.moves, *moves])
        if len(chosen) < len(scene.steps):
            break
    return facts


def _facts_of(case: GameCase, lesson: Lesson, scene: Scene, moves: list[Move]) -> list[Event]:
    state: Any = fold(case.game, case.game.start(lesson.options, lesson.seats), scene.opening)
    facts: list[Event] = [*scene.opening]
    for move in moves:
        try:
            made = case.game.decide(state, move.seat, case.game.read(move.act), ArrangedChance(move.luck))
        except IllegalAction:
            break
        facts += made
        state = made.state
    return facts


def _context(case: GameCase, cards: CardForm, name: str) -> LessonContext:
    if not isinstance(case.presenter, Taught):
        raise TypeError("a lesson is needed")
    names = (name, *[f"Computer {seat}" for seat in range(1, case.presenter.first_lesson.seats)])
    reader = Reader(case.words, names, LEARNER, cards)
    return LessonContext(case.key, case.presenter, reader, following=case.key)


def _buttons(screen: Screen) -> list[Button]:
    return [control for row in screen.rows for control in row if isinstance(control, Button)]


def _text(screen: Screen) -> str:
    """All that is to read on a screen."""
    parts = [part.get("content", "") for container in render(screen, "x") for part in container["components"]]
    return "\n".join([*parts, *[button.label for button in _buttons(screen)]])
