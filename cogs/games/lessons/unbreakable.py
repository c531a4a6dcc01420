"""The first lesson of Unbreakable, with match hands of two cards: the closest sum, attackers, faces, a knockout and the
last card."""

from __future__ import annotations

from typing import Final

from cogs.screens.lesson import Answer, Lesson, Move, Scene, Step
from engines import unbreakable
from engines.cards import Card
from engines.notation import read_cards

_MINE: Final = read_cards("7H+KS")
_THEIRS: Final = read_cards("3D+6S")
_CHOOSER: Final = read_cards("9C")
_WEAPONS: Final = read_cards("TH+5D+6C+3C+9S+KH")
"""The weapons of the first round as they are dealt, the computer's first."""
_LATER: Final = read_cards("AD+9H+6D+8C+TS+2S+AH+4D+QD+2H+3H+JC+4S+9D+5S+JH+3S+2C+TD+5H+8S+AC")
"""Those of the next two rounds; a card to draw after a knockout; those of the last round, and a few more cards."""

_OPENING: Final = (
    unbreakable.DealerDrawn(0),
    unbreakable.DeckLaid((*_THEIRS, *_MINE, *_CHOOSER, *_WEAPONS, *_LATER)),
    unbreakable.MatchHandDealt(1, _THEIRS),
    unbreakable.MatchHandDealt(0, _MINE),
    unbreakable.ChooserTurned(_CHOOSER[0]),
    *[unbreakable.WeaponDealt((1 + index) % 2, card) for index, card in enumerate(_WEAPONS)],
    unbreakable.WeaponsReady(),
)

_STEPS: Final = (
    Step(
        "closest",
        (
            Answer("three_king", "put 5D"),
            Answer("five_king", "put 3C"),
            Answer("five_three", "put KH", right=True),
        ),
    ),
    Step(
        "attacker",
        (
            Answer("seven", "lay 7H", then=(Move(1, "put TS"), Move(0, "put 9H")), card="seven"),
            Answer("king", "lay KS", right=True, then=(Move(1, "put AD"),), card="attacker"),
        ),
    ),
    Step(
        "highest",
        (
            Answer("nine_eight", "put 2S", right=True, then=(Move(1, "lay 6S"), Move(1, "put QD"))),
            Answer("nine_two", "put 8C"),
            Answer("eight_two", "put 9H", like="nine_two"),
        ),
    ),
    Step(
        "knockout",
        (
            Answer("four_jack", "put 2H"),
            Answer("four_two", "put JC", right=True),
            Answer("two_jack", "put 4D"),
        ),
    ),
    Step("last", (Answer("seven", "lay 7H", right=True, then=(Move(1, "put 2C"),)),)),
    Step(
        "unbreakable",
        (
            Answer("five_ten", "put 3S"),
            Answer("three_ten", "put 5S"),
            Answer("five_three", "put TD", right=True),
        ),
    ),
)

_CARDS: Final = {
    "chooser": "9C",
    "five": "5D",
    "three": "3C",
    "king": "KH",
    "attacker": "KS",
    "seven": "7H",
    "nine": "9H",
    "eight": "8C",
    "two": "2S",
    "six": "6S",
    "four": "4D",
    "two_of_hearts": "2H",
    "jack": "JC",
    "five_of_spades": "5S",
    "three_of_spades": "3S",
    "ten": "TD",
}

LESSON: Final = Lesson(
    version=1,
    options=unbreakable.Options(match_hand=2),
    seats=2,
    scenes=(Scene(_OPENING, _STEPS, (Move(1, "put TH"),)),),
    cards={name: Card.of(code) for name, code in _CARDS.items()},
)
