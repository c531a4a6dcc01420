"""Draws the picture of a rating's curve: a PNG file of a few kilobytes, 480 x 160 pixels.

It shows one line, the band of its uncertainty, the highest and the lowest rating on the left and the newest one at the
end. Its numbers are drawn as strokes, so it needs no font. Equal curves give the same bytes, as in `bot.art.table`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import attrgetter
from typing import Final, TypeAlias

from PIL import Image, ImageDraw

from bot.art.table import png_of

RATING_WIDTH, RATING_HEIGHT = 480, 160
_LEFT, _RIGHT, _TOP, _FOOT = 72, 404, 22, 138
_LEAST_SPAN: Final = 50
"""The fewest points of a rating between the lowest and the highest place: a change of 1 must not look like a fall."""

_COLUMN: Final = 5
"""Of points that are nearer to one another than this, only the highest and the lowest are drawn."""

_SCALE: Final = 3
"""It is drawn this much larger and then reduced, which makes the edges smooth."""
_SHADES: Final = 32
"""How many colours the picture has."""
_BAND, _GRID, _LINE = 72, 104, 255
"""How bright things are drawn, from 0 for the ground."""
_COLOURS: Final = ((0, (29, 74, 64)), (_BAND, (55, 107, 93)), (_LINE, (255, 232, 163)))
"""The colours of some brightnesses; those between two are mixed of both."""
_STROKE, _THIN, _DOT = 3.0, 1.0, 5

_DIGIT: Final = (8, 13)
_STEP: Final = 12
"""From one digit to the next."""
_APART: Final = 18
"""From the middle of a number to that of another one below it."""
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
"""Each digit as lines from place to place in a box of 8 x 13."""

_Pixel: TypeAlias = tuple[float, float]
_RATING: Final = attrgetter("rating")

_SHADE_OF: Final = [round(bright * (_SHADES - 1) / 255) for bright in range(256)]


def draw_rating(curve: RatingCurve) -> bytes:
    """The picture of a curve as a PNG file. It takes about 2 milliseconds, so call it outside the event loop."""
    scale = _Scale(curve)
    drawn = Image.new("L", (RATING_WIDTH * _SCALE, RATING_HEIGHT * _SCALE), 0)
    pen = _Pen(ImageDraw.Draw(drawn))
    points = [*_thinned(curve.points, scale)]
    places = [(scale.x(point.at), scale.y(point.rating)) for point in points]
    pen.band([(scale.x(point.at), scale.y(point.low), scale.y(point.high)) for point in points])
    for rating, beside in _named(scale):
        pen.line([(_LEFT, scale.y(rating)), (_RIGHT, scale.y(rating))], _THIN, _GRID)
        pen.number(rating, _LEFT - 10, beside, to_left=True)
    pen.line(places, _STROKE, _LINE)
    pen.dot(places[-1])
    pen.number(curve.newest, _RIGHT + 14, places[-1][1])
    return _encoded(drawn)


def _named(scale: _Scale) -> Iterator[tuple[int, float]]:
    """The highest and the lowest rating, each with the height of its number: one, if they are equal."""
    high, low = scale.y(scale.highest), scale.y(scale.lowest)
    apart = max(_APART, low - high) if scale.highest > scale.lowest else 0
    yield scale.highest, (high + low - apart) / 2
    if apart:
        yield scale.lowest, (high + low + apart) / 2


def _thinned(points: Sequence[RatingPoint], scale: _Scale) -> Iterator[RatingPoint]:
    """The points that the picture can show: of those that share a column, the highest and the lowest rating in their
    order; and the last point of all."""
    for _, group in groupby(points[:-1], key=lambda point: scale.x(point.at) // _COLUMN):
        column = [*group]
        if len(column) <= 2:
            yield from column
            continue
        low = min(column, key=_RATING)
        high = max(column, key=_RATING)
        yield from [point for point in column if point is low or point is high]
    yield points[-1]


class _Scale:
    """Where ratings lie in the picture.

    The height has room for all ratings, and for the band at the end of the line if that takes no more than twice as
    much. The rest of the band may be cut off: a new player's is wider than all ratings of most people.
    """

    def __init__(self, curve: RatingCurve) -> None:
        first, last = curve.points[0], curve.points[-1]
        self._begin, self._length = first.at, last.at - first.at
        self.lowest, self.highest = curve.lowest, curve.highest
        most = max(_LEAST_SPAN, self.highest - self.lowest)
        low = min(self.lowest, max(last.low, self.lowest - most))
        high = max(self.highest, min(last.high, self.highest + most))
        missing = max(0, _LEAST_SPAN - (high - low))
        self._low, self._span = low - missing / 2, high - low + missing

    def x(self, at: float) -> float:
        """Pixels from the left; a curve of one moment lies at the right."""
        part = (at - self._begin) / self._length if self._length else 1.0
        return _LEFT + part * (_RIGHT - _LEFT)

    def y(self, rating: float) -> float:
        """Pixels from the top."""
        return _FOOT - (rating - self._low) / self._span * (_FOOT - _TOP)


class _Pen:
    """Draws in pixels of the finished picture."""

    def __init__(self, draw: ImageDraw.ImageDraw) -> None:
        self._draw = draw

    def line(self, places: Sequence[_Pixel], width: float, shade: int) -> None:
        """A line from place to place; none at a single place."""
        if len(places) > 1:
            scaled = [(x * _SCALE, y * _SCALE) for x, y in places]
            self._draw.line(scaled, fill=shade, width=round(width * _SCALE), joint="curve")

    def band(self, places: Sequence[tuple[float, float, float]]) -> None:
        """What lies between a lower and an upper line, as far as the picture has room; a bar at a single place."""
        inside = [(x, min(foot, RATING_HEIGHT), max(top, 0)) for x, foot, top in places]
        if len(inside) == 1:
            ((x, foot, top),) = inside
            inside = [(x - _DOT, foot, top), (x + _DOT, foot, top)]
        outline = [*[(x, foot) for x, foot, _ in inside], *[(x, top) for x, _, top in reversed(inside)]]
        self._draw.polygon([(x * _SCALE, y * _SCALE) for x, y in outline], fill=_BAND)

    def dot(self, place: _Pixel) -> None:
        """A dot at a place."""
        x, y = place
        box = (x - _DOT, y - _DOT, x + _DOT, y + _DOT)
        self._draw.ellipse([side * _SCALE for side in box], fill=_LINE)

    def number(self, number: int, x: float, y: float, *, to_left: bool = False) -> None:
        """A number beside a place, at half of its own height."""
        digits = str(number)
        width, height = _DIGIT
        left = x - _STEP * (len(digits) - 1) - width if to_left else x
        for at, digit in enumerate(digits):
            for stroke in _DIGITS[digit]:
                self.line([(left + _STEP * at + dx, y - height / 2 + dy) for dx, dy in stroke], 2, _LINE)


def _palette() -> list[int]:
    """The colours of all shades, from the ground to the line."""
    found: list[int] = []
    for shade in range(_SHADES):
        bright = shade * 255 / (_SHADES - 1)
        (low, dark), (high, light) = _COLOURS[:2] if bright <= _BAND else _COLOURS[1:]
        part = (bright - low) / (high - low)
        found += [round(a + (b - a) * part) for a, b in zip(dark, light, strict=True)]
    return found


_PALETTE: Final = _palette()


def _encoded(drawn: Image.Image) -> bytes:
    """A large drawing by brightness as the PNG file of the picture."""
    small = drawn.reduce(_SCALE).point(_SHADE_OF)
    picture = Image.frombytes("P", small.size, small.tobytes())
    picture.putpalette(_PALETTE)
    return png_of(picture)


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A rating as players read it, and the lowest and highest that it may really be.

    `at` is where it lies from left to right, in any unit that grows: the number of a match, or seconds.
    """

    at: float
    rating: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class RatingCurve:
    """How a rating went, the oldest point first. Raises ValueError without a point, or if one lies before another."""

    points: tuple[RatingPoint, ...]

    def __post_init__(self) -> None:
        if not self.points:
            raise ValueError("a curve has at least one point")
        if any(after.at < before.at for before, after in pairwise(self.points)):
            raise ValueError("the points of a curve are in order")

    @property
    def lowest(self) -> int:
        """The lowest rating, which the picture names if it is not the highest too."""
        return min([point.rating for point in self.points])

    @property
    def highest(self) -> int:
        """The highest rating, which the picture names."""
        return max([point.rating for point in self.points])

    @property
    def newest(self) -> int:
        """The last rating, which the picture names at the end of the line."""
        return self.points[-1].rating
