"""Makes names safe to show.

Names come from Discord as people wrote them: markdown, mentions, links, characters that reverse the text, piles of
accents. They are shown as plain text, with no effect on what surrounds them.
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

    Control, format (zero-width, bidirectional) and unassigned characters are removed, white space is folded, and of
    several combining marks in a row two are kept. If nothing is left, the name becomes ``#`` and the last digits of the
    user's id.
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
    """The name for a text that Discord renders: as `plain_name`, with every ASCII sign escaped by a backslash.

    So ``**``, ``<@&1>``, ``@everyone``, ``# `` and ``https://`` are shown as typed and have no effect
    (Discord's markdown shows any sign after a backslash as it is).
    """
    return "".join(
        f"\\{char}" if char.isascii() and not char.isalnum() and char != " " else char
        for char in plain_name(name, user_id)
    )


def unescaped(safe: str) -> str:
    """A name from `safe_name` for a place without markdown: as `plain_name` returned it."""
    return _ESCAPED.sub(r"\1", safe)
