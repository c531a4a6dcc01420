"""Sheets of sprites: PNG files with a palette, one byte per pixel and no row filter.

We write these files ourselves, so this module reads that one kind of PNG and needs no library for it
(https://www.w3.org/TR/png-3/).
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

Colour: TypeAlias = tuple[int, int, int, int]
"""Red, green, blue and opacity, 0 to 255 each."""

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_HEADER: Final = struct.Struct(">IIBBBBB")
_KIND: Final = (8, 3, 0, 0, 0)
"""Eight bits per pixel, a palette, and the only compression, filter method and order that we write."""


class SheetError(ValueError):
    """The bytes are no sheet that `Sheet.png` wrote."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A picture by its palette: `pixels` has the place of each pixel's colour, row by row."""

    width: int
    height: int
    palette: tuple[Colour, ...]
    pixels: bytes

    @classmethod
    def read(cls, png: bytes) -> Sheet:
        """The sheet of a PNG file. Raises SheetError for a file of another kind or one that is damaged."""
        try:
            chunks = dict(_chunks(png))
            width, height, *kind = _HEADER.unpack(chunks[b"IHDR"])
            raw = zlib.decompress(chunks[b"IDAT"])
        except (KeyError, struct.error, zlib.error) as error:
            raise SheetError("not a sheet") from error
        step = width + 1
        if tuple(kind) != _KIND or len(raw) != step * height or any(raw[::step]):
            raise SheetError("another kind of PNG")
        inks, opacity = chunks.get(b"PLTE", b""), chunks.get(b"tRNS", b"").ljust(256, b"\xff")
        palette = tuple((inks[at], inks[at + 1], inks[at + 2], opacity[at // 3]) for at in range(0, len(inks), 3))
        pixels = b"".join([raw[at + 1 : at + step] for at in range(0, len(raw), step)])
        if pixels.translate(None, bytes(range(len(palette)))):  # what is left when all known colours are taken away
            raise SheetError("a pixel has no colour")
        return cls(width, height, palette, pixels)

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
        used = sorted(set(self.pixels), key=lambda place: (self.palette[place][3] == 255, place))
        table = bytearray(256)
        for place, old in enumerate(used):
            table[old] = place
        return Sheet(self.width, self.height, tuple(self.palette[old] for old in used), self.pixels.translate(table))

    @property
    def png(self) -> bytes:
        """It as a PNG file with this palette. The bytes, unlike `digest`, depend on the version of zlib."""
        raw = b"".join([b"\0" + self.pixels[at : at + self.width] for at in range(0, len(self.pixels), self.width)])
        opacity = bytes([colour[3] for colour in self.palette]).rstrip(b"\xff")
        return b"".join(
            (
                _SIGNATURE,
                _chunk(b"IHDR", _HEADER.pack(self.width, self.height, *_KIND)),
                _chunk(b"PLTE", b"".join([bytes(colour[:3]) for colour in self.palette])),
                _chunk(b"tRNS", opacity) if opacity else b"",  # the format allows no empty one
                _chunk(b"IDAT", zlib.compress(raw, 9)),
                _chunk(b"IEND", b""),
            )
        )


def _chunk(name: bytes, data: bytes) -> bytes:
    """A chunk of a PNG file."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The chunks of a PNG file, their checksums checked. Raises SheetError."""
    if not png.startswith(_SIGNATURE):
        raise SheetError("not a PNG")
    at = len(_SIGNATURE)
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        name, data = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        if png[at + 8 + length : at + 12 + length] != struct.pack(">I", zlib.crc32(name + data)):
            raise SheetError("a damaged PNG")
        yield name, data
        at += 12 + length
