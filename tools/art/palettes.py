"""The palettes, written by hand: the colours that we draw with, and the steps between those that meet.

A computed palette was rejected: it lost the gold and the strips, and it changes when any drawing changes.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from bot.art.sheet import Colour
from tools.art import inks

_CLEAR: Final = (0, 0, 0, 0)


def colour(ink: str) -> Colour:
    """An ink such as ``#0b62a8``, opaque."""
    return (int(ink[1:3], 16), int(ink[3:5], 16), int(ink[5:7], 16), 255)


_ON_WHITE: Final = (
    inks.EDGE,
    *(inks.SPADES, inks.CLUBS, inks.HEARTS, inks.DIAMONDS, inks.JOKER, inks.BACK),
    *(inks.INDEX_2, inks.INDEX_3, inks.TIVMIV_BACK),
    *(inks.DIE_BACK, inks.SPECIAL, inks.SPECIAL_SIGN),
)
_MEETING: Final = (
    *((inks.WHITE, ink) for ink in _ON_WHITE),
    (inks.DIE, inks.EDGE),
    (inks.DIE, inks.DIE_INK),
    (inks.SPECIAL, inks.SPECIAL_SIGN),
)
"""The pairs of colours of which one is drawn on the other."""

_ON_SEATS: Final = tuple((inks.WHITE, ink) for ink in inks.SEATS if ink not in _ON_WHITE)

_MEETING_ON_TABLE: Final = (
    *_MEETING,
    (inks.WHITE, inks.PILL),
    *_ON_SEATS,
    (inks.GOLD, inks.PILL),
    (inks.GOLD, inks.STRIP),
)


def _steps(one: Colour, other: Colour, count: int) -> list[Colour]:
    """The mixes of two colours in equal steps, without the two."""
    return [
        tuple(round(a + (b - a) * step / (count + 1)) for a, b in zip(one, other, strict=True))  # type: ignore[misc]
        for step in range(1, count + 1)
    ]


def _palette(first: list[Colour], pairs: tuple[tuple[str, str], ...], steps: int) -> tuple[Colour, ...]:
    """These colours, then those of the pairs, then their mixes; no colour twice."""
    flat = [colour(ink) for pair in pairs for ink in pair]
    mixed = [mix for one, other in pairs for mix in _steps(colour(one), colour(other), steps)]
    return tuple(dict.fromkeys((*first, *flat, *mixed)))


def _fading(ink: str, steps: int) -> list[Colour]:
    """An ink from nearly transparent to nearly opaque."""
    return [(*colour(ink)[:3], round(255 * step / (steps + 1))) for step in range(1, steps + 1)]


@cache
def emojis() -> tuple[Colour, ...]:
    """For the emojis: soft outer edges, five steps between two colours."""
    return _palette([_CLEAR, *_fading(inks.WHITE, 5), *_fading(inks.EDGE, 5)], (*_MEETING, *_ON_SEATS), 5)


@cache
def table() -> tuple[Colour, ...]:
    """For pictures of a table: transparent or opaque, the felt, the strips, and one step between two colours."""
    return _palette([_CLEAR, colour(inks.FELT), colour(inks.STRIP)], _MEETING_ON_TABLE, 1)
