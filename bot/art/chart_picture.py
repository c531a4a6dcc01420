"""Draws the picture of a chart: numbered boxes, and lines between them, such as a bracket.

Its numbers are those of people, whose names are in the text beside it. A box that won is filled, so nobody has to
tell colours apart. Equal charts give the same bytes, as in `bot.art.table`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.art.strokes import BAND, GRID, LINE, Pen, number_width

BOX: Final = (56, 36)
"""The width and height of a box in pixels."""
_SIZE: Final = 1.5
"""Of its number."""


class Look(StrEnum):
    """What the box of a number tells."""

    PLAIN = "plain"
    """Nothing: an outline."""
    WON = "won"
    """It is filled, with a bright outline."""
    DRAWN = "drawn"
    """Its lower half is filled."""
    LOST = "lost"
    """It has no outline."""


@dataclass(frozen=True, slots=True)
class Box:
    """A box, given by its upper left corner in pixels. Without a number it is empty."""

    x: int
    y: int
    number: int | None = None
    look: Look = Look.PLAIN


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing of `width` by `height` pixels. Each of the lines goes from point to point."""

    width: int
    height: int
    boxes: tuple[Box, ...]
    lines: tuple[tuple[tuple[int, int], ...], ...] = ()


def draw_chart(chart: Chart) -> bytes:
    """The picture of a chart as a PNG file. It takes a few milliseconds, so call it outside the event loop."""
    pen = Pen(chart.width, chart.height)
    for line in chart.lines:
        pen.line(line, 2, GRID)
    for box in sorted(chart.boxes, key=lambda box: box.look is Look.WON):  # its bright outline covers others
        _draw_box(pen, box)
    return pen.png()


def _draw_box(pen: Pen, box: Box) -> None:
    width, height = BOX
    right, foot = box.x + width, box.y + height
    corners = [(box.x, box.y), (right, box.y), (right, foot), (box.x, foot)]
    pen.area(corners, 0)
    if box.look is Look.WON:
        pen.area(corners, BAND)
    if box.look is Look.DRAWN:
        middle = box.y + height / 2
        pen.area([(box.x, middle), (right, middle), (right, foot), (box.x, foot)], BAND)
    if box.look is not Look.LOST:
        bright = LINE if box.look is Look.WON else GRID
        pen.line([*corners, corners[0]], 2, bright)
    if box.number is not None:
        left = box.x + (width - number_width(box.number, _SIZE)) / 2
        pen.number(box.number, left, box.y + height / 2, size=_SIZE)
