"""Sheets of sprites: pictures whose pixels are indexes in a palette, kept as PNG files."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from io import BytesIO
from typing import TypeAlias

from PIL import Image

Colour: TypeAlias = tuple[int, int, int, int]
"""Red, green, blue and opacity, 0 to 255 each."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A picture by its palette: `pixels` has the index of each pixel's colour, row by row."""

    width: int
    height: int
    palette: tuple[Colour, ...]
    pixels: bytes

    @classmethod
    def read(cls, png: bytes) -> Sheet:
        """The sheet of a PNG file with a palette, which keeps its order."""
        with Image.open(BytesIO(png), formats=("PNG",)) as opened:
            opened.load()
            opened.apply_transparency()
            inks = iter(opened.getpalette("RGBA") or ())
            return cls(*opened.size, tuple(zip(inks, inks, inks, inks, strict=True)), opened.tobytes())

    def crop(self, x: int, y: int, width: int, height: int) -> Sheet:
        """A part of it, with the same palette. Raises ValueError if it is not wholly inside."""
        if not (0 <= x <= x + width <= self.width and 0 <= y <= y + height <= self.height):
            raise ValueError("outside the sheet")
        rows = (
            self.pixels[at + x : at + x + width] for at in range(y * self.width, (y + height) * self.width, self.width)
        )
        return Sheet(width, height, self.palette, b"".join(rows))

    @property
    def rgba(self) -> bytes:
        """Its pixels as colours, four bytes each."""
        colours = [bytes(colour) for colour in self.palette]
        return b"".join([colours[pixel] for pixel in self.pixels])

    @property
    def digest(self) -> str:
        """SHA-256 of its size and colours, the first 16 hexadecimal digits.

        Neither the order of the palette nor the compression changes it, so it is the same on every machine.
        """
        return hashlib.sha256(f"{self.width}x{self.height}\n".encode() + self.rgba).hexdigest()[:16]

    @property
    def compact(self) -> Sheet:
        """The same picture with a palette of the colours that it has, those that are not opaque first."""
        used = sorted(set(self.pixels), key=lambda index: (self.palette[index][3] == 255, index))
        renumbered = bytearray(256)
        for index, old in enumerate(used):
            renumbered[old] = index
        return Sheet(
            self.width, self.height, tuple(self.palette[old] for old in used), self.pixels.translate(renumbered)
        )

    @property
    def png(self) -> bytes:
        """It as a PNG file with this palette. The bytes, unlike `digest`, depend on the version of zlib."""
        drawn, file = Image.frombytes("P", (self.width, self.height), self.pixels), BytesIO()
        drawn.putpalette([part for colour in self.palette for part in colour], "RGBA")
        drawn.save(file, "PNG", compress_level=9)
        return file.getvalue()
