"""Signs that are no ranks: suits, the joker's star, the specials of Champions, the back's diamond, the crown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tools.art.inks import CLUBS, DIAMONDS, EDGE, HEARTS, JOKER, PILL, SPADES, SPECIAL_SIGN, WHITE
from tools.art.shapes import Box, disc, fill, fitted, line, polygon, rectangle, ring, sharp_line, star

_SIZE: Final = (100.0, 100.0)

_HEART: Final = ("M 50 99 L 9 54 C -5 38 1 5 27 5 C 38 5 46 11 50 21 C 54 11 62 5 73 5 C 99 5 105 38 91 54 Z",)
_DIAMOND: Final = ("M 50 0 Q 66 34 96 50 Q 66 66 50 100 Q 34 66 4 50 Q 34 34 50 0 Z",)
_LEAF: Final = (
    "M 50 0 C 57 22 99 41 99 65 C 99 78 90 86 78 86 C 67 86 57 80 50 68 "
    "C 43 80 33 86 22 86 C 10 86 1 78 1 65 C 1 41 43 22 50 0 Z"
)
_SPADE: Final = (
    _LEAF,
    "M 50 58 C 51 78 58 92 69 99 L 31 99 C 42 92 49 78 50 58 Z",
)
_CLUB_LEAVES: Final = ((50.0, 21.5, 25.0), (25.0, 60.0, 25.0), (75.0, 60.0, 25.0), (50.0, 47.0, 13.0))
"""The centres and radii of the three leaves, and of what joins them."""

_CLUB: Final = ("M 45 35 L 55 35 L 56 52 L 58 64 C 58 82 63 92 71 99 L 29 99 C 37 92 42 82 42 64 L 44 52 Z",)

SUIT_INKS: Final = {"clubs": CLUBS, "diamonds": DIAMONDS, "hearts": HEARTS, "spades": SPADES}
_SUITS: Final = {"clubs": _CLUB, "diamonds": _DIAMOND, "hearts": _HEART, "spades": _SPADE}


def suit(name: str, box: Box) -> str:
    """A suit's sign in its colour."""
    colour = SUIT_INKS[name]
    leaves = _CLUB_LEAVES if name == "clubs" else ()
    across, down = box.width / 100, box.height / 100
    return "".join(
        disc(box.x + x * across, box.y + y * down, radius * across, colour) for x, y, radius in leaves
    ) + "".join(fill(fitted(path, _SIZE, box), colour) for path in _SUITS[name])


def plain_star(box: Box) -> str:
    """The joker's star where it is too small for a face."""
    return fill(polygon(star(box, 0.5)), JOKER) + line(
        polygon(star(box.inset(box.width * 0.02), 0.5)), JOKER, box.width * 0.04
    )


def joker(box: Box) -> str:
    """The joker's star. Its smile vanishes at 22 pixels and does no harm there."""
    x, y, scale = box.x, box.y, box.width / 100
    eyes = "".join(disc(x + place * scale, y + 43 * scale, 5 * scale, WHITE) for place in (40, 60))
    return plain_star(box) + eyes + line(fitted("M 36 57 C 41 69 59 69 64 57", _SIZE, box), WHITE, 6 * scale)


def back(box: Box, stroke: float) -> str:
    """The one pattern of all backs: an outlined diamond with a small solid one in it."""
    middle = Box.around(box.x + box.width / 2, box.y + box.height / 2, box.width * 0.26, box.height * 0.26)
    diamond = "M 50 0 L 100 50 L 50 100 L 0 50 Z"
    return line(fitted(diamond, _SIZE, box.inset(stroke / 2)), WHITE, stroke) + fill(
        fitted(diamond, _SIZE, middle), WHITE
    )


def crown(box: Box, ink: str, edge: str, width: float) -> str:
    """The winner's crown."""
    path = fitted("M 4 96 L 0 22 L 28 56 L 50 2 L 72 56 L 100 22 L 96 96 Z", _SIZE, box.inset(width / 2))
    return fill(path, ink) + line(path, edge, width)


def _invert(box: Box) -> str:
    up = "M 0 100 L 27 0 L 54 100 Z"
    down = "M 46 0 L 100 0 L 73 100 Z"
    return fill(fitted(up, _SIZE, box), SPECIAL_SIGN) + fill(fitted(down, _SIZE, box), SPECIAL_SIGN)


