"""The first lesson of Haymaker, with small hands: exact blocks, haymakers, hits, passing and a knockout."""

from __future__ import annotations

from typing import Final

from cogs.screens.lesson import Answer, Lesson, Move, Scene, Step
from engines.cards import Card
from engines.haymaker import DealerDrawn, HandDealt, Options, PileLaid, TurnBegun
from engines.notation import read_cards

_OPENING: Final = (
    DealerDrawn(0),
    HandDealt(0, read_cards("4C+8D+9D+3H+9H+TH")),
    HandDealt(1, read_cards("2C+AD+2D+4S+5S+7S")),
    PileLaid(draw=read_cards("9S+3C+TS+6S"), burned=()),
    TurnBegun(1, may_pass=False),
)

_STEPS: Final = (
    Step(
        "exact",
        (
            Answer("more", "block 9D"),
            Answer("exact", "block 4C+3H", right=True),
            Answer("hit", "hit", luck=("TH",)),
        ),
    ),
    Step(
        "haymaker",
        (
            Answer("small", "8D", then=(Move(1, "block 4S+5S"),)),
            Answer("two_suits", "9H+9D"),
            Answer("haymaker", "9H+TH", right=True, then=(Move(1, "hit", ("AD", "2D")),)),
        ),
    ),
    Step(
        "attack",
        (
            Answer("one", "9S", right=True, then=(Move(1, "block 4S+5S"), Move(1, "2C+3C"))),
            Answer("pass", "pass", then=(Move(0, "keep TS"),)),
        ),
    ),
    Step(
        "reverse",
        (
            Answer("weak", "block AD+2D"),
            Answer("hit", "hit", luck=("9D", "8D")),
            Answer("block", "block 6S", right=True),
        ),
    ),
    Step(
        "knockout",
        (
            Answer("one", "9D", then=(Move(1, "block TS"),)),
            Answer("haymaker", "8D+9D", right=True, then=(Move(1, "hit"),)),
        ),
    ),
)

_CARDS: Final = {
    "seven": "7S",
    "nine": "9D",
    "four": "4C",
    "three": "3H",
    "eight": "8D",
    "nine_of_hearts": "9H",
    "ten": "TH",
    "nine_of_spades": "9S",
    "two_of_clubs": "2C",
    "three_of_clubs": "3C",
    "ace": "AD",
    "two": "2D",
    "six": "6S",
}

LESSON: Final = Lesson(
    version=1,
    options=Options(),
    seats=2,
    scenes=(Scene(_OPENING, _STEPS, (Move(1, "7S"),)),),
    cards={name: Card.of(code) for name, code in _CARDS.items()},
)
