"""The first lesson of CIQ, with small piles: rows, blocks, Defense, and how an attack moves the last card."""

from __future__ import annotations

from typing import Final

from cogs.screens.lesson import Answer, Lesson, Move, Scene, Step
from engines import ciq

_MY_HAND: Final = ciq.read_cards("2S0+6S0+6H0+TH0+JC0")
_MY_PILE: Final = ciq.read_cards(
    "3C1+9S1+5H1+KD1+7C1+2D1+TS1+4D1+QH1+6C1+9D1+JS1+3S1+AH1+4C0+3H0+2H0+5D0+7S1+8C1+6D1+QS1+9H1"
)
"""Fourteen cards that the first attack moves, five to fill the hand with, and a few more."""
_THEIR_HAND: Final = ciq.read_cards("QD0+3C0+9C0+5H0+7S0")
_THEIR_PILE: Final = ciq.read_cards("TS0+4S1+6S1+2C1+7H0+5S1+KH1+TD1+3D1+8S1+JH1+7D1+4H1+5C1+9C1+2S1")

_OPENING: Final = (
    ciq.DealerDrawn(1),
    ciq.EightLaid(0, ciq.Card.of("8D0")),
    ciq.EightLaid(1, ciq.Card.of("8H0")),
    ciq.PileDealt(0, (*_MY_HAND, *_MY_PILE)),
    ciq.PileDealt(1, (*_THEIR_HAND, *_THEIR_PILE)),
    ciq.CardsDrawn(0, _MY_HAND, chosen=False),
    ciq.CardsDrawn(1, _THEIR_HAND, chosen=False),
    ciq.TurnBegun(0, 1),
)

_FIRST_TURNS: Final = (
    Step(
        "attack",
        (
            Answer("ten", "damage 1 TH0", then=(Move(1, "allow"),)),
            Answer(
                "row",
                "damage 1 2S0+6S0+6H0+TH0",
                right=True,
                then=(Move(1, "block QD0"), Move(1, "damage 0 3C0+9C0")),
            ),
            Answer("backwards", "damage 1 TH0+6H0+6S0+2S0"),
        ),
    ),
    Step(
        "block",
        (
            Answer("block", "block JC0", right=True),
            Answer("allow", "allow"),
        ),
    ),
    Step(
        "defend",
        (
            Answer("heart", "defend 3H0"),
            Answer("draw", "draw", then=(Move(1, "damage 0 5H0+7H0+7S0+TS0"),)),
            Answer("club", "defend 4C0", right=True, then=(Move(1, "draw"),)),
        ),
    ),
)

_LAST_HAND: Final = ciq.read_cards("3H0+5S0+AS0+TD0+KD0")
_LOW_HAND: Final = ciq.read_cards("3C0+4C0+6H0+7S0+9D0")

_END: Final = (
    ciq.DealerDrawn(1),
    ciq.EightLaid(0, ciq.Card.of("8D0")),
    ciq.EightLaid(1, ciq.Card.of("8H0")),
    ciq.PileDealt(0, (*_LAST_HAND, *ciq.read_cards("2D0+4H0+6C0+9S0+JC0+5D0"))),
    ciq.PileDealt(1, (*_LOW_HAND, *ciq.read_cards("2C0+6D0+7H0+5C0+4S0+8S0+QD0+9H0"))),
    ciq.CardsDrawn(0, (*_LAST_HAND, ciq.Card.of("2D0")), chosen=False),
    ciq.CardsDrawn(1, _LOW_HAND, chosen=False),
    ciq.Defended(0, ciq.Card.of("2D0")),
    ciq.TurnBegun(0, 20),
)

_LAST_TURNS: Final = (
    Step(
        "weaken",
        (
            Answer("row", "damage 1 KD0+TD0"),
            Answer("ten", "damage 1 TD0", then=(Move(1, "allow"),)),
            Answer("weaken", "defense 1 5S0+AS0", right=True, then=(Move(1, "draw"),)),
        ),
    ),
    Step(
        "win",
        (
            Answer("ten", "damage 1 TD0", then=(Move(1, "allow"),)),
            Answer("ten_king", "damage 1 TD0+KD0", then=(Move(1, "allow"),)),
            Answer("king_ten", "damage 1 KD0+TD0", right=True, then=(Move(1, "allow"),)),
        ),
    ),
)

_CARDS: Final = {
    "two": "2S0",
    "six": "6S0",
    "six_of_hearts": "6H0",
    "ten": "TH0",
    "three": "3C0",
    "nine": "9C0",
    "jack": "JC0",
    "queen": "QD0",
    "three_of_hearts": "3H0",
    "four": "4C0",
    "five": "5S0",
    "ace": "AS0",
    "ten_of_diamonds": "TD0",
    "king": "KD0",
    "eight": "8H0",
}

LESSON: Final = Lesson(
    version=1,
    options=ciq.Options(),
    seats=2,
    scenes=(Scene(_OPENING, _FIRST_TURNS), Scene(_END, _LAST_TURNS)),
    cards={name: ciq.Card.of(code) for name, code in _CARDS.items()},
)