def _steal(box: Box) -> str:
    wide = box.width * 0.31
    bend = fitted("M 16 70 L 16 48 C 16 6 84 6 84 48 L 84 70", _SIZE, box)
    tips = (
        Box(box.x + box.width * at - wide / 2, box.y + box.height * 0.79, wide, box.height * 0.19)
        for at in (0.16, 0.84)
    )
    return sharp_line(bend, SPECIAL_SIGN, wide) + "".join(rectangle(tip, 0, WHITE) for tip in tips)


def _beggar(box: Box) -> str:
    bowl = "M 0 50 L 100 50 C 100 80 78 98 50 98 C 22 98 0 80 0 50 Z"
    return disc(box.x + box.width / 2, box.y + box.height * 0.23, box.width * 0.2, SPECIAL_SIGN) + fill(
        fitted(bowl, _SIZE, box), SPECIAL_SIGN
    )


def _tiebreak(box: Box) -> str:
    return line(fitted("M 10 34 L 90 34 M 10 68 L 90 68 M 70 8 L 30 94", _SIZE, box), SPECIAL_SIGN, box.width * 0.2)


def _numberless(box: Box) -> str:
    width = box.width * 0.2
    x, y = box.x + box.width / 2, box.y + box.height / 2
    return ring(x, y, (box.width - width) / 2, SPECIAL_SIGN, width) + line(
        fitted("M 28 72 L 72 28", _SIZE, box), SPECIAL_SIGN, width
    )


SPECIALS: Final[dict[str, Callable[[Box], str]]] = {
    "invert": _invert,
    "tiebreak": _tiebreak,
    "steal": _steal,
    "beggar": _beggar,
    "numberless": _numberless,
}
"""The sign of each special, by its name in lower case. They are learnt, not guessed: a legend names them."""


_SWORD: Final = ("M 16 84 L 84 16", "M 22 50 L 50 78")
_DROP: Final = "M 50 0 C 60 22 90 44 90 66 C 90 88 72 100 50 100 C 28 100 10 88 10 66 C 10 44 40 22 50 0 Z"
_SHIELD: Final = "M 50 0 L 92 14 L 92 50 C 92 76 70 92 50 100 C 30 92 8 76 8 50 L 8 14 Z"
_FLAME: Final = (
    "M 56 0 C 58 24 90 42 90 68 C 90 88 72 100 50 100 C 28 100 10 88 10 68 C 10 52 20 42 26 30 "
    "C 30 44 36 48 40 48 C 36 30 44 12 56 0 Z"
)
_CROSS: Final = ("M 22 22 L 78 78", "M 78 22 L 22 78")
_HANDS: Final = "M 50 22 L 50 52 L 72 64"


def pile(name: str, box: Box) -> str:
    """The sign of a pile, on a disc: what its cards are for, or that they are out of play."""
    x, y, radius = box.x + box.width / 2, box.y + box.height / 2, box.width / 2
    ground, inner = _GROUNDS[name], box.inset(box.width * 0.2)
    stroke = box.width * 0.12
    match name:
        case "attack":
            drawn = "".join(line(fitted(path, _SIZE, inner), WHITE, stroke) for path in _SWORD)
        case "damage":
            drawn = fill(fitted(_DROP, _SIZE, inner), WHITE)
        case "defense":
            drawn = fill(fitted(_SHIELD, _SIZE, inner), WHITE)
        case "burned":
            drawn = fill(fitted(_FLAME, _SIZE, inner), SPECIAL_SIGN)
        case "discards":
            drawn = "".join(line(fitted(path, _SIZE, inner), WHITE, stroke) for path in _CROSS)
        case _:
            drawn = line(fitted(_HANDS, _SIZE, inner), WHITE, stroke)
    return disc(x, y, radius, WHITE) + disc(x, y, radius - 1.2, ground) + drawn


_GROUNDS: Final = {
    "attack": PILL,
    "damage": HEARTS,
    "defense": CLUBS,
    "burned": PILL,
    "discards": EDGE,
    "last": PILL,
}


def pointer(box: Box) -> str:
    """Points to the seat whose turn it is."""
    return fill(fitted("M 0 0 L 100 50 L 0 100 Z", _SIZE, box), WHITE)
