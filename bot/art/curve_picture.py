"""Draws the picture of a curve: a PNG file of a few kilobytes, 720 x 330 pixels, which a phone shows half as wide.

A seat's line has the colour of its badge in a lighter tint and a pattern of dashes of its own, and ends at the badge.
So nobody has to tell colours apart. A match's story has the table at its end, too, with the curve below. There are no
names in it and no words. Equal curves and stories give the same bytes, as in `bot.art.table`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, pairwise
from math import hypot
from typing import Final, TypeAlias

from PIL import Image, ImageDraw

from bot.art.images import FELT, MOST_COUNTED, SEATS, Size
from bot.art.layout import TableLayout
from bot.art.table import large_height, lay_large, paste, png_of, whole_sheet

WIDTH, HEIGHT = 720, 330
_LEFT, _RIGHT, _TOP, _FOOT = 24, 640, 36, 300
_BADGE: Final = 42
_PILL: Final = (48, 30)
_LINE, _GRID = 5, 2
_DOT: Final = 7
_RING: Final = 14
_ABOVE: Final = 14
"""From a mark's point to its number."""

_TINTS: Final = (
    (157, 173, 237),
    (255, 173, 120),
    (214, 160, 240),
    (120, 224, 208),
    (255, 150, 176),
    (230, 232, 236),
)
"""The lines' colours, by seat; each has at least five times the felt's luminance."""
_FIRST_TINT: Final = 240
"""Where they begin in the palette, behind the sheet's own colours."""
_WHITE, _GRID_TINT = _FIRST_TINT + SEATS, _FIRST_TINT + SEATS + 1
_DASHES: Final = ((), (22, 10), (6, 9), (26, 8, 6, 8), (12, 8), (3, 7))
"""Pixels drawn and left out in turn, by seat; the first line is drawn through."""

Coordinates: TypeAlias = tuple[float, float]
"""From 0 at the left to 1 at the right, and from 0 at the foot to 1 at the top."""


def draw_curve(curve: Curve) -> bytes:
    """The picture of a curve as a PNG file. It takes a few milliseconds, so call it outside the event loop.

    Raises ValueError for more lines than there are badges.
    """
    return png_of(_drawn_curve(curve))


def _drawn_curve(curve: Curve) -> Image.Image:
    """The same as an image, in the palette of the large sheet with the lines' colours behind it."""
    if len(curve.lines) > SEATS:
        raise ValueError("there are more lines than badges")
    drawn = Image.new("P", (WIDTH, HEIGHT), FELT)
    drawn.putpalette(_palette())
    pen = ImageDraw.Draw(drawn)
    for height in (0.0, 0.5, 1.0) if curve.halves else (0.0, 1.0):
        _, y = _pixel((0, height))
        pen.line((_LEFT, y, _RIGHT, y), fill=_GRID_TINT, width=_GRID)
    for seat in reversed(range(len(curve.lines))):
        pixels = [_pixel(point) for point in curve.lines[seat]]
        for stroke in _strokes(pixels, _DASHES[seat]) if len(pixels) > 1 else ():
            pen.line(stroke, fill=_FIRST_TINT + seat, width=_LINE, joint="curve")
    _badges(drawn, curve)
    for mark in curve.marks:
        x, y = _pixel(mark.point)
        if not mark.number:
            pen.ellipse((x - _RING, y - _RING, x + _RING, y + _RING), outline=_WHITE, width=_LINE)
            continue
        pen.ellipse((x - _DOT, y - _DOT, x + _DOT, y + _DOT), fill=_WHITE)
        top = y - _ABOVE - _PILL[1] if y > (_TOP + _FOOT) / 2 else y + _ABOVE
        left = min(max(x - _PILL[0] / 2, 0), _RIGHT - _PILL[0])
        paste(drawn, Size.TABLE_LARGE, f"count_{min(mark.number, MOST_COUNTED)}", left, top)
    return drawn


def _palette() -> list[int]:
    """The sheet's palette, and behind it the colours of the lines."""
    colours = (whole_sheet(Size.TABLE_LARGE).getpalette() or [])[: 3 * _FIRST_TINT]
    colours += [0] * (3 * _FIRST_TINT - len(colours))
    return [*colours, *[part for tint in (*_TINTS, (255, 255, 255), (84, 124, 114)) for part in tint]]


def _pixel(point: Coordinates) -> Coordinates:
    x, y = point
    return _LEFT + x * (_RIGHT - _LEFT), _FOOT - y * (_FOOT - _TOP)


def _strokes(pixels: Sequence[Coordinates], dashes: Sequence[int]) -> Iterator[list[Coordinates]]:
    """A line, or what is drawn of it between the gaps of its dashes."""
    if not dashes:
        yield list(pixels)
        return
    lengths = cycle(dashes)
    left, drawing, stroke = float(next(lengths)), True, list(pixels[:1])
    for (x, y), (end_x, end_y) in pairwise(pixels):
        length = hypot(end_x - x, end_y - y)
        at = 0.0
        while length - at > left:
            at += left
            turn = (x + (end_x - x) * at / length, y + (end_y - y) * at / length)
            if drawing:
                yield [*stroke, turn]
            left, drawing, stroke = float(next(lengths)), not drawing, [turn]
        left -= length - at
        if drawing:
            stroke.append((end_x, end_y))
    if drawing and len(stroke) > 1:
        yield stroke


def _badges(drawn: Image.Image, curve: Curve) -> None:
    """The seats' badges at the ends of their lines, one below the other where lines end together."""
    ends = sorted([(_pixel(line[-1])[1], seat) for seat, line in enumerate(curve.lines) if line])
    tops: list[float] = []
    for y, _ in ends:
        tops.append(max(y - _BADGE / 2, tops[-1] + _BADGE if tops else 0))
    for index in reversed(range(len(tops))):  # those that would lie below the picture move up, and others with them
        lowest = tops[index + 1] - _BADGE if index + 1 < len(tops) else HEIGHT - _BADGE
        tops[index] = min(tops[index], lowest)
    for (_, seat), top in zip(ends, tops, strict=True):
        paste(drawn, Size.TABLE_LARGE, f"seat_{seat + 1}", _RIGHT + 12, top)


@dataclass(frozen=True, slots=True)
class Mark:
    """A numbered mark, from 1, at a point of a seat's line; with the number 0 a ring, which is the only mark."""

    number: int
    seat: int
    point: Coordinates


@dataclass(frozen=True, slots=True)
class Curve:
    """A line for each seat, from left to right. With `halves`, the middle of the height means something."""

    lines: tuple[tuple[Coordinates, ...], ...]
    marks: tuple[Mark, ...] = ()
    halves: bool = False


@dataclass(frozen=True, slots=True)
class StoryPicture:
    """A table, and a curve where there is one."""

    table: TableLayout
    curve: Curve | None = None


def draw_story(story: StoryPicture) -> bytes:
    """The picture of a story as a PNG file. It takes about 10 milliseconds, so call it outside the event loop.

    Raises NoPictureError, and ValueError for a curve with more lines than there are badges.
    """
    curve = _drawn_curve(story.curve or Curve(()))
    top = large_height(story.table)
    drawn = Image.new("P", (WIDTH, top + (HEIGHT if story.curve is not None else 0)), FELT)
    drawn.putpalette(curve.getpalette() or [])
    lay_large(drawn, story.table)
    if story.curve is not None:
        drawn.paste(curve, (0, top))
    return png_of(drawn)
