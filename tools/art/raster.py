"""Drawings as pixels of a palette. The renderer is resvg; nothing of the system, such as fonts, is used."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

import resvg_py
from PIL import Image

from bot.art.sheet import Colour, Sheet
from tools.art.shapes import Drawing


def render(drawing: Drawing, scale: float) -> tuple[int, int, bytes]:
    """A drawing's width and height in pixels at a scale, and its pixels as red, green, blue and opacity."""
    width, height = round(drawing.width * scale), round(drawing.height * scale)
    png = resvg_py.svg_to_bytes(svg_string=drawing.svg, width=width, height=height, skip_system_fonts=True)
    with Image.open(BytesIO(bytes(png)), formats=("PNG",)) as drawn:
        return width, height, drawn.convert("RGBA").tobytes()


class Painter:
    """Renders drawings in the colours of one palette. It remembers the nearest colour of each that it met."""

    def __init__(self, palette: Sequence[Colour], *, soft: bool) -> None:
        """With `soft` edges the palette's translucent colours are used; otherwise a pixel is there or not."""
        self._palette = tuple(palette)
        self._soft = soft
        self._near: dict[bytes, int] = {}

    def paint(self, drawing: Drawing, scale: float) -> Sheet:
        """A drawing at a scale."""
        width, height, pixels = render(drawing, scale)
        places = bytes([self._nearest(pixels[at : at + 4]) for at in range(0, len(pixels), 4)])
        return Sheet(width, height, self._palette, places)

    def _nearest(self, pixel: bytes) -> int:
        place = self._near.get(pixel)
        if place is None:
            place = self._near[pixel] = self._search(pixel)
        return place

    def _search(self, pixel: bytes) -> int:
        """The place of the colour that is nearest on a black and on a white background together."""
        red, green, blue, opacity = pixel
        if not self._soft:
            if opacity < 128:
                return 0
            opacity = 255
        wanted = _shown((red, green, blue, opacity))
        distances = [
            sum((one - other) ** 2 for one, other in zip(wanted, _shown(each), strict=True)) for each in self._palette
        ]
        return distances.index(min(distances))


def _shown(colour: Colour) -> tuple[int, ...]:
    """A colour on black and on white, in 255ths."""
    *channels, opacity = colour
    return (*(each * opacity for each in channels), *(each * opacity + 255 * (255 - opacity) for each in channels))
