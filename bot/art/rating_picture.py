"""Draws the picture of a rating's curve: a PNG file of a few kilobytes, 480 x 160 pixels.

It shows one line, the band of its uncertainty, the highest and the lowest rating on the left and the newest one at the
end. Its numbers are drawn as strokes, so it needs no font. Equal curves give the same bytes, as in `bot.art.table`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import attrgetter
from typing import Final

from bot.art.strokes import BAND, GRID, LINE, Pen

RATING_WIDTH, RATING_HEIGHT = 480, 160
_LEFT, _RIGHT, _TOP, _FOOT = 72, 404, 22, 138
_LEAST_SPAN: Final = 50
"""The fewest points of a rating between the lowest and the highest one: a change of 1 must not look like a fall."""

_COLUMN: Final = 5
"""Of points that are nearer to one another than this, only the highest and the lowest are drawn."""

_STROKE, _THIN, _DOT = 3.0, 1.0, 5

_APART: Final = 18
"""From the middle of a number to that of another one below it."""
_RATING: Final = attrgetter("rating")


def draw_rating(curve: RatingCurve) -> bytes:
    """The picture of a curve as a PNG file. It takes about 2 milliseconds, so call it outside the event loop."""
    scale = _Scale(curve)
    pen = _Pen(RATING_WIDTH, RATING_HEIGHT)
    points = [*_thinned(curve.points, scale)]
    pixels = [(scale.x(point.at), scale.y(point.rating)) for point in points]
    pen.band([(scale.x(point.at), scale.y(point.low), scale.y(point.high)) for point in points])
    for rating, beside in _named(scale):
        pen.line([(_LEFT, scale.y(rating)), (_RIGHT, scale.y(rating))], _THIN, GRID)
        pen.number(rating, _LEFT - 10, beside, to_left=True)
    pen.line(pixels, _STROKE, LINE)
    pen.dot(pixels[-1])
    pen.number(curve.newest, _RIGHT + 14, pixels[-1][1])
    return pen.png()


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


class _Pen(Pen):
    """A pen that also draws what only curves have."""

    def band(self, pixels: Sequence[tuple[float, float, float]]) -> None:
        """What lies between a lower and an upper line, as far as the picture has room; a bar
        where there is one alone."""
        inside = [(x, min(foot, RATING_HEIGHT), max(top, 0)) for x, foot, top in pixels]
        if len(inside) == 1:
            ((x, foot, top),) = inside
            inside = [(x - _DOT, foot, top), (x + _DOT, foot, top)]
        self.area([*[(x, foot) for x, foot, _ in inside], *[(x, top) for x, _, top in reversed(inside)]], BAND)

    def dot(self, pixel: tuple[float, float]) -> None:
        """A dot with this pixel in its middle."""
        x, y = pixel
        self.disc((x - _DOT, y - _DOT, x + _DOT, y + _DOT), LINE)


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
