"""Writes what names are judged by: bot/ui/unicode/look_alikes.txt and bot/ui/unicode/wide_glyphs.txt.

    pip install confusable-homoglyphs==3.3.1 fonttools
    apt install fonts-noto-core
    python -m tools.unicode_tables

Nothing at run time needs these packages, so they are in no lock. Run it again when a newer version of one is worth it.
"""

from __future__ import annotations

import importlib
import json
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).resolve().parents[1] / "bot" / "ui" / "unicode"
FONTS: Final = Path("/usr/share/fonts/truetype/noto")

CELL: Final = 0.6
"""The width of a cell in ems: about that of a small Latin letter in Noto Sans."""
GIANT: Final = 1.2
"""The least width of a wide glyph in ems. Two cells are what an East Asian character takes."""
_GAP: Final = 16
"""Ranges that are no further apart than this become one, as wide as the wider."""
_OTHER_FONTS: Final = ("Mono", "UI-", "Display", "Looped")
"""Fonts for something else than the running text."""
_UNSEEN: Final = "\u200e"
"""The package takes the samples out of Unicode's comments, where letters written from right to left stand between
these."""

LOOK_ALIKES_HEADING: Final = """\
# Which characters look like which: a prototype and all that look like it, as code points. A prototype may be several
# characters. Made by tools/unicode_tables.py from confusables.txt of Unicode Technical Standard 39, security data of
# Unicode 15.1, as confusable-homoglyphs 3.3.1 ships it.
#
"""
WIDE_GLYPHS_HEADING: Final = """\
# Characters wider than those around them, though Unicode doesn't call them wide: first and last code point, and the
# number of cells (of 0.6 em) of the widest among them. Made by tools/unicode_tables.py from the Noto fonts of Debian
# 12 (fonts-noto-core 20201225), of which it measures the advance widths.
"""


def look_alikes() -> Iterator[str]:
    """The lines of look_alikes.txt."""
    licence = (FOLDER / "LICENSE.txt").read_text(encoding="utf-8")
    yield LOOK_ALIKES_HEADING + "".join(f"# {line}".rstrip() + "\n" for line in licence.splitlines())
    read = json.loads(resources.files("confusable_homoglyphs").joinpath("confusables.json").read_text("utf-8"))
    alike: dict[str, set[str]] = defaultdict(set)
    for one, others in read.items():
        for other in others:
            alike[one.replace(_UNSEEN, "")].add(other["c"].replace(_UNSEEN, ""))
    parts = {char for each in alike if len(each) > 1 for char in unicodedata.normalize("NFD", each)}
    found: dict[str, list[str]] = defaultdict(list)
    for one, others in alike.items():
        for prototype in others:
            if _is_prototype(prototype, one, alike, parts):
                found[prototype].append(one)
    for prototype, each in sorted(found.items()):
        yield f"{_codes(prototype)} ; {' '.join(_codes(char) for char in sorted(each))}\n"


def _is_prototype(prototype: str, other: str, alike: dict[str, set[str]], parts: set[str]) -> bool:
    """Whether `prototype` is what `other` looks like, and not the other way round.

    The package tells only that both look alike. A prototype is the one of several characters, of several pairs, or
    that the other prototypes are made of; of two single characters that only look like each other it's the first.
    """
    return _rank(prototype, alike, parts) > _rank(other, alike, parts)


def _rank(text: str, alike: dict[str, set[str]], parts: set[str]) -> tuple[bool, bool, bool, int]:
    return len(text) > 1, len(alike[text]) > 1, text in parts, -ord(text[0])


def _codes(text: str) -> str:
    return " ".join(f"{ord(char):04X}" for char in text).replace(" ", "+")


def wide_glyphs() -> Iterator[str]:
    """The lines of wide_glyphs.txt."""
    yield WIDE_GLYPHS_HEADING
    ranges: list[tuple[int, int, int]] = []
    for code, cells in sorted(_measured()):
        if ranges:
            first, last, most = ranges[-1]
            if code - last <= _GAP and abs(most - cells) <= 1:
                ranges[-1] = first, code, max(most, cells)
                continue
        ranges.append((code, code, cells))
    for first, last, cells in ranges:
        yield f"{first:04X} {last:04X} {cells}\n"


def _measured() -> Iterator[tuple[int, int]]:
    """Each wide glyph with its cells, in the first font that has it: one without serifs, if there is one."""
    reading: Any = importlib.import_module("fontTools.ttLib")  # no stubs, and not installed for a check of types
    ems: dict[int, float] = {}
    fonts = [each for each in FONTS.glob("*-Regular.ttf") if not any(word in each.name for word in _OTHER_FONTS)]
    for path in sorted(fonts, key=lambda each: ("NotoSans" not in each.name, each.name)):
        font = reading.TTFont(path, lazy=True)
        for code, glyph in font.getBestCmap().items():
            ems.setdefault(code, font["hmtx"][glyph][0] / font["head"].unitsPerEm)
    for code, width in ems.items():
        char = chr(code)
        counted = unicodedata.category(char)[0] not in "CM" and unicodedata.east_asian_width(char) not in "WF"
        if width >= GIANT and counted:
            yield code, round(width / CELL)


if __name__ == "__main__":
    FOLDER.joinpath("look_alikes.txt").write_text("".join(look_alikes()), encoding="utf-8")
    FOLDER.joinpath("wide_glyphs.txt").write_text("".join(wide_glyphs()), encoding="utf-8")
