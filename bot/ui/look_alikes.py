"""Finds names that a person could take for each other.

Two names look alike if they have the same skeleton. It is that of Unicode Technical Standard 39, "Confusable
Detection", by its whole table (`unicode/look_alikes.txt`, made by `tools/unicode_tables.py`). More is taken away, so
that names are alike here which that standard tells apart: case, accents, spaces, small signs, styles of letters
(fullwidth, mathematical and so on), and what looks alike at a glance.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Final

_AT_A_GLANCE: Final = str.maketrans(
    {
        like: latin
        for latin, alike in {
            "a": "αɑⲁ",
            "b": "ьвβⲃ8",
            "c": "ⲥ",
            "d": "ԁ",
            "e": "єεⲉ",
            "f": "ƒϝ",
            "g": "ɡց",
            "h": "нһհηⲏ",
            "i": "ιɩⲓlӏ1|!ןǀ",
            "k": "кκⲕ",
            "m": "мⲙ",
            "n": "пⲛ",
            "o": "σⲟօ0ѳө",
            "p": "ρⲣ",
            "r": "гɾ",
            "s": "5",
            "t": "тτⲧ",
            "u": "υսц",
            "v": "ѵν",
            "w": "ѡωԝш",
            "x": "ⲭ",
            "y": "үⲩ",
            "z": "ζⲍ2",
        }.items()
        for like in alike
    }
)
"""What most fonts draw like a Latin letter, or nearly so, by that letter."""
_OVERLOOKED: Final = frozenset(".,:;'\"`´^~_-·…")
_NUMBER: Final = re.compile(r"(?<=.)\s*#\s*\d+\s*$")
"""What `numbers` adds. A name that ends so by itself counts as the name before it, or it could copy somebody's."""


def skeleton(name: str) -> str:
    """What is left of a name when all that is easily overlooked is taken away. Never empty unless the name is."""
    standard = standard_skeleton(_without_number(name))
    letters = unicodedata.normalize("NFKD", standard).casefold()
    bare = "".join([char for char in unicodedata.normalize("NFKD", letters) if not _is_overlooked(char)])
    alike = "".join([char for char in standard_skeleton(bare) if not _is_overlooked(char)]).casefold()
    return alike.translate(_AT_A_GLANCE).replace("rn", "m").replace("vv", "w") or standard


def standard_skeleton(text: str) -> str:
    """The skeleton of UTS 39, section 4, of a text without ignorable characters."""
    prototypes = _prototypes()
    decomposed = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFD", "".join([prototypes.get(char, char) for char in decomposed]))


def _is_overlooked(char: str) -> bool:
    return char in _OVERLOOKED or char.isspace() or unicodedata.category(char)[0] == "M"


@cache
def _prototypes() -> Mapping[str, str]:
    """The prototype of each character that looks like another."""
    text = resources.files("bot.ui").joinpath("unicode", "look_alikes.txt").read_text(encoding="utf-8")
    found = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            prototype, alike = line.split(" ; ")
            whole = "".join([chr(int(code, 16)) for code in prototype.split("+")])
            found.update({chr(int(code, 16)): whole for code in alike.split()})
    return found


def numbers(names: Sequence[str]) -> list[int | None]:
    """For each name the number that tells it apart from those it looks like; None if it looks like no other."""
    skeletons = [skeleton(name) for name in names]
    alike, seen = Counter(skeletons), Counter[str]()
    found: list[int | None] = []
    for each in skeletons:
        seen[each] += 1
        found.append(seen[each] if alike[each] > 1 else None)
    return found


def _without_number(name: str) -> str:
    while (shorter := _NUMBER.sub("", name)) != name:
        name = shorter
    return name
