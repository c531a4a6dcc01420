"""Draws the picture of a match's story: the table at its end, and its curve below, 720 pixels wide, which a phone shows
half as wide.

There are no names in it and no words. Equal stories give the same bytes, as in `bot.art.table`.
"""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from bot.art.curve_picture import HEIGHT, WIDTH, Curve, drawn_curve
from bot.art.images import FELT
from bot.art.layout import TableLayout
from bot.art.table import large_height, lay_large, png_of


@dataclass(frozen=True, slots=True)
class StoryPicture:
    """A table, and a curve where there is one."""

    table: TableLayout
    curve: Curve | None = None


def draw_story(story: StoryPicture) -> bytes:
    """The picture of a story as a PNG file. It takes about 10 milliseconds, so call it outside the event loop.

    Raises NoPictureError, and ValueError for a curve with more lines than there are badges.
    """
    curve = drawn_curve(story.curve or Curve(()))
    top = large_height(story.table)
    drawn = Image.new("P", (WIDTH, top + (HEIGHT if story.curve is not None else 0)), FELT)
    drawn.putpalette(curve.getpalette() or [])
    lay_large(drawn, story.table)
    if story.curve is not None:
        drawn.paste(curve, (0, top))
    return png_of(drawn)
