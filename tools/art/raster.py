"""Drawings as pixels of a palette. The renderer is resvg; nothing of the system, such as fonts, is used."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

import resvg_py

from bot.art.sheet import Colour, Sheet
from tools.art.shapes import Drawing


def render(drawing: Drawing, scale: float) -> tuple[int, int, bytes]:
    """A drawing's width and height in pixels at a scale, and its pixels as red, green, blue and opacity."""
    width, height = round(drawing.width * scale), round(drawing.height * scale)
    png = resvg_py.svg_to_bytes(svg_string=drawing.svg, width=width, height=height, skip_system_fonts=True)
    return width, height, _pixels(bytes(png), width, height)


def _pixels(png: bytes, width: int, height: int) -> bytes:
    """The pixels of the renderer's PNG, which has eight bits per channel and four channels."""
    at, data = 8, b""
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        name, chunk = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += 12 + length
        if name == b"IHDR" and struct.unpack(">IIBBBBB", chunk) != (width, height, 8, 6, 0, 0, 0):
            raise ValueError("the renderer made another kind of picture")
        data += chunk if name == b"IDAT" else b""
    return _unfiltered(zlib.decompress(data), 4 * width)


def _unfiltered(raw: bytes, length: int) -> bytes:
    """The rows of a PNG without their filters (https://www.w3.org/TR/png-3/#9Filters)."""
    rows, above = bytearray(), bytes(length)
    for at in range(0, len(raw), length + 1):
        row = bytearray(raw[at + 1 : at + 1 + length])
        _unfilter(raw[at], row, above)
        rows += row
        above = bytes(row)
    return bytes(rows)


def _unfilter(kind: int, row: bytearray, above: bytes) -> None:
    """Undo the filter of one row, in place. Each kind has a loop of its own, because there are nine million bytes."""
    if kind == 1:
        for place in range(4, len(row)):
            row[place] = (row[place] + row[place - 4]) & 255
    elif kind == 2:
        row[:] = bytes([(value + up) & 255 for value, up in zip(row, above, strict=True)])
    elif kind:
        nearest = _mean if kind == 3 else _paeth
        for place, up in enumerate(above):
            left, corner = (row[place - 4], above[place - 4]) if place >= 4 else (0, 0)
            same = left == up == corner
            row[place] = (row[place] + (up if same else nearest(left, up, corner))) & 255


def _mean(left: int, up: int, _corner: int) -> int:
    """The mean of two neighbours."""
    return (left + up) // 2


def _paeth(left: int, up: int, corner: int) -> int:
    """The neighbour that is nearest to their plane's value."""
    by_left, by_up, by_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    if by_left <= by_up and by_left <= by_corner:
        return left
    return up if by_up <= by_corner else corner


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
