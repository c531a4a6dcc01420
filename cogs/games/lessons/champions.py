"""The first lesson of Champions of Chance, with small decks: an opponent, a die, highest or lowest, a number, a tie and
the last card."""

from __future__ import annotations

from typing import Final

from cogs.screens.lesson import Answer, Lesson, Move, Scene, Step
from engines.champions import Card, DeckDealt, FirstDrawn, Options, PileLaid, TurnBegun, read_cards

_OPENING: Final = (
    FirstDrawn(0),
    DeckDealt(0, read_cards("1#0+1#1+4#0+6#0")),
    DeckDealt(1, read_cards("3#0+4#1+5#0+6#1")),
    DeckDealt(2, read_cards("5#1")),
    PileLaid(read_cards("2#0+1#2+3#1+5#2+2#1+6#2")),
    TurnBegun(0),
)

_BATTLES: Final = (
    Step(
        "opponent",
        (
            Answer("many", "challenge 1", right=True, then=(Move(1, "number 2"), Move(1, "select 4#1+5#0"))),
            Answer("few", "challenge 2", then=(Move(2, "number 6"), Move(0, "lowest", (3, 0)))),
        ),
    ),
    Step(
        "die",
        (
            Answer("mixed", "select 1#0+6#0", then=(Move(0, "lowest", (1, 0)),)),
            Answer("ones", "select 1#0+1#1", right=True),
            Answer("high", "select 4#0+6#0", then=(Move(0, "highest", (0, 1)),)),
        ),
    ),
    Step(
        "call",
        (
            Answer("highest", "highest", luck=(0, 1)),
            Answer("lowest", "lowest", right=True, luck=(0, 0), then=(Move(1, "challenge 0"),)),
        ),
    ),
    Step(
        "number",
        (
            Answer(
                "two",
                "number 2",
                then=(Move(0, "select 1#1+6#0"), Move(1, "select 5#0+6#1"), Move(1, "highest", (0, 0))),
            ),
            Answer("six", "number 6", right=True, then=(Move(1, "highest", (3, 2)), Move(1, "exchange 3#0"))),
        ),
    ),
    Step(
        "tie",
        (
            Answer("one", "exchange 1#1", card="one"),
            Answer("four", "exchange 4#0", right=True, card="four"),
            Answer("six", "exchange 6#0", card="six"),
        ),
    ),
)

_LAST_CARD: Final = (
    FirstDrawn(0),
    DeckDealt(0, read_cards("2#2")),
    DeckDealt(1, read_cards("3#0+4#1+6#1")),
    DeckDealt(2, read_cards("5#1")),
    PileLaid(read_cards("3#1+5#2+2#1+6#2")),
    TurnBegun(0),
)

_LAST_BATTLE: Final = (
    Step(
        "last",
        (
            Answer("lowest", "lowest", right=True, luck=(0, 1)),
            Answer("highest", "highest", luck=(0, 0)),
        ),
    ),
)

_CARDS: Final = {"one": "1#0", "four": "4#0", "six": "6#0", "two": "2#2"}

LESSON: Final = Lesson(
    version=1,
    options=Options(),
    seats=3,
    scenes=(
        Scene(_OPENING, _BATTLES),
        Scene(_LAST_CARD, _LAST_BATTLE, (Move(0, "challenge 1"), Move(1, "number 3"))),
    ),
    cards={name: Card.of(code) for name, code in _CARDS.items()},
)
