"""Sheets of sprites: what is written is read again."""

from __future__ import annotations

import pytest

from bot.art.sheet import Sheet

SHEET = Sheet(3, 2, ((0, 0, 0, 0), (255, 0, 0, 255), (0, 0, 255, 128), (9, 9, 9, 255)), bytes((0, 1, 2, 1, 1, 0)))


def test_a_sheet_is_read_as_it_was_written() -> None:
    assert Sheet.read(SHEET.png) == SHEET


def test_an_opaque_sheet_is_read_as_it_was_written() -> None:
    opaque = Sheet(1, 1, ((1, 2, 3, 255),), b"\0")
    assert Sheet.read(opaque.png) == opaque


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
