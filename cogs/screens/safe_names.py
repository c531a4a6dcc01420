"""Names as they are shown: one function that defuses what a name may carry.

Names come from Discord as people wrote them: markdown, mentions, links, characters that turn the text around, piles of
accents. What is shown is the name's letters and nothing that acts.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

LONGEST = 32
_MARKS_IN_A_ROW = 2
_ESCAPED = re.compile(r"\\(.)")


def plain_name(name: str, user_id: int) -> str:
    """The name for a place without markdown, such as a button's label: at most 32 visible characters, one line.

    Control, format (zero-width, bidirectional) and unassigned characters go, white space is folded, of a pile of
    combining marks two stay. A name of which nothing is left becomes ``#`` and the last digits of the user's id.
    """
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", name):
        category = unicodedata.category(char)
        marks = marks + 1 if category[0] == "M" else 0
        if category[0] == "C" or marks > _MARKS_IN_A_ROW:
            continue
        kept.append(" " if category[0] == "Z" else char)
    text = " ".join("".join(kept).split())[:LONGEST].strip()
    if not any(unicodedata.category(char)[0] in "LNPS" for char in text):
        return f"#{user_id % 10_000:04}"
    return text


@lru_cache(maxsize=10_000)
def safe_name(name: str, user_id: int) -> str:
    """The name for a text that Discord renders: as `plain_name`, every ASCII sign escaped by a backslash.

    So ``**``, ``<@&1>``, ``@everyone``, ``# `` and ``https://`` are what they look like and nothing more (Discord's
    markdown takes a backslash before any sign as "this sign itself").
    """
    return "".join(
        f"\\{char}" if char.isascii() and not char.isalnum() and char != " " else char
        for char in plain_name(name, user_id)
    )


def unescaped(safe: str) -> str:
    """A name from `safe_name` for a place without markdown: as `plain_name` had it."""
    return _ESCAPED.sub(r"\1", safe)
