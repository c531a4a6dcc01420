"""The faces as tiles of 128 x 128 units: emojis, and the cards of Tiv-Miv and Champions in pictures of a table.

At 22 pixels a unit is a sixth of a pixel. So nothing that carries meaning is under 10 units, and no gap is under 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from engines.champions.cards import PACKS
from tools.art import glyphs, inks, signs
from tools.art.shapes import Box, Drawing, disc, fill, framed, polygon, rectangle, sharp_line

TILE: Final = 128
RANKS: Final = {
    "ace": "A",
    **{str(number): str(number) for number in range(2, 11)},
    "jack": "J",
    "queen": "Q",
    "king": "K",
}
"""The ranks of the French pack as names say them, and as cards show them."""

SUITS: Final = ("clubs", "diamonds", "hearts", "spades")

_CARD: Final = Box(2, 8, 124, 112)


def _tile(name: str, *elements: str) -> Drawing:
    return Drawing(name, TILE, TILE, elements)


# ---------------------------------------------------------------------------------------------- the French pack


def _french(rank: str, suit: str) -> Drawing:
    ten = rank == "10"
    index = Box(38 - 30, 22, 60, 84) if ten else Box(37.5 - 29, 22, 58, 84)
    return _tile(
        f"{rank}_{suit}",
        framed(_CARD, 16, inks.CARD, inks.EDGE, 4),
        glyphs.text(RANKS[rank], index, 13 if ten else 15, signs.SUIT_INKS[suit]),
        signs.suit(suit, Box.around(95.5, 66, 44, 53) if ten else Box.around(95, 66, 47, 55)),
    )


def french() -> Iterator[Drawing]:
    """The 52 cards, the joker (all jokers look the same) and the back."""
    for suit, rank in product(SUITS, RANKS):
        yield _french(rank, suit)
    yield _tile("joker", framed(_CARD, 16, inks.CARD, inks.EDGE, 4), signs.joker(Box.around(64, 69, 104)))
    yield _tile("back", framed(_CARD, 16, inks.BACK, inks.WHITE, 6), signs.back(Box.around(64, 64, 68, 80), 9))


# ---------------------------------------------------------------------------------------------- Tiv-Miv


def _circle() -> str:
    return disc(64, 64, 61, inks.WHITE) + disc(64, 64, 56, inks.INDEX_1)


def _square(face: str) -> str:
    return framed(Box(4.5, 4.5, 119, 119), 8, face, inks.WHITE, 5)


def _house() -> str:
    outline = "M 64 7.5 L 120 39 L 120 115 Q 120 120 115 120 L 13 120 Q 8 120 8 115 L 8 39 Z"
    return fill(outline, inks.INDEX_3) + sharp_line(outline, inks.WHITE, 5)


def _marks(index: int) -> str:
    """The index once more, as a number of white marks."""
    if index == 1:
        return rectangle(Box.around(64, 102, 44, 14), 7, inks.WHITE)
    if index == 2:
        return "".join(rectangle(Box.around(x, 101, 21), 2, inks.WHITE) for x in (49, 79))
    return "".join(fill(polygon(((x - 12, 111), (x, 90), (x + 12, 111))), inks.WHITE) for x in (31, 64, 97))


_INDICES: Final = {
    1: (_circle(), Box(24, 17, 80, 66), 15),
    2: (_square(inks.INDEX_2), Box(24, 14, 80, 68), 15),
    3: (_house(), Box(24, 23, 80, 62), 14),
}


def tivmiv() -> Iterator[Drawing]:
    """The 30 faces, whose index shows by shape, colour and marks, and the back."""
    for index, (tile, box, stroke) in _INDICES.items():
        for value in range(1, 11):
            number = glyphs.text(str(value), box, stroke, inks.WHITE)
            yield _tile(f"{value}_pm_{index}", tile, number, _marks(index))
    yield _tile("back_tiv", _square(inks.TIVMIV_BACK), signs.back(Box.around(64, 64, 68, 80), 9))


# ---------------------------------------------------------------------------------------------- Champions

_DIE: Final = Box(4, 4, 120, 120)


def _pips(count: int, ink: str) -> str:
    """The dice icons, in a row at the foot of the tile."""
    first = 64 - 25 * (count - 1) / 2
    return "".join(rectangle(Box.around(first + 25 * index, 102, 18), 4, ink) for index in range(count))


def _plain(number: int, icons: int) -> Drawing:
    box = Box(24, 13, 80, 72) if icons else Box(20, 15, 88, 98)
    return _tile(
        f"die_{number}_icons_{icons}" if icons else f"die_{number}",
        framed(_DIE, 24, inks.DIE, inks.EDGE, 4),
        glyphs.text(str(number), box, 16, inks.DIE_INK),
        _pips(icons, inks.DIE_INK),
    )


def _special(number: int, icons: int, special: str) -> Drawing:
    box = Box(40 - 27, 14, 54, 68) if icons else Box(39 - 25, 22, 50, 84)
    return _tile(
        f"die_{number}_icons_{icons}_{special}" if icons else f"die_{number}_{special}",
        framed(_DIE, 24, inks.SPECIAL, inks.WHITE, 5),
        glyphs.text(str(number), box, 15 if icons else 16, inks.WHITE),
        signs.SPECIALS[special](Box.around(93.5, 48 if icons else 64, 47)),
        _pips(icons, inks.WHITE),
    )


def champions() -> Iterator[Drawing]:
    """The 56 faces of all packs (with icons and without, plain and special; K-1) and the back."""
    cards = {(card.number, card.icons, card.special) for pack in PACKS.values() for card in pack.cards}
    for number, icons, special in sorted(cards, key=lambda card: (card[0], card[2].value if card[2] else "", card[1])):
        yield _special(number, icons, special.value.lower()) if special else _plain(number, icons)
    yield _tile("back_die", framed(_DIE, 24, inks.DIE_BACK, inks.WHITE, 5), signs.back(Box.around(64, 64, 68, 80), 9))


# ---------------------------------------------------------------------------------------------- seats


def discs() -> Iterator[Drawing]:
    """The badges of the seats, as pictures of a table have them."""
    for number, ink in enumerate(inks.SEATS, 1):
        digit = glyphs.text(str(number), Box(34, 25, 60, 78), 15, inks.WHITE)
        yield _tile(f"seat_{number}", disc(64, 64, 61, inks.WHITE), disc(64, 64, 53, ink), digit)


def faces() -> tuple[Drawing, ...]:
    """All 148, in the order of the sheet."""
    return (*french(), *tivmiv(), *champions(), *discs())
