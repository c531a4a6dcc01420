"""Finds names that a person could take for each other.

Two names look alike if they have the same skeleton: without case, accents, spaces and styles of letters (fullwidth,
mathematical and so on), and with letters of other scripts replaced by the Latin letters they look like.

Source: Unicode Technical Standard 39, "Confusable Detection". Of its table, only the letters are here that most fonts
draw like a Latin one.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Final

_LATIN: Final = str.maketrans(
    {
        like: latin
        for latin, alike in {
            "a": "аαɑ",
            "b": "ьвβ",
            "c": "сϲ",
            "d": "ԁ",
            "e": "еєε",
            "f": "ƒϝ",
            "g": "ɡց",
            "h": "нһհη",
            "i": "іιıɩlӏ1|!ןǀ",
            "j": "јϳ",
            "k": "кκ",
            "m": "мμ",
            "n": "ոп",
            "o": "оοσօ0ѳө",
            "p": "рρ",
            "q": "ԛ",
            "r": "гɾ",
            "s": "ѕ5ꜱ",
            "t": "тτ",
            "u": "υսц",
            "v": "ѵν",
            "w": "ѡωԝш",
            "x": "хχ",
            "y": "уүγ",
            "z": "ζ2",
        }.items()
        for like in alike
    }
)
_NUMBER: Final = re.compile(r"(?<=.)\s*#\s*\d+\s*$")
"""What `numbers` adds. A name that ends so by itself counts as the name before it, or it could copy somebody's."""


def skeleton(name: str) -> str:
    """What is left of a name when all that is easily overlooked is taken away. Never empty unless the name is."""
    letters = unicodedata.normalize("NFKD", _without_number(name)).casefold()
    bare = "".join(
        char for char in unicodedata.normalize("NFKD", letters) if not (char.isspace() or unicodedata.combining(char))
    )
    return bare.translate(_LATIN).replace("rn", "m").replace("vv", "w") or name


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
