"""Draws the animated picture of a match: a GIF file, 480 pixels wide, that Discord plays in a message.

The file format is https://www.w3.org/Graphics/GIF/spec-gif89a.txt. We write its blocks ourselves, because files by
Pillow are more than twice as long; only the compression of pixels is Pillow's. Each frame has the pixels that differ
from the frame before, inside the smallest rectangle that has all of them. Equal animations give the same bytes.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, TypeAlias

from PIL import Image, ImageChops

from bot.art.images import FELT, TRANSPARENT, Size
from bot.art.layout import TableLayout
from bot.art.placing import WIDTH, Placed, Sprite, placed
from bot.art.table import paste, whole_sheet

MOST_BYTES: Final = 250 * 1024
"""Of a whole file. Where it would be longer, frames are left out."""
_MOST_PIXELS: Final = 8_700_000
"""Of all frames together, as many as are packed in some 35 milliseconds: 45 frames of five seats, 38 of six."""
_CARD_BYTES, _COUNT_BYTES = 160, 76
"""What a card or a number that comes or goes adds to a file, about."""
_ALWAYS: Final = 2
"""The first frame and the last."""

_BITS: Final = 6
"""The sheet's palette has at most 64 colours."""
_KEPT, _SEEN_THROUGH = 1 << 2, 1
"""Of a frame: it stays below the next one, and it has a transparent colour."""
_FOREVER: Final = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
_END: Final = b"\x3b"
_CHANGED: Final = [0, *[255] * 255]
_NOWHERE: Final = (0, 0, 1, 1)
"""What a frame has that changes nothing: a pixel that is seen through."""
_STRIP: Final = "strip"
_COUNTS: Final = ("count", "pill", "digit")

_Box: TypeAlias = tuple[int, int, int, int]

MOST_FRAMES: Final = 45


def draw_animation(animation: Animation) -> bytes:
    """The animated picture as a GIF file of at most 250 KiB. Raises NoPictureError.

    It takes up to 60 milliseconds, so call it outside the event loop. The last frame is the whole table, as its own
    picture shows it. In the others piles show their top cards alone, so that less moves.
    """
    film = _Film(animation)
    while len(file := film.file) > MOST_BYTES and film.shorten(MOST_BYTES / len(file)):
        pass
    return file


