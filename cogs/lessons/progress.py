"""How far a learner has come in a lesson: worked out again at each press from the answers that the button carries.

So a lesson needs no row in the store, and a restart of the bot does not end it. Its chance brings what the lesson
says (`ArrangedChance`).
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from cogs.screens.lesson import LEARNER, Answer, Lesson, Luck, Move, Scene, Step
from engines.game import AnyGame, Event, IllegalAction, Refusal, fold, seen_by

_LETTERS: Final = string.ascii_lowercase

T = TypeVar("T")


class UnknownAnswers(ValueError):  # noqa: N818  the name says what is wrong
    """Raised for answers that nobody can have given in this lesson."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a learner is.

    `done` is how many steps they have done, `asked` the next one, None at the end. `answered` is the step and the
    answer before, None at the beginning. `told` are the facts that followed from it, as the learner's seat sees them,
    and `is_elsewhere` says that they are of another table than the question. After a wrong answer, `asked` is the step
    that was answered, `told` what the answer would have led to, and `refusal` why the rules do not allow it, if they do
    not.
    """

    done: int
    asked: Step | None
    state: Any
    answered: tuple[Step, Answer] | None = None
    told: tuple[Event, ...] = ()
    refusal: Refusal | None = None
    is_elsewhere: bool = False

    @property
    def is_wrong(self) -> bool:
        """Whether the last answer was a wrong one."""
        return self.answered is not None and not self.answered[1].right


def letter(answer: int) -> str:
    """The letter of an answer, by its number in its step."""
    return _LETTERS[answer]


def progress_after(game: AnyGame, lesson: Lesson, answers: str) -> Progress:
    """Where a learner is who gave these answers, a letter each. Raises UnknownAnswers."""
    given = iter(answers)
    at = Progress(0, None, None)
    for scene in lesson.scenes:
        at = replace(at, state=_opened(game, lesson, scene), is_elsewhere=True)
        for step in scene.steps:
            answer = _next_answer(step, given)
            if answer is None:
                return replace(at, asked=step)
            if not answer.right:
                if next(given, None) is not None:
                    raise UnknownAnswers("nothing follows a wrong answer")
                return _wrong(game, Progress(at.done, step, at.state, (step, answer)), answer)
            state, told = _played(game, at.state, _moves(answer))
            at = Progress(at.done + 1, None, state, (step, answer), told)
    if next(given, None) is not None:
        raise UnknownAnswers("there are more answers than steps")
    return at


def _next_answer(step: Step, given: Iterator[str]) -> Answer | None:
    """The answer that was given to a step; None if there was none yet. Raises UnknownAnswers."""
    chosen = next(given, None)
    if chosen is None:
        return None
    number = _LETTERS.find(chosen)
    if not 0 <= number < len(step.answers):
        raise UnknownAnswers("no such answer")
    return step.answers[number]


def _wrong(game: AnyGame, at: Progress, answer: Answer) -> Progress:
    """The progress with a wrong answer and what would have followed from it. Raises IllegalAction only for a lesson
    whose own moves are wrong."""
    if not answer.act:
        return at
    own, *others = _moves(answer)
    try:
        state, told = _played(game, at.state, (own,))
    except IllegalAction as illegal:
        return replace(at, refusal=illegal.refusal)
    _, followed = _played(game, state, others)
    return replace(at, told=told + followed)


def _moves(answer: Answer) -> tuple[Move, ...]:
    return (Move(LEARNER, answer.act, answer.luck), *answer.then)


def _opened(game: AnyGame, lesson: Lesson, scene: Scene) -> Any:
    """The state in which a scene's first question is asked."""
    state, _ = _played(game, fold(game, game.start(lesson.options, lesson.seats), scene.opening), scene.moves)
    return state


def _played(game: AnyGame, state: Any, moves: Iterable[Move]) -> tuple[Any, tuple[Event, ...]]:
    """The state after these moves, and their facts as the learner sees them. Raises IllegalAction."""
    told: list[Event] = []
    for move in moves:
        facts = game.decide(state, move.seat, game.read(move.act), ArrangedChance(move.luck))
        state = facts.state
        told += [seen for fact in facts if (seen := seen_by(fact, LEARNER)) is not None]
    return state, tuple(told)


class ArrangedStream:
    """As `engines.chance.Stream`, but everything is arranged: what is not arranged is the first there is."""

    def __init__(self, luck: Luck) -> None:
        self._codes = [each for each in luck if isinstance(each, str)]
        self._numbers = [each for each in luck if isinstance(each, int)][::-1]

    def below(self, n: int) -> int:
        """As `Stream.below`."""
        return self._numbers.pop() % n if self._numbers else 0

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """As `Stream.shuffled`: the cards that are named come first, and the others keep their order."""
        return tuple(sorted(items, key=self._number))

    def _number(self, item: Any) -> int:
        return self._codes.index(item.code) if item.code in self._codes else len(self._codes)


class ArrangedChance:
    """As `engines.chance.Chance`. It has no deck: a lesson lays its tables out by hand."""

    rules_version = None

    def __init__(self, luck: Luck) -> None:
        self._stream = ArrangedStream(luck)

    def deck(self, pack: Sequence[T], deal: int = 1, pack_id: str | None = None) -> tuple[T, ...]:  # noqa: ARG002  as the protocol has them
        """As `Chance.deck`."""
        return self._stream.shuffled(pack)

    def use(self, name: str) -> ArrangedStream:  # noqa: ARG002  an act of a lesson has one use of chance
        """As `Chance.use`."""
        return self._stream

    def first_seat(self, seats: int) -> int:
        """As `Chance.first_seat`."""
        return self._stream.below(seats)
