"""Contact sheets: all emojis on Discord's backgrounds in the sizes in which they are seen, for people's eyes.

Look at 22 pixels on both themes first: large pictures flatter everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Final, TypeAlias

from PIL import Image

from bot.art.images import Size, images
from tools.art.viewing import DEFICIENCIES, Plane, View, light, on_background, smaller

BACKGROUNDS: Final = {"dark": "#313338", "midnight": "#1a1a1e", "light": "#ffffff"}
BLOCKS: Final = ((22, 1, 26), (22, 2, 26), (44, 1, 26), (96, 1, 13))
"""The width of a picture in pixels, how large each pixel is shown, and the number of pictures per row."""

_GAP: Final = 4

Row: TypeAlias = bytes
"""Pixels from left to right, three bytes each."""


def write(folder: Path) -> None:
    """Write a sheet per background, and one through colour-blind eyes, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    small = {
        width: [smaller(image.pixels, width) for image in images(Size.EMOJI).values()]
        for width in dict.fromkeys(width for width, _, _ in BLOCKS)
    }
    for name, background in BACKGROUNDS.items():
        views = {width: [on_background(planes, background) for planes in each] for width, each in small.items()}
        blocks = [(views[width], times, columns) for width, times, columns in BLOCKS]
        (folder / f"contact_{name}.png").write_bytes(_page(blocks, _bytes(background)))
    dark = [on_background(planes, BACKGROUNDS["dark"]) for planes in small[22]]
    eyes: list[Callable[[View], View]] = [partial(_seen_with, matrix=matrix) for matrix in DEFICIENCIES.values()]
    blocks = [([eye(view) for view in dark], 2, 26) for eye in (*eyes, _without_colour)]
    (folder / "contact_colour_blind.png").write_bytes(_page(blocks, _bytes(BACKGROUNDS["dark"])))


def _bytes(colour: str) -> bytes:
    return bytes.fromhex(colour[1:])


def _page(blocks: Sequence[tuple[Sequence[View], int, int]], background: bytes) -> bytes:
    """A PNG with blocks of pictures one below the other: the pictures, the size of a pixel, the pictures per row."""
    rows = [row for views, times, columns in blocks for row in _block(views, times, columns, background)]
    width = max(len(row) for row in rows) // 3
    pixels = b"".join(row + background * (width - len(row) // 3) for row in rows)
    file = BytesIO()
    Image.frombytes("RGB", (width, len(rows)), pixels).save(file, "PNG")
    return file.getvalue()


def _block(views: Sequence[View], times: int, columns: int, background: bytes) -> Iterator[Row]:
    gap = background * _GAP
    for first in range(0, len(views), columns):
        yield from [gap] * _GAP
        for y in range(len(views[0][0])):
            row = gap.join(_pixels(view, y, times) for view in views[first : first + columns])
            yield from [gap + row] * times


def _pixels(view: View, y: int, times: int) -> Row:
    pixels = zip(*(plane[y] for plane in view), strict=True)
    return b"".join(bytes([round(value) for value in pixel]) * times for pixel in pixels)


def _encoded(value: float) -> float:
    """Linear light from 0 to 1 as the value of a channel, 0 to 255."""
    return 255 * (12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055)


def _seen_with(view: View, matrix: Sequence[Sequence[float]]) -> View:
    """A picture through a deficiency's matrix, or in grey if each of its rows has the weights of luminance."""
    width, height = len(view[0][0]), len(view[0])
    values = [_encoded(value) for value in light(view, matrix)]
    planes: list[Plane] = [
        [values[at : at + width] for at in range(first, first + width * height, width)]
        for first in range(0, len(values), width * height)
    ]
    red, green, blue = planes
    return red, green, blue


def _without_colour(view: View) -> View:
    return _seen_with(view, ((0.2126, 0.7152, 0.0722),) * 3)
