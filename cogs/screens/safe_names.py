"""Makes names and salts safe to show.

They come from Discord as people wrote them: markdown, mentions, links, characters that reverse the text, piles of
accents, characters that nobody sees. They are shown as plain text, with no effect on what surrounds them. People whose
names look alike get a number each (`bot.ui.look_alikes`), and none is wider than 24 cells (`bot.ui.cells`).

What is made here for a text is isolated if it is written from right to left (`bot.ui.isolation`). Every sentence, list
and label may hold it as it is: a name reaches them in many ways, but is made safe in this one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain
from typing import Final

from bot.ui.cells import cut
from bot.ui.isolation import isolated
from bot.ui.look_alikes import numbers

LONGEST: Final = 32
"""Characters of a name: Discord's own bound. Several may share a cell."""
WIDEST: Final = 24
"""Cells of a name: a line of a phone is hardly wider."""
LONGEST_SERVER: Final = 100
"""Characters and cells of a server's name."""
LONGEST_SALT: Final = 64
LONGEST_WORDS: Final = 200
"""Characters of what a server says itself in a message of the bot."""
_MARKS_IN_A_ROW: Final = 2
_IGNORABLE: Final = frozenset(
    chain(
        (0x00AD, 0x034F, 0x061C, 0x3164, 0xFEFF, 0xFFA0),
        *(
            range(first, last + 1)
            for first, last in (
                (0x115F, 0x1160),
                (0x17B4, 0x17B5),
                (0x180B, 0x180F),
                (0x200B, 0x200F),
                (0x202A, 0x202E),
                (0x2060, 0x206F),
                (0xFE00, 0xFE0F),
                (0xFFF0, 0xFFF8),
                (0x1BCA0, 0x1BCA3),
                (0x1D173, 0x1D17A),
                (0xE0000, 0xE0FFF),
            )
        ),
    )
)
"""Characters that a font does not draw: Default_Ignorable_Code_Point of Unicode's DerivedCoreProperties."""
_BLANK: Final = frozenset({0x2800, 0x16FE4, 0x1D159})
"""Characters with an empty glyph that Unicode does not call ignorable: an empty Braille cell, a filler, a null note."""
_OF_BOARDS: Final = str.maketrans("", "", "➤➜➔▶►")
"""What boards put before the player who is to move. In a name it could make somebody else seem to be."""
_LONE_DOT: Final = re.compile(r"(?<!\w)[·•∙⋅]|[·•∙⋅](?!\w)")
"""The dot that boards put between facts. Within a word it is a letter's sign, as in Catalan."""
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet would work out."""
_ESCAPED: Final = re.compile(r"\\(.)")


def plain_name(name: str, user_id: int, longest: int = LONGEST, widest: int = WIDEST) -> str:
    """The name without what has an effect: one line of at most 32 visible characters in at most 24 cells.

    Control, format (zero-width, bidirectional), blank and unassigned characters and the signs of boards are removed,
    white space is folded, and of several combining marks in a row two are kept. If nothing is left, the name becomes
    ``#`` and the last digits of the user's id.
    """
    text = cut(_visible(name, longest), widest)
    if not any(unicodedata.category(char)[0] in "LNPS" for char in text):
        return f"#{user_id % 10_000:04}"
    return text


def plain_salt(salt: str) -> str:
    """What can be shown of a salt in a place without markdown: as `plain_name`, but empty if nothing is left.

    It differs from the salt in NFC where that has characters that are not shown.
    """
    return _visible(salt, LONGEST_SALT)


def safe_salt(salt: str) -> str:
    """What can be shown of a salt in a text that Discord renders: as `safe_name`, but empty if nothing is left."""
    return isolated(escaped(plain_salt(salt)))


def safe_words(text: str) -> str:
    """What a server says itself, for a text that Discord renders: one line as `safe_name`, but empty if nothing is
    left."""
    return isolated(escaped(_visible(text, LONGEST_WORDS)))


def _visible(text: str, longest: int) -> str:
    """The text without what has an effect or cannot be seen, cut to `longest` characters."""
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", text).translate(_OF_BOARDS):
        category = unicodedata.category(char)
        if category[0] == "C" or ord(char) in _IGNORABLE or ord(char) in _BLANK:
            continue
        marks = marks + 1 if category[0] == "M" else 0
        if marks <= _MARKS_IN_A_ROW:
            kept.append(" " if category[0] == "Z" else char)
    return " ".join(_LONE_DOT.sub(" ", "".join(kept)).split())[:longest].strip()


@lru_cache(maxsize=10_000)
def safe_name(name: str, user_id: int) -> str:
    """The name for a text that Discord renders: as `plain_name`, every ASCII sign escaped by a backslash, and isolated.

    So ``**``, ``<@&1>``, ``@everyone``, ``# `` and ``https://`` are shown as typed and have no effect
    (Discord's markdown shows any sign after a backslash as it is).
    """
    return isolated(escaped(plain_name(name, user_id)))


@lru_cache(maxsize=10_000)
def safe_names(people: tuple[tuple[str, int], ...]) -> tuple[str, ...]:
    """The names of people (name, user id) who are shown together, as `safe_name`, all different from each other.

    Those that look alike get a number each, in the order given: ``Alice #1``, ``alice #2``.
    """
    plain = [plain_name(name, user_id) for name, user_id in people]
    return tuple(
        isolated(escaped(name)) + ("" if number is None else escaped(f" #{number}"))
        for name, number in zip(plain, numbers(plain), strict=True)
    )


def safe_server_name(name: str, guild_id: int) -> str:
    """A server's name for a text that Discord renders: at most 100 characters, otherwise as `safe_name`."""
    return isolated(escaped(plain_name(name, guild_id, LONGEST_SERVER, LONGEST_SERVER)))


def plain_title(title: str) -> str:
    """What somebody has named a thing, for a place without markdown: as `plain_name`, but not cut to its cells, and
    empty if nothing is left."""
    text = _visible(title, LONGEST)
    return text if any(unicodedata.category(char)[0] in "LNPS" for char in text) else ""


def safe_title(title: str) -> str:
    """What somebody has named a thing, for a text that Discord renders: as `plain_title`, otherwise as `safe_name`."""
    return isolated(escaped(plain_title(title)))


def unescaped(safe: str) -> str:
    """A text with names from `safe_name` for a place without markdown, such as a button's label. Isolates stay."""
    return _ESCAPED.sub(r"\1", safe)


def escaped(plain: Iterable[str]) -> str:
    """A text for a place without markdown, for one that Discord renders: every ASCII sign has a backslash before it."""
    return "".join(f"\\{char}" if char.isascii() and not char.isalnum() and char != " " else char for char in plain)


def spreadsheet_cell(name: str) -> str:
    """A name as a cell that no spreadsheet works out."""
    return f"'{name}" if name.startswith(_FORMULA) else name
