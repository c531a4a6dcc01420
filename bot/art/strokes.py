"""Draws lines and numbers in a few shades of one colour. Numbers are drawn as strokes, so they need no font.

Equal drawings give the same bytes, as in `bot.art.table`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from PIL import Image, ImageDraw

from bot.art.table import png_of

_SCALE: Final = 3
"""It is drawn this much larger and then reduced, which makes the edges smooth."""
_SHADES: Final = 32
"""How many colours a drawing has."""
BAND, GRID, LINE = 72, 104, 255
"""How bright things are drawn, from 0 for the ground."""
_COLOURS: Final = ((0, (29, 74, 64)), (BAND, (55, 107, 93)), (LINE, (255, 232, 163)))
"""The colours of some brightnesses; those between two are mixed of both."""
_DIGIT: Final = (8, 13)
_STEP: Final = 12
"""From one digit to the next."""
_DIGITS: Final = {
    "-": (((0, 7), (7, 7)),),
    "0": (((2, 0), (6, 0), (8, 2), (8, 11), (6, 13), (2, 13), (0, 11), (0, 2), (2, 0)),),
    "1": (((1, 3), (5, 0), (5, 13)),),
    "2": (((0, 2), (2, 0), (6, 0), (8, 2), (8, 5), (0, 13), (8, 13)),),
    "3": (((0, 0), (8, 0), (4, 5), (6, 5), (8, 7), (8, 11), (6, 13), (2, 13), (0, 11)),),
    "4": (((4, 0), (0, 9), (8, 9)), ((6, 5), (6, 13))),
    "5": (((7, 0), (1, 0), (0, 6), (2, 5), (6, 5), (8, 7), (8, 11), (6, 13), (2, 13), (0, 11)),),
    "6": (((6, 0), (2, 3), (0, 7), (0, 11), (2, 13), (6, 13), (8, 11), (8, 8), (6, 6), (2, 6), (0, 8)),),
    "7": (((0, 0), (8, 0), (3, 13)),),
    "8": (
        ((2, 0), (6, 0), (8, 2), (8, 4), (6, 6), (2, 6), (0, 4), (0, 2), (2, 0)),
        ((2, 6), (0, 8), (0, 11), (2, 13), (6, 13), (8, 11), (8, 8), (6, 6)),
    ),
    "9": (((2, 13), (6, 10), (8, 6), (8, 2), (6, 0), (2, 0), (0, 2), (0, 5), (2, 7), (6, 7), (8, 5)),),
}
"""Each digit as lines from point to point in a box of 8 x 13."""


_SHADE_OF: Final = [round(bright * (_SHADES - 1) / 255) for bright in range(256)]

Pixel: TypeAlias = tuple[float, float]


class Pen:
    """Draws in pixels of the finished picture."""

    def __init__(self, width: int, height: int) -> None:
        self._drawn = Image.new("L", (width * _SCALE, height * _SCALE), 0)
        self._draw = ImageDraw.Draw(self._drawn)

    def line(self, points: Sequence[Pixel], width: float, shade: int) -> None:
        """A line from point to point; none at a single point."""
        if len(points) > 1:
            scaled = [(x * _SCALE, y * _SCALE) for x, y in points]
            self._draw.line(scaled, fill=shade, width=round(width * _SCALE), joint="curve")

    def area(self, outline: Sequence[Pixel], shade: int) -> None:
        """What lies within an outline."""
        self._draw.polygon([(x * _SCALE, y * _SCALE) for x, y in outline], fill=shade)

    def disc(self, box: tuple[float, float, float, float], shade: int) -> None:
        """An ellipse within a box."""
        self._draw.ellipse([side * _SCALE for side in box], fill=shade)

    def number(self, number: int, x: float, y: float, *, to_left: bool = False, size: float = 1) -> None:
        """A number beside a point, at half of its own height. `size` 1 is 13 pixels high."""
        left = x - number_width(number, size) if to_left else x
        for at, digit in enumerate(str(number)):
            for stroke in _DIGITS[digit]:
                points = [(left + size * (_STEP * at + dx), y + size * (dy - _DIGIT[1] / 2)) for dx, dy in stroke]
                self.line(points, 2 * size, LINE)

    def png(self) -> bytes:
        """The picture as a PNG file."""
        small = self._drawn.reduce(_SCALE).point(_SHADE_OF)
        picture = Image.frombytes("P", small.size, small.tobytes())
        picture.putpalette(_PALETTE)
        return png_of(picture)


def number_width(number: int, size: float = 1) -> float:
    """How many pixels wide a number is."""
    return size * (_STEP * (len(str(number)) - 1) + _DIGIT[0])


def _palette() -> list[int]:
    """The colours of all shades, from the ground to the line."""
    found: list[int] = []
    for shade in range(_SHADES):
        bright = shade * 255 / (_SHADES - 1)
        (low, dark), (high, light) = _COLOURS[:2] if bright <= BAND else _COLOURS[1:]
        part = (bright - low) / (high - low)
        found += [round(a + (b - a) * part) for a, b in zip(dark, light, strict=True)]
    return found


_PALETTE: Final = _palette()