class _Film:
    """The frames that are shown so far, and the pixels by which each differs from the one before."""

    def __init__(self, animation: Animation) -> None:
        self._frames = animation.frames
        last = len(self._frames) - 1
        end = placed(self._frames[last].layout, with_middle=True)
        self._height = end.height
        most = max(_ALWAYS, _MOST_PIXELS // (WIDTH * self._height))
        ranked = _by_rank(self._frames)[:most]
        laid = {at: end if at == last else placed(self._frames[at].layout, steady=True) for at in ranked}
        self._order = _fitting(ranked, laid)
        self._tables = {at: _drawn(laid[at]) for at in self._order}
        self._pixels: dict[tuple[int | None, int], bytes] = {}

    @property
    def file(self) -> bytes:
        """The whole file."""
        shown = sorted(self._order)
        blocks = [self._block(before, at) for before, at in zip([None, *shown], shown, strict=False)]
        return b"".join([_header(self._height), *blocks, _END])

    def shorten(self, part: float) -> bool:
        """Leave out the frames that matter least, about as many as make the file this part of its length. False if
        there is none besides the first and the last."""
        count = len(self._order)
        self._order = self._order[: max(_ALWAYS, min(count - 1, round(count * part)))]
        return len(self._order) < count

    def _block(self, before: int | None, at: int) -> bytes:
        """A frame of the file: how long it is shown, and its pixels."""
        made = self._pixels.get((before, at))
        if made is None:
            made = _difference(None if before is None else self._tables[before], self._tables[at])
            self._pixels[before, at] = made
        hundredths = round(self._frames[at].milliseconds / 10)
        control = struct.pack("<BBBBHBB", 0x21, 0xF9, 4, _KEPT | _SEEN_THROUGH, hundredths, TRANSPARENT, 0)
        return control + made


def _by_rank(frames: Sequence[Frame]) -> list[int]:
    """The indexes of all frames: the first and the last, then the others, those that matter most first."""
    last = len(frames) - 1
    return sorted(range(len(frames)), key=lambda at: (at not in {0, last}, frames[at].rank, at))


def _fitting(order: list[int], laid: Mapping[int, Placed]) -> list[int]:
    """As many of these frames as may fit into a file: those after them would only be drawn to be left out again."""
    sprites = {at: Counter(picture.sprites) for at, picture in laid.items()}
    while len(order) > _ALWAYS:
        shown = [sprites[at] for at in sorted(order)]
        length = sum([_bytes_of(before, after) for before, after in pairwise(shown)])
        if length <= MOST_BYTES:
            break
        order = order[: max(_ALWAYS, min(len(order) - 1, len(order) * MOST_BYTES // length))]
    return order


def _bytes_of(before: Counter[Sprite], after: Counter[Sprite]) -> int:
    """What a frame adds to a file, about."""
    changed = (after - before) + (before - after)
    counts = sum([number for (name, _, _), number in changed.items() if name.startswith(_COUNTS)])
    return _CARD_BYTES * (changed.total() - counts) + _COUNT_BYTES * counts


def _drawn(picture: Placed) -> Image.Image:
    """A table, in pixels of the sheet's palette. Strips are pasted once for all frames."""
    strips = [sprite for sprite in picture.sprites if sprite[0].startswith(_STRIP)]
    drawn = _strips(picture.height, tuple(strips)).copy()
    _paste(drawn, [sprite for sprite in picture.sprites if not sprite[0].startswith(_STRIP)])
    return drawn


@lru_cache(maxsize=8)
def _strips(height: int, strips: tuple[Sprite, ...]) -> Image.Image:
    """The ground of a picture, 220 kilobytes at most."""
    ground = Image.new("P", (WIDTH, height), FELT)
    _paste(ground, strips)
    return ground


def _paste(drawn: Image.Image, sprites: Iterable[Sprite]) -> None:
    for name, x, y in sprites:
        paste(drawn, Size.TABLE, name, x, y)


def _difference(before: Image.Image | None, after: Image.Image) -> bytes:
    """An image block with the pixels by which a picture differs from another; all of them if there is none before."""
    if before is None:
        return _image((0, 0, *after.size), after)
    difference = ImageChops.difference(before, after)
    box = difference.getbbox() or _NOWHERE
    changed = difference.crop(box).point(_CHANGED, "1")
    pixels = Image.new("P", changed.size, TRANSPARENT)
    pixels.paste(after.crop(box), (0, 0), changed)
    return _image(box, pixels)


def _image(box: _Box, pixels: Image.Image) -> bytes:
    """Pixels and where they lie, compressed."""
    left, top, right, foot = box
    descriptor = struct.pack("<BHHHHB", 0x2C, left, top, right - left, foot - top, 0)
    return b"".join([descriptor, bytes([_BITS]), pixels.tobytes("gif", "P", _BITS, 0), b"\0"])


def _header(height: int) -> bytes:
    """The beginning of a file that plays again and again."""
    palette = bytes(whole_sheet(Size.TABLE).getpalette() or ())[: 3 << _BITS].ljust(3 << _BITS, b"\0")
    screen = struct.pack("<HHBBB", WIDTH, height, 0xF0 | _BITS - 1, FELT, 0)
    return b"GIF89a" + screen + palette + _FOREVER


@dataclass(frozen=True, slots=True)
class Frame:
    """A table, how long it is shown in milliseconds, and how soon it may be left out.

    Of the frames that may be left out, those with the highest `rank` go first.
    """

    layout: TableLayout
    milliseconds: int
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Animation:
    """At least one frame and at most 45, all of one game with the same seats. Raises ValueError otherwise."""

    frames: tuple[Frame, ...]

    def __post_init__(self) -> None:
        if not 0 < len(self.frames) <= MOST_FRAMES:
            raise ValueError("too many frames, or none")
        if len({(frame.layout.family, len(frame.layout.strips)) for frame in self.frames}) > 1:
            raise ValueError("the frames are of different tables")
