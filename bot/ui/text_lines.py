"""Texts in a fixed number of short lines, so that a message keeps its height whatever they say.

A chat is anchored at its foot: if a line of a message comes or goes, or begins to wrap, all of its buttons move.
Discord doesn't tell us how wide letters are or where it wraps. So the widths here are those of a wide font (DejaVu
Sans), and a line is as short as on a phone that is 390 pixels wide. Then Discord wraps none of them anywhere.

Chinese and Japanese have no spaces. There a line may end between any two letters, but a closing sign stays with the
letter before it, and an opening one with the letter after it (the rules called *kinsoku*).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from bot.ui.cells import cells
from bot.ui.isolation import END, ISOLATE, each_whole

LINE = 19.0
"""How wide a line may be, in ems: on a phone of 390 pixels, between the avatar and the edges of the message's box."""
SMALL_LINE = 22.0
"""The same in ems of small type."""
PHONE = 290
"""The same in pixels, for a row of buttons."""

BLANK = "\u200b"
"""A line of no width. Discord drops lines of spaces at the end of a text."""

EMOJI = re.compile(r"<a?:\w{2,32}:\d{1,20}>", re.ASCII)
"""A custom emoji as it is written in texts (https://discord.com/developers/docs/reference#message-formatting)."""

_EMOJI_WIDTH = 1.4  # 22 pixels of a line of 16, and with a space beside it 26
_BOLD = "**"
_WIDER_IN_BOLD = 1.1
_CODE = 0.7  # the edges of a box of code, of both sides together
_CODE_LETTER = 0.57
_CELL, _CELLS_OF_EAST_ASIA = 0.6, 2
_SPACE = 0.32
_BUTTON_LETTERS, _BUTTON_EDGES, _BUTTON_GAP = 14, 22, 6  # pixels
_EMOJI_BUTTON = 60  # pixels, with an emoji alone
_BUTTON_EMOJI = 54  # pixels, for an emoji and the edges beside a label

_NARROW = frozenset("ijlI .,:;'|!’‘‚·\u00a0\u202f")
_SLIM = frozenset('ftr()[]-/"‹›')
_HALF = frozenset("„“”–")
_WIDE = frozenset("mwMW@%—…&æÆœŒ")
_UNSEEN = frozenset(f"\u200b\ufe0f{ISOLATE}{END}")
_RAISED = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹")
_ESCAPE = re.compile(r"\\(.)")
_CODE_SPAN = re.compile(r"`([^`]*)`")
_PIECE = re.compile(rf"{EMOJI.pattern}|\\.|`[^`\s]*`|\*\*|.", re.DOTALL | re.ASCII)

_UNSPACED = "\u2e80-\u9fff\uf900-\ufaff\uff01-\uff60\U00020000-\U0003ffff"
_OPENING = f"「『（［｛【〔〈《{ISOLATE}"
_CLOSING = f"」』）］｝】〕〉》、。，．：；！？・…ー々～％ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ{END}"
_HAS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_UNIT = re.compile(
    rf"[{_OPENING}]*(?:{EMOJI.pattern}|`[^`]*`|[{_UNSPACED}]|(?:\\.|(?!{EMOJI.pattern})[^{_UNSPACED}{_OPENING}`*])+|.)"
    rf"[{_CLOSING}]*"
)
"""What stays together in a run of letters without spaces."""


@lru_cache(maxsize=4096)
def width(text: str) -> float:
    """How wide a text without markup is at most, in ems."""
    return sum([_letter(letter) for letter in text])


def button_width(label: str, *, emoji: bool = False) -> float:
    """How wide a button is, in pixels, without the gap to the next; with `emoji` it has one before its label."""
    if emoji:
        return _BUTTON_EMOJI + _BUTTON_LETTERS * width(label) if label else _EMOJI_BUTTON
    return _BUTTON_LETTERS * width(label) + _BUTTON_EDGES


def row_fits(labels: Sequence[str], *, emojis: bool = False) -> bool:
    """Whether buttons with these labels have room beside one another on a phone; with `emojis` each has one."""
    return widths_fit([button_width(label, emoji=emojis) for label in labels])


def widths_fit(widths: Sequence[float]) -> bool:
    """Whether buttons of these widths have room beside one another on a phone."""
    return sum(widths) + _BUTTON_GAP * (len(widths) - 1) <= PHONE


def fits(text: str, lines: int, longest: float = LINE) -> bool:
    """Whether a text needs no more than this number of lines."""
    return len(_wrapped(text, longest)) <= lines


def fixed(text: str, lines: int, longest: float = LINE) -> list[str]:
    """A text in exactly this number of lines: blank ones are added, and what does not fit is cut, ending in "…"."""
    made: Sequence[str] = _wrapped(text, longest)
    if len(made) > lines:
        kept = made[lines - 1]
        while kept and _marked_width(f"{kept}…") > longest:
            kept = kept[: -len(_pieces(kept)[-1])]
        closing = _BOLD if kept.count(_BOLD) % 2 else ""
        made = [*made[: lines - 1], f"{kept.removesuffix(_BOLD)}…{_BOLD if kept.endswith(_BOLD) else closing}"]
    return [*each_whole(made), *[BLANK] * (lines - len(made))]


def wrapped(text: str, longest: float = LINE) -> list[str]:
    """A text in as many lines as it needs; none if it is empty. Bold that runs over a line's end continues in the next.

    A word that is wider than a line is broken.
    """
    return list(each_whole(_wrapped(text, longest)))


