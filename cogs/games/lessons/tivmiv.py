"""The first lesson of Tiv-Miv, with decks of five cards: what fits, the circle, drawing, points and the last card.

Nobody is in a hurry: the computer moves only after the learner.
"""

from __future__ import annotations

from typing import Final

from cogs.screens.lesson import Answer, Lesson, Move, Scene, Step
from engines.tivmiv import Card, CentreTurned, DeckDealt, Options, PhaseBegun, ReadyAsked


def _cards(*faces: tuple[int, int]) -> tuple[Card, ...]:
    """The first card with each of these faces."""
    return tuple([Card(value, index, 1) for value, index in faces])


_OPENING: Final = (
    PhaseBegun(1),
    CentreTurned(Card(5, 2, 1)),
    DeckDealt(0, _cards((7, 1), (1, 2), (4, 3), (10, 2), (2, 2))),
    DeckDealt(1, _cards((8, 3), (9, 3), (6, 2), (3, 1), (5, 1))),
    ReadyAsked(),
)

_STEPS: Final = (
    Step(
        "ready",
        (
            Answer("draw", "draw"),
            Answer("ready", "ready", right=True, then=(Move(1, "ready"), Move(None, "time go 1.1"))),
        ),
    ),
    Step(
        "draw",
        (
            Answer("draw", "draw", right=True, then=(*[Move(0, "draw")] * 3, *[Move(1, "draw")] * 4)),
            Answer("wait"),
        ),
    ),
    Step(
        "fits",
        (
            Answer("seven", "place 7-1", right=True, then=(Move(1, "place 8-3"),), card="seven"),
            Answer("one", "place 1-2", card="one"),
            Answer("four", "place 4-3", card="four", like="one"),
            Answer("ten", "place 10-2", card="ten", like="one"),
        ),
    ),
    Step(
        "circle",
        (
            Answer("one", "place 1-2", right=True, then=(Move(1, "place 9-3"),), card="one"),
            Answer("four", "place 4-3", card="four"),
            Answer("ten", "place 10-2", card="ten"),
        ),
    ),
    Step(
        "stuck",
        (
            Answer("four", "place 4-3"),
            Answer("ten", "place 10-2", like="four"),
            Answer("draw", "draw", right=True, then=(Move(0, "place 2-2"),)),
        ),
    ),
    Step(
        "both",
        (
            Answer("four", "place 4-3", card="four"),
            Answer("ten", "place 10-2", right=True, card="ten"),
        ),
    ),
    Step(
        "dinner",
        (
            Answer("wait"),
            Answer("dinner", "dinner", right=True),
        ),
    ),
)

_FACES: Final = {
    "centre": (5, 2),
    "seven": (7, 1),
    "one": (1, 2),
    "four": (4, 3),
    "ten": (10, 2),
    "eight": (8, 3),
    "nine": (9, 3),
    "two": (2, 2),
}

LESSON: Final = Lesson(
    version=1,
    options=Options(),
    seats=2,
    scenes=(Scene(_OPENING, _STEPS),),
    cards={name: Card(value, index, 1) for name, (value, index) in _FACES.items()},
)
