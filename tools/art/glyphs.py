"""Ranks and numbers as centrelines, stretched first and stroked afterwards, so that every stroke has the same width.

Shapes that were hard to tell apart at 22 pixels differ on purpose: 3 has a flat top and a corner, 8 a small upper bowl,
6 an open arm, 9 is 6 turned round, 1 and 7 have no bars, 4 is open and its bar passes the stem.
"""

from __future__ import annotations

from typing import Final

from tools.art.shapes import Box, fitted, line

HEIGHT: Final = 90.0
WIDTH: Final = 56.0
"""Of the box in which glyphs are drawn; some are narrower."""

_SIX: Final = "M 42 0 C 24 14 0 36 0 61 C 0 78 12 90 28 90 C 44 90 56 78 56 62 C 56 46 44 35 29 35 C 17 35 6 42 1 53"


def _turned(path: str) -> str:
    """A path turned by half a turn in the whole box."""
    words, vertical = [], False
    for word in path.split():
        if word.isalpha():
            words.append(word)
            continue
        words.append(f"{(HEIGHT if vertical else WIDTH) - float(word):g}")
        vertical = not vertical
    return " ".join(words)


_EIGHT: Final = (
    "M 28 0 C 41 0 50 8 50 20 C 50 32 41 40 28 40 C 15 40 6 32 6 20 C 6 8 15 0 28 0 Z "
    "M 28 40 C 45 40 56 50 56 65 C 56 80 45 90 28 90 C 11 90 0 80 0 65 C 0 50 11 40 28 40 Z"
)
_ZERO: Final = "M 28 0 C 46 0 56 18 56 45 C 56 72 46 90 28 90 C 10 90 0 72 0 45 C 0 18 10 0 28 0 Z"

_PATHS: Final = {
    "0": (_ZERO, 56.0),
    "1": ("M 0 19 L 22 0 L 22 90", 22.0),
    "2": ("M 2 23 C 4 9 14 0 29 0 C 45 0 55 10 55 25 C 55 38 47 47 36 57 L 0 90 L 56 90", 56.0),
    "3": ("M 3 0 L 53 0 L 27 35 C 45 35 56 46 56 62 C 56 79 44 90 27 90 C 14 90 4 84 0 74", 56.0),
    "4": ("M 29 0 L 0 63 L 56 63 M 41 36 L 41 90", 56.0),
    "5": ("M 51 0 L 9 0 L 6 40 C 12 34 19 31 28 31 C 45 31 56 43 56 60 C 56 78 44 90 27 90 C 14 90 5 85 0 76", 56.0),
    "6": (_SIX, 56.0),
    "7": ("M 0 0 L 56 0 L 21 90", 56.0),
    "8": (_EIGHT, 56.0),
    "9": (_turned(_SIX), 56.0),
    "J": ("M 12 0 L 45 0 L 45 62 C 45 80 36 90 22 90 C 9 90 0 82 0 69", 45.0),
    "Q": (
        "M 27 0 C 45 0 54 15 54 42 C 54 69 45 84 27 84 C 9 84 0 69 0 42 C 0 15 9 0 27 0 Z M 34 62 L 56 90",
        56.0,
    ),
    "K": ("M 0 0 L 0 90 M 54 0 L 0 55 M 21 36 L 56 90", 56.0),
    "A": ("M 0 90 L 28 0 L 56 90 M 10 60 L 46 60", 56.0),
}

_NARROW: Final = {"1": 17.0, "0": 48.0}
"""The widths of the two digits of 10, which is drawn as one glyph."""

GAP: Final = 1.25
"""Between the centrelines of two glyphs, in strokes."""


def text(characters: str, box: Box, stroke: float, ink: str) -> str:
    """Ranks or digits in the middle of a box: as high as the box, and no wider, with strokes of this width."""
    height = box.height - stroke
    widths = [(_NARROW if characters == "10" else {}).get(each, _PATHS[each][1]) for each in characters]
    gaps = GAP * stroke * (len(characters) - 1)
    scale = min(height / HEIGHT, (box.width - stroke - gaps) / sum(widths))
    x = box.x + (box.width - scale * sum(widths) - gaps) / 2
    paths = []
    for character, width in zip(characters, widths, strict=True):
        path, drawn = _PATHS[character]
        paths.append(fitted(path, (drawn, HEIGHT), Box(x, box.y + stroke / 2, width * scale, height)))
        x += width * scale + GAP * stroke
    return line(" ".join(paths), ink, stroke)