@lru_cache(maxsize=1024)
def _wrapped(text: str, longest: float) -> tuple[str, ...]:
    words = _words(text, longest)
    measured = [_measured(word) for word, _ in words]
    is_sum = not any(word.is_part_of_markup for word in measured)
    lines: list[str] = []
    line, taken, begun_bold, bold = "", 0.0, False, False  # bold at the beginning of the line, and at the word
    for (word, space), (plain, in_bold, turns_bold, _) in zip(words, measured, strict=True):
        longer, wide = f"{line}{space}{word}" if line else word, in_bold if bold else plain
        if not is_sum:
            longer_takes = _marked_width(longer, bold=begun_bold)
        elif line:
            longer_takes = taken + _SPACE * len(space) * (_WIDER_IN_BOLD if bold else 1) + wide
        else:
            longer_takes = wide
        if line and longer_takes > longest:
            lines.append(_closed(line, bold=begun_bold))
            line, taken, begun_bold = word, wide, bold
        else:
            line, taken = longer, longer_takes
        bold = bold != turns_bold
    if line:
        lines.append(_closed(line, bold=begun_bold))
    return tuple(lines)


def _words(text: str, longest: float) -> list[tuple[str, str]]:
    """The words of a text, those that are wider than a line in parts, each with the space before it or none."""
    words: list[tuple[str, str]] = []
    bold = False
    for word in text.split():
        space = " "
        for unit in _units(word, bold=bold):
            part = ""
            for piece in _pieces(unit) if _measured(unit).in_bold > longest else ():
                if _marked_width(part + piece, bold=True) > longest:
                    words.append((part, space))
                    part, space = "", ""
                part += piece
            words.append((part or unit, space))
            space = ""
        bold = bold != (word.count(_BOLD) % 2 == 1)
    return words


def _units(word: str, *, bold: bool) -> list[str]:
    """What stays together of a text without spaces: words of Chinese or Japanese have no edges that we could see.

    Bold begins before a unit and ends after one; `bold` says that it has begun before the text.
    """
    if not _HAS_UNSPACED.search(word) or word.count("`") % 2:
        return [word]
    units: list[str] = []
    begun = ""
    for number, part in enumerate(word.split(_BOLD)):
        if number and bold and units:
            units[-1] += _BOLD
        elif number:
            begun += _BOLD
        bold = bold != (number > 0)
        for unit in _UNIT.findall(part):
            if units and not begun and (unit[0] in _CLOSING or units[-1][-1] in _OPENING):
                units[-1] += unit
            elif units and units[-1][-1] in _OPENING:
                units[-1] += begun + unit
                begun = ""
            else:
                units.append(begun + unit)
                begun = ""
    return [*units[:-1], units[-1] + begun] if units else [word]


class _Word(NamedTuple):
    """How wide a word with markup is at most, plain and in bold, and whether bold begins or ends in it.

    `is_part_of_markup` is whether code or an escape may go on from it to the next word: then a line is not as wide as
    its words together.
    """

    plain: float
    in_bold: float
    turns_bold: bool
    is_part_of_markup: bool


@lru_cache(maxsize=4096)
def _measured(word: str) -> _Word:
    code = "`" in word and any(part.count("`") % 2 for part in word.split(_BOLD))
    return _Word(
        _marked_width(word), _marked_width(word, bold=True), word.count(_BOLD) % 2 == 1, word.endswith("\\") or code
    )


def _pieces(text: str) -> list[str]:
    """The letters of a text, each with the backslash before it, and boxes of code, emojis and marks as wholes."""
    return _PIECE.findall(text)


def _closed(line: str, *, bold: bool) -> str:
    """A line with its bold begun and ended in it; `bold` says that it was bold from its beginning."""
    begun = f"{_BOLD}{line}" if bold else line
    whole = f"{begun}{_BOLD}" if begun.count(_BOLD) % 2 else begun
    return whole.replace(_BOLD * 2, "")


def _marked_width(text: str, *, bold: bool = False) -> float:
    """How wide a text with markup is at most."""
    total = 0.0
    if "<" in text:
        text, emojis = EMOJI.subn("", text)
        total = emojis * _EMOJI_WIDTH
    for number, part in enumerate(text.split(_BOLD)):
        is_bold = bold != (number % 2 == 1)
        spans = _CODE_SPAN.split(part)
        plain, code = "".join(spans[::2]), spans[1::2]
        total += width(_ESCAPE.sub(r"\1", plain)) * (_WIDER_IN_BOLD if is_bold else 1)
        total += sum([_CODE + max(_CODE_LETTER * len(span), width(span) * 0.9) for span in code])
    return total


@lru_cache(maxsize=1024)
def _letter(letter: str) -> float:  # noqa: PLR0911  one width a class of letters
    if letter in _NARROW:
        return _SPACE
    if letter in _SLIM:
        return 0.42
    if letter in _WIDE:
        return 1.0
    if letter in _HALF:
        return 0.52
    if letter < "\u0100":
        return 0.75 if letter.isupper() else 0.84 if letter in "±×" else 0.41 if letter in _RAISED else 0.636
    if letter in _UNSEEN:
        return 0.0
    if letter in "\u2007\u2012":  # as wide as a digit
        return 0.636
    if letter in _RAISED:
        return 0.41
    if "\u3000" <= letter < "\ua000" or "\uff01" <= letter < "\uff61":  # Chinese and Japanese, punctuation too
        return 1.0
    usual = 1.4 if letter > "\uffff" else 0.9 if letter < "\u2e80" else 1.1
    giant = cells(letter)
    return giant * _CELL if giant > _CELLS_OF_EAST_ASIA else usual
