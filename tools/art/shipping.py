"""What the bot ships: the sheets and their index, made from all drawings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.art.images import FORM, Size
from bot.art.sheet import Colour, Sheet
from tools.art import palettes
from tools.art.faces import faces
from tools.art.shapes import Drawing
from tools.art.sprites import sprites

Entry: TypeAlias = tuple[int, int, int, int, str]
"""An image in the index: its place, its width and height, its digest."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A sheet: its drawings, their scale, its palette, whether edges are soft, and its width in pixels."""

    drawings: tuple[Drawing, ...]
    scale: float
    palette: tuple[Colour, ...]
    soft: bool
    width: int


def plans() -> Mapping[Size, Plan]:
    """Every sheet that is shipped."""
    table = sprites()
    return {
        Size.EMOJI: Plan(faces(), 1, palettes.emojis(), soft=True, width=12 * 128),
        Size.TABLE: Plan(table, 1, palettes.table(), soft=False, width=800),
        Size.TABLE_LARGE: Plan(table, 1.5, palettes.table(), soft=False, width=1200),
    }


def drawn_from() -> str:
    """SHA-256 of all drawings and palettes. It says whether the sheets are older than the drawings."""
    digest = hashlib.sha256()
    for size, plan in plans().items():
        digest.update(f"{size.value} {plan.scale} {plan.width} {plan.palette}\n".encode())
        for drawing in plan.drawings:
            digest.update(f"{drawing.name} {drawing.svg}\n".encode())
    return digest.hexdigest()


def laid_out(images: Sequence[tuple[str, Sheet]], width: int) -> tuple[Sheet, dict[str, Entry]]:
    """One sheet with these images in rows, and where each is. Raises ValueError if two have one name."""
    places: dict[str, tuple[int, int]] = {}
    x = y = height = 0
    for name, image in images:
        if x + image.width > width:
            x, y, height = 0, y + height, 0
        if name in places:
            raise ValueError(f"two images are called {name}")
        places[name] = (x, y)
        x, height = x + image.width, max(height, image.height)
    pixels = bytearray(width * (y + height))
    for name, image in images:
        left, top = places[name]
        for row in range(image.height):
            at = (top + row) * width + left
            pixels[at : at + image.width] = image.pixels[row * image.width : (row + 1) * image.width]
    whole = Sheet(width, y + height, images[0][1].palette, bytes(pixels))
    return whole, {name: (*places[name], image.width, image.height, image.digest) for name, image in images}


FILE: Final = "index.json"


def written(index: Mapping[Size, Mapping[str, Entry]]) -> str:
    """The index as a file: one line per image, so that a changed drawing is one changed line."""
    sheets = ",\n".join(
        f"    {json.dumps(size.value)}: {{\n{_lines(images.items())}\n    }}" for size, images in index.items()
    )
    return f'{{\n  "form": {json.dumps(FORM)},\n  "drawn_from": "{drawn_from()}",\n  "sheets": {{\n{sheets}\n  }}\n}}\n'


def _lines(images: Iterable[tuple[str, Entry]]) -> str:
    return ",\n".join(f"      {json.dumps(name)}: {json.dumps(entry)}" for name, entry in images)
