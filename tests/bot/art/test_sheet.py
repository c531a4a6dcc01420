"""Sheets of sprites: what is written is read again, and nothing else is."""

from __future__ import annotations

import struct
import zlib

import pytest

from bot.art.sheet import Sheet, SheetError

SHEET = Sheet(3, 2, ((0, 0, 0, 0), (255, 0, 0, 255), (0, 0, 255, 128), (9, 9, 9, 255)), bytes((0, 1, 2, 1, 1, 0)))


def chunk(name: bytes, data: bytes) -> bytes:
    """A chunk of a PNG, as another program would write it."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(*chunks: bytes) -> bytes:
    """A PNG file of these chunks."""
    return b"\x89PNG\r\n\x1a\n" + b"".join((*chunks, chunk(b"IEND", b"")))


HEADER = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 3, 0, 0, 0))
INKS = chunk(b"PLTE", bytes(3))
PIXEL = chunk(b"IDAT", zlib.compress(b"\0\0"))


def test_a_sheet_is_read_as_it_was_written() -> None:
    assert Sheet.read(SHEET.png) == SHEET


def test_a_sheet_without_transparency_has_no_table_of_it() -> None:
    opaque = Sheet(1, 1, ((1, 2, 3, 255),), b"\0")
    assert b"tRNS" not in opaque.png
    assert Sheet.read(opaque.png) == opaque


@pytest.mark.parametrize(
    "file",
    [
        b"",
        b"GIF89a",
        png(),
        png(HEADER, INKS),
        png(INKS, PIXEL),
        png(chunk(b"IHDR", b"short"), INKS, PIXEL),
        png(HEADER, INKS, chunk(b"IDAT", b"not compressed")),
        png(HEADER, INKS, chunk(b"IDAT", zlib.compress(b"\0\0\0"))),
        png(HEADER, INKS, chunk(b"IDAT", zlib.compress(b"\1\0"))),
        png(HEADER, INKS, chunk(b"IDAT", zlib.compress(b"\0\1"))),
        png(chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 6, 0, 0, 0)), PIXEL),
        SHEET.png[:-20],
        SHEET.png[:-3],
        SHEET.png.replace(b"PLTE", b"PLTe"),
    ],
    ids=[
        *("empty", "a GIF", "no chunks", "no pixels", "no header", "a short header", "not compressed", "too long"),
        *("a filtered row", "a pixel without a colour", "full colour", "cut off", "cut off in a checksum", "damaged"),
    ],
)
def test_another_file_is_refused(file: bytes) -> None:
    with pytest.raises(SheetError):
        Sheet.read(file)


def test_a_crop_has_the_pixels_of_its_place() -> None:
    assert SHEET.crop(1, 0, 2, 2) == Sheet(2, 2, SHEET.palette, bytes((1, 2, 1, 0)))


@pytest.mark.parametrize("box", [(-1, 0, 1, 1), (0, -1, 1, 1), (2, 0, 2, 1), (0, 1, 1, 2)])
def test_a_crop_outside_the_sheet_is_refused(box: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="outside"):
        SHEET.crop(*box)


def test_a_compact_sheet_looks_the_same_and_has_only_its_own_colours() -> None:
    compact = SHEET.compact
    assert compact.rgba == SHEET.rgba
    assert compact.palette == ((0, 0, 0, 0), (0, 0, 255, 128), (255, 0, 0, 255))


def test_a_digest_follows_what_is_seen_and_not_how_it_is_stored() -> None:
    assert SHEET.digest == SHEET.compact.digest
    assert SHEET.digest != Sheet(2, 3, SHEET.palette, SHEET.pixels).digest
    assert SHEET.digest != Sheet(3, 2, SHEET.palette, bytes((0, 1, 2, 1, 1, 1))).digest
