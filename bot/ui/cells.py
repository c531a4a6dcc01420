"""How much room a name takes, in cells: about as wide as a small letter each. A character of East Asia takes two.

Discord doesn't tell how wide letters are, and a bound on their number is none on the room: U+FDFD is one character and
twelve letters wide. So what Unicode says (Unicode Standard Annex 11) is joined with what a font's glyphs measure.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from functools import cache, lru_cache
from importlib import resources
from typing import Final

_CUT: Final = "…"
"""What a text ends with that was cut. It takes one cell here."""


def cells(text: str) -> int:
    """How many cells a text takes."""
    return sum([_of(char) for char in text])


def cut(text: str, most: int) -> str:
    """The text if it takes no more than `most` cells; otherwise as much of it as does, ending in "…"."""
    if cells(text) <= most:
        return text
    kept, left = [], most - 1
    for char in text:
        left -= _of(char)
        if left < 0:
            break
        kept.append(char)
    return f"{''.join(kept).rstrip()}{_CUT}"


@lru_cache(maxsize=4096)
def _of(char: str) -> int:
    category = unicodedata.category(char)
    if category in {"Mn", "Me", "Cf"}:
        return 0
    if char == _CUT:
        return 1
    firsts, lasts, widths = _wide_glyphs()
    index = bisect_right(firsts, ord(char)) - 1
    if index >= 0 and ord(char) <= lasts[index]:
        return widths[index]
    # The letters that Unicode calls ambiguous, such as Greek and Cyrillic ones, are wide in old East Asian fonts alone.
    # Its ambiguous signs (arrows, boxes, circled digits) are wide in many.
    is_wide = unicodedata.east_asian_width(char) in ("WF" if category[0] == "L" else "WFA")
    return 2 if is_wide or _is_half_a_flag(char) else 1


def _is_half_a_flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


@cache
def _wide_glyphs() -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The first characters, the last ones and the cells of all ranges that a font draws wider than Unicode says."""
    text = resources.files("bot.ui").joinpath("unicode", "wide_glyphs.txt").read_text(encoding="ascii")
    rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
    return (
        tuple(int(first, 16) for first, _, _ in rows),
        tuple(int(last, 16) for _, last, _ in rows),
        tuple(int(width) for _, _, width in rows),
    )
