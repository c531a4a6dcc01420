"""The sprites of a picture of a table: portrait cards, tiles, counts, badges of seats, a crown, strips.

One unit is a pixel of a picture 480 wide. No words and no names: the digits are our own glyphs.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from bot.art.images import MOST_COUNTED, SIGNS
from tools.art import glyphs, inks, signs
from tools.art.faces import RANKS, SUITS, TILE, champions, tivmiv
from tools.art.shapes import Box, Drawing, disc, framed, rectangle

CARD_WIDTH: Final = 40
CARD_HEIGHT: Final = 56
CORNER: Final = 15.5
"""The width of a card that shows its rank and suit when others lie on the rest."""

_CARD: Final = Box(0, 0, CARD_WIDTH, CARD_HEIGHT)


def _portrait(rank: str, suit: str) -> Drawing:
    index = Box(1.5, 4, CORNER - 2.5, 17)
    return Drawing(
        f"{rank}_{suit}",
        CARD_WIDTH,
        CARD_HEIGHT,
        (
            framed(_CARD, 4.5, inks.CARD, inks.EDGE, 1),
            glyphs.text(RANKS[rank], index, 2.4 if rank == "10" else 3, signs.SUIT_INKS[suit]),
            signs.suit(suit, Box.around(8, 29.5, 11.5, 13.5)),
            signs.suit(suit, Box.around(26.8, 39.5, 23, 27)),
        ),
    )


def _portraits() -> Iterator[Drawing]:
    for suit, rank in product(SUITS, RANKS):
        yield _portrait(rank, suit)
    star = signs.plain_star(Box.around(8.4, 11, 13.5)), signs.joker(Box.around(24.5, 37, 28))
    yield Drawing("joker", CARD_WIDTH, CARD_HEIGHT, (framed(_CARD, 4.5, inks.CARD, inks.EDGE, 1), *star))
    outer = framed(_CARD, 4.5, inks.WHITE, inks.EDGE, 1) + rectangle(_CARD.inset(3), 2.5, inks.BACK)
    yield Drawing("back", CARD_WIDTH, CARD_HEIGHT, (outer, signs.back(Box.around(20, 28, 22, 30), 3)))


def _tiles() -> Iterator[Drawing]:
    """The emojis' own drawings, as wide as a card."""
    scale = CARD_WIDTH / TILE
    for tile in (*tivmiv(), *champions()):
        yield Drawing(
            tile.name, CARD_WIDTH, CARD_WIDTH, (f'<g transform="scale({scale})">{"".join(tile.elements)}</g>',)
        )


def _count(number: int) -> Drawing:
    pill = rectangle(Box(0, 0, 32, 20), 10, inks.PILL)
    return Drawing(f"count_{number}", 32, 20, (pill, glyphs.text(str(number), Box(3, 4, 26, 12), 2.4, inks.WHITE)))


def _figures() -> Iterator[Drawing]:
    """For higher numbers: a count without a number, and the digits to lay on it."""
    yield Drawing("pill", 32, 20, (rectangle(Box(0, 0, 32, 20), 10, inks.PILL),))
    for digit in "0123456789":
        field = rectangle(Box(0, 0, 8, 12), 0, inks.PILL)
        yield Drawing(f"digit_{digit}", 8, 12, (field, glyphs.text(digit, Box(0.5, 0, 7, 12), 2.1, inks.WHITE)))


def _seat(number: int) -> Drawing:
    badge = disc(14, 14, 14, inks.WHITE) + disc(14, 14, 12, inks.SEATS[number - 1])
    return Drawing(f"seat_{number}", 28, 28, (badge, glyphs.text(str(number), Box(6, 6.5, 16, 15), 3, inks.WHITE)))


def _strips() -> Iterator[Drawing]:
    """The field of a seat: high for two with tiles, low for all others, each also with the line of the winner, and of
    a seat that is awaited."""
    for name, height in (("strip", 74), ("strip_low", 60)):
        box = Box(0, 0, 468, height)
        yield Drawing(name, box.width, box.height, (rectangle(box, 10, inks.STRIP),))
        yield Drawing(f"{name}_winner", box.width, box.height, (framed(box, 10, inks.STRIP, inks.GOLD, 2),))
        yield Drawing(f"{name}_turn", box.width, box.height, (framed(box, 10, inks.STRIP, inks.WHITE, 2),))


def sprites() -> tuple[Drawing, ...]:
    """All of them, in the order of the sheet."""
    return (
        *_portraits(),
        *_tiles(),
        *(_count(number) for number in range(MOST_COUNTED + 1)),
        *(_seat(number) for number in range(1, len(inks.SEATS) + 1)),
        Drawing("crown", 28, 18, (signs.crown(Box(0, 0, 28, 18), inks.GOLD, inks.PILL, 1.5),)),
        *_strips(),
        Drawing("turn", 10, 18, (signs.pointer(Box(0, 0, 10, 18)),)),
        *(Drawing(f"sign_{name}", 18, 18, (signs.pile(name, Box(0, 0, 18, 18)),)) for name in SIGNS),
        *_figures(),
    )
