"""The first lessons: what each brings up, answers that nobody can have given, and versions. That each can be followed
to its end is a law (`laws.lessons`)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from bot.ui.catalogue import catalogue, keys, translations
from bot.ui.screen import Button, Log, Screen, Text
from cogs.lessons.progress import UnknownAnswers, letter, progress_after
from cogs.lessons.screens import LessonContext, lesson_screen
from cogs.screens.card_text import TEXT_CARDS
from cogs.screens.lesson import LEARNER, Lesson
from cogs.screens.presenter import Reader, Taught
from engines import GAMES, champions, ciq, haymaker, tivmiv, unbreakable
from tests.games.cases import case_of, with_lesson

say = translations("en")

VERSIONS = {
    "champions": (1, "ea45fc2269b254ca"),
    "ciq": (1, "9894a0dfb064165f"),
    "haymaker": (1, "b2f934a93501b1c8"),
    "tivmiv": (1, "d12c07fcd1d900b5"),
    "unbreakable": (1, "362644ef9f7c93d4"),
}
"""Each lesson's version, and the hash of its steps and answers. If you change those, raise the version in the lesson,
and put both here: buttons of messages that are open then begin the new lesson."""

BROUGHT_UP: Mapping[str, Mapping[str, Callable[[Any], bool]]] = {
    "haymaker": {
        "a reversal": lambda fact: isinstance(fact, haymaker.BlockLaid) and fact.reversal and fact.seat == LEARNER,
        "a reversal by the opponent": lambda fact: isinstance(fact, haymaker.BlockLaid) and fact.seat != LEARNER,
        "a haymaker": lambda fact: isinstance(fact, haymaker.AttackLaid) and len(fact.cards) > 1,
        "a single attack": lambda fact: isinstance(fact, haymaker.AttackLaid) and len(fact.cards) == 1,
        "a hit for two cards": lambda fact: isinstance(fact, haymaker.CardsGiven) and len(fact.cards) == 2,
        "cards drawn after a reversal": lambda fact: isinstance(fact, haymaker.CardsDrawn),
        "a knockout": lambda fact: isinstance(fact, haymaker.Ended) and fact.kind == "knockout",
    },
    "unbreakable": {
        "an attacker of one's own": lambda fact: isinstance(fact, unbreakable.AttackerLaid) and fact.seat == LEARNER,
        "an attacker of the opponent": lambda fact: isinstance(fact, unbreakable.AttackerLaid) and fact.seat != LEARNER,
        "a face in the middle": lambda fact: isinstance(fact, unbreakable.AttackerLaid) and fact.card.rank > 10,
        "a closest sum": lambda fact: isinstance(fact, unbreakable.PairsShown) and not fact.knockout,
        "a knockout": lambda fact: isinstance(fact, unbreakable.PairsShown) and fact.knockout,
        "one more card": lambda fact: isinstance(fact, unbreakable.ExtraCountDrawn),
        "a target that is taken": lambda fact: isinstance(fact, unbreakable.TargetTaken),
        "an empty match hand": lambda fact: isinstance(fact, unbreakable.Ended) and fact.kind == "unbreakable",
    },
    "tivmiv": {
        "being ready": lambda fact: isinstance(fact, tivmiv.MadeReady) and fact.seat == LEARNER,
        "the countdown": lambda fact: isinstance(fact, tivmiv.CountdownBegun),
        "GO": lambda fact: isinstance(fact, tivmiv.Go),
        "drawing": lambda fact: isinstance(fact, tivmiv.CardDrawn),
        "placing": lambda fact: isinstance(fact, tivmiv.CardPlaced) and fact.seat == LEARNER,
        "a faster opponent": lambda fact: isinstance(fact, tivmiv.CardPlaced) and fact.seat != LEARNER,
        "the last card, and points": lambda fact: isinstance(fact, tivmiv.PhaseEnded) and fact.points == (0, 14),
    },
    "ciq": {
        "a row": lambda fact: isinstance(fact, ciq.AttackLaid) and len(fact.cards) == 4,
        "an attack by the opponent": lambda fact: isinstance(fact, ciq.AttackLaid) and fact.seat != LEARNER,
        "weakening": lambda fact: isinstance(fact, ciq.AttackLaid) and fact.pile is ciq.Pile.DEFENSE,
        "a block": lambda fact: isinstance(fact, ciq.Blocked) and fact.seat == LEARNER,
        "a block by the opponent": lambda fact: isinstance(fact, ciq.Blocked) and fact.seat != LEARNER,
        "defending": lambda fact: isinstance(fact, ciq.Defended),
        "a king": lambda fact: isinstance(fact, ciq.Transferred) and fact.source is ciq.Source.DAMAGE,
        "cards moved from the hand": lambda fact: isinstance(fact, ciq.Transferred) and fact.source is ciq.Source.HAND,
        "the last card": lambda fact: isinstance(fact, ciq.Ended) and fact.kind == "emptied",
    },
    "champions": {
        "naming an opponent": lambda fact: isinstance(fact, champions.OpponentNamed) and fact.challenger == LEARNER,
        "being challenged": lambda fact: isinstance(fact, champions.OpponentNamed) and fact.opponent == LEARNER,
        "setting a number": lambda fact: isinstance(fact, champions.NumberSet) and fact.seat == LEARNER,
        "a die": lambda fact: isinstance(fact, champions.DieSelected) and fact.seat == LEARNER,
        "a call": lambda fact: isinstance(fact, champions.Called) and fact.seat == LEARNER,
        "a battle won": lambda fact: isinstance(fact, champions.BattleWon) and fact.winner == LEARNER,
        "a tie": lambda fact: isinstance(fact, champions.BattleTied),
        "an exchange": lambda fact: isinstance(fact, champions.CardGiven),
        "the last card": lambda fact: isinstance(fact, champions.Ended) and fact.kind == "out_of_cards",
    },
}
"""What each lesson brings up if it is followed without a mistake."""


def lesson_of(game: str) -> Lesson:
    presenter = case_of(game).presenter
    assert isinstance(presenter, Taught)
    return presenter.first_lesson


def context_of(game: str, *, following: str = "") -> LessonContext:
    presenter = case_of(game).presenter
    assert isinstance(presenter, Taught)
    names = ("Ann", *[f"Computer {seat}" for seat in range(1, presenter.first_lesson.seats)])
    return LessonContext(game, presenter, Reader(say, names, LEARNER, TEXT_CARDS), following)


def followed(lesson: Lesson) -> list[str]:
    """The answers of a learner who makes no mistake, after each step."""
    right = "".join(
        letter(next(index for index, answer in enumerate(step.answers) if answer.right)) for step in lesson.steps
    )
    return [right[:index] for index in range(len(right) + 1)]


def labels(screen: Screen) -> list[str]:
    return [control.label for row in screen.rows for control in row if isinstance(control, Button)]


@pytest.mark.parametrize("game", with_lesson())
def test_a_lesson_brings_up_what_it_is_for(game: str) -> None:
    lesson = lesson_of(game)
    told = [fact for answers in followed(lesson) for fact in progress_after(GAMES[game], lesson, answers).told]
    missing = [what for what, is_it in BROUGHT_UP.get(game, {}).items() if not any(map(is_it, told))]
    assert missing == []


@pytest.mark.parametrize("game", with_lesson())
def test_every_wrong_answer_says_what_follows_and_why_another_one_is_better(game: str) -> None:
    lesson, context = lesson_of(game), context_of(game)
    for answers, step in zip(followed(lesson), lesson.steps, strict=False):
        for index, answer in enumerate(step.answers):
            if answer.right:
                continue
            screen = lesson_screen(context, answers + letter(index))
            assert labels(screen) == [say("button.try_again"), say("button.learn_skip")]
            again = next(each.press for row in screen.rows for each in row if isinstance(each, Button))
            assert (again.verb, again.window, again.arg) == ("learn", lesson.version, answers)
            texts = [section.text for section in screen.sections if isinstance(section, Text)]
            assert context.why(step, answer) in texts
            at = progress_after(GAMES[game], lesson, answers + letter(index))
            shown = any(isinstance(section, Log) for section in screen.sections)
            assert shown == bool(answer.act and at.refusal is None)
            if at.refusal is not None:
                assert any(say("learn.refused", reason="").strip() in text for text in texts)


@pytest.mark.parametrize("game", with_lesson())
def test_a_change_of_a_lesson_raises_its_version(game: str) -> None:
    lesson = lesson_of(game)
    steps = [(step.name, [(each.name, each.act, each.right) for each in step.answers]) for step in lesson.steps]
    digest = hashlib.sha256(repr(steps).encode()).hexdigest()[:16]
    assert (lesson.version, digest) == VERSIONS.get(game), "put the lesson's version and hash above"


@pytest.mark.parametrize("game", with_lesson())
def test_the_catalogue_has_no_sentence_of_a_lesson_that_nobody_reads(game: str) -> None:
    steps = lesson_of(game).steps
    answers = [(f"{step.name}.{answer.name}", answer) for step in steps for answer in step.answers]
    labelled = {name for name, answer in answers if not answer.card}
    reasons = {f"{step.name}.{answer.like or answer.name}_why" for step in steps for answer in step.answers}
    asked = {"end", *[step.name for step in steps], *labelled, *reasons}
    prefix = f"{game}.learn."
    assert {key.removeprefix(prefix) for key in keys(catalogue("en")) if key.startswith(prefix)} == asked


@pytest.mark.parametrize("answers", ["z", "A", "?", "bb?", "b" * 70, "aa", "-a", "b--", "a-", "--"])
def test_answers_that_nobody_can_have_given_are_refused(answers: str) -> None:
    with pytest.raises(UnknownAnswers):
        lesson_screen(context_of("haymaker"), answers)


def test_back_leads_to_the_step_before_and_a_skip_back_to_the_step_that_was_skipped() -> None:
    context, (first, second, *_) = context_of("haymaker"), followed(lesson_of("haymaker"))
    begun, next_step, skipped = [lesson_screen(context, answers) for answers in (first, second, f"{second}-")]

    def press_of(screen: Screen, label: str) -> Button:
        return next(each for row in screen.rows for each in row if isinstance(each, Button) and each.label == label)

    assert not press_of(begun, say("button.previous")).enabled
    assert press_of(next_step, say("button.previous")).press.arg == first
    assert press_of(next_step, say("button.learn_skip")).press.arg == f"{second}-"
    assert press_of(skipped, say("button.previous")).press.arg == second
    assert skipped.title == say("learn.skipped_title", game="Haymaker")
