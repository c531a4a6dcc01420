"""What a first lesson of a game consists of: tables that are laid out by hand, and at each step a few moves to choose
from, of which one or more are right.

The learner has seat 0, and all other seats are computers that move as the lesson says. A lesson has no sentences. They
are in the catalogue, under keys made of the game's key and of the names that the lesson gives:

- ``<game>.learn.<step>`` teaches something and asks what to do
- ``<game>.learn.<step>.<answer>`` is the button of an answer, unless that is a card
- ``<game>.learn.<step>.<answer>_why`` says why it is right, or why another one is better
- ``<game>.learn.end`` sums up

Each may have the lesson's `cards` as placeholders, by their names, and the computers' names: ``computer_1`` and so on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from cogs.screens.card_text import Card
from engines.game import Event, Seat

LEARNER: Final[Seat] = 0
"""The learner's seat."""
MOST_ANSWERS: Final = 4
MOST_STEPS: Final = 12

Luck: TypeAlias = tuple[int | str, ...]
"""What chance brings in one move: numbers for what is drawn as a number, codes of cards for what is shuffled first."""


@dataclass(frozen=True, slots=True)
class Move:
    """A move that follows by itself, in the game's notation: of a seat, or of the clock (None)."""

    seat: Seat | None
    act: str
    luck: Luck = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """A move that the learner may choose. Without a move (`act` is empty) it says what they would do, and is wrong.

    A wrong one may be a move that the rules refuse; then the learner reads the rules' own reason. `then` are the moves
    that follow. `card` is the name of a card that the button shows, in place of a sentence. `like` is the name of an
    answer of the same step that is wrong for the same reason.
    """

    name: str
    act: str = ""
    right: bool = False
    luck: Luck = ()
    then: tuple[Move, ...] = ()
    card: str = ""
    like: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A question to the learner."""

    name: str
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """A table, made by the facts of `opening`, the moves before its first question, and its questions."""

    opening: tuple[Event, ...]
    steps: tuple[Step, ...]
    moves: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class Lesson:
    """A game's first lesson.

    `version` is raised whenever a step or an answer changes, comes or goes: buttons of an older lesson then begin the
    new one.
    """

    version: int
    options: Any
    seats: int
    scenes: tuple[Scene, ...]
    cards: Mapping[str, Card]

    @property
    def steps(self) -> tuple[Step, ...]:
        """All questions, in order."""
        return tuple([step for scene in self.scenes for step in scene.steps])
