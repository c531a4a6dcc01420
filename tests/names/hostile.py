"""Names that people could have chosen to turn a screen round, to fill it, or to be taken for somebody else."""

from __future__ import annotations

import random
from typing import Final

HEBREW: Final = "\u05d0\u05dc\u05d9\u05e1"
ARABIC: Final = "\u0639\u0644\u064a"
TURNED: Final = (
    HEBREW,
    ARABIC,
    "\u0710\u0712\u0713",
    "\u07ca\u07cb",
    "\U0001e900\U0001e901",
    "\u0661\u0662",
    "\u06f1\u06f2",
)
"""Words and digits that are written from right to left."""
CONTROLS: Final = tuple("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
GIANTS: Final = tuple("\ufdfd\ufdfa\U0001242b\U00012219\U00012031\u2e3b\u2e3a\u0bf5\u102a\ua9c4\u1242")
WIDE: Final = tuple("\u4e2d\uff21\uac00\u3042\U0001f3b2\U0001f1e9\u2460\u25a0\u2605\u2192\u221e")
TYPED: Final = (
    "Alice",
    "bob",
    "**x**",
    "<@1>",
    "# 1",
    "- ",
    "12",
    "1. ",
    "· 10 cards",
    ": 3",
    "(",
    "]",
    "\\",
    "W" * 32,
)
PILES: Final = ("\u0301", "\u20dd", "\u0e31", "\u200d", "\u3164", "\ufe0f")
ALIKE: Final = (
    *("\u13aalice", "\ua4eelice", "\u2c81lice", "A\u2223ice", "A\u05c0ice", "A\uffe8ice", "A\ua4e1ice", "Alice."),
    *("8ob", "B\u043eb", "\uff22ob", "B0b", "Bob\u2024"),
)
"""Names like Alice's and Bob's that were once shown without a number."""


def hostile_names(count: int = 204, seed: int = 20_271) -> list[str]:
    """That many names of at most 32 characters, as Discord has it: 34 tables of six, the same for the same seed."""
    chance = random.Random(seed)
    fixed = [*TURNED, *(each * 32 for each in (*GIANTS, *WIDE)), *ALIKE, HEBREW + " 1", "1 " + HEBREW, f"({HEBREW})"]
    pieces = (TURNED, TURNED, CONTROLS, GIANTS, WIDE, TYPED, TYPED, PILES)
    drawn = (
        "".join(chance.choice(chance.choice(pieces)) for _ in range(chance.randint(1, 9)))[:32] for _ in range(count)
    )
    return [*fixed, *drawn][:count]
