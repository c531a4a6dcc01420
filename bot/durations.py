"""The time for a turn, as people type it (``90s``, ``5 min``, ``1h 30m``, ``3 days``), and a bank for all turns
(``10 min + 10 s``, ``3 days + 12 h a day``), and how rows keep them.

English is read in every language. `bot.ui.formats` has what else is typed in each.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Final

LONGEST: Final = 60
"""Characters; a longer text is not a time."""

DAY: Final = 24 * 3600
"""A day in seconds."""
LEAST_TURN: Final = 15
MOST_TURN: Final = 7 * 24 * 3600
"""The times that a turn may take, in seconds."""

PRESETS: Final = MappingProxyType({"blitz": 30, "normal": 120, "relaxed": 15 * 60, "daily": 24 * 3600})
"""The times that have a name, in seconds."""

UNITS: Final = MappingProxyType({"s": 1, "m": 60, "h": 3600, "d": 24 * 3600, "w": 7 * 24 * 3600})
"""The units' lengths in seconds, by their letter."""

_SPELT = {
    "s": ("s", "sec", "secs", "second", "seconds"),
    "m": ("", "m", "min", "mins", "minute", "minutes"),
    "h": ("h", "hr", "hrs", "hour", "hours"),
    "d": ("d", "day", "days"),
    "w": ("w", "wk", "wks", "week", "weeks"),
}
AND: Final = "&"
"""In place of a unit: a word between two parts."""
ENGLISH: Final[Mapping[str, str]] = MappingProxyType(
    {**{word: unit for unit, spellings in _SPELT.items() for word in spellings}, "and": AND}
)
"""What is typed after a number, by word, and between two parts: a unit's letter, or `AND`."""

_WORD: Final = r"[^\s\d.,:;/、،]"
_MARKS: Final = dict.fromkeys((0x061C, 0x200E, 0x200F, *range(0x2066, 0x206A)))
_PART = re.compile(rf"([0-9]+)(?:[.,]([0-9]+))?\s*({_WORD}*)\.?[\s,、،]*")
_BETWEEN = re.compile(rf"({_WORD}+)\s+")
_A_TURN = re.compile(r"\s*(?:\ba|\bper|/)\s*(?:turn|move)$")
_A_DAY = re.compile(r"\s*(?:\ba|\bper|/)\s*day$")


class NotATime(ValueError):  # noqa: N818  named for what was typed
    """Raised for a text that is not a time, or for a time that is not allowed for a turn (`OutOfRange`)."""


class OutOfRange(NotATime):
    """Raised for a time that is too short or too long for a turn."""


class NoSuchBank(NotATime):
    """Raised for a bank that is too small or too large, or gets too little or too much."""


LEAST_BANK: Final = 60
LEAST_MORE: Final = 5
"""What a bank has at the beginning and gets again, in seconds, are at least these."""


@dataclass(frozen=True, slots=True)
class Bank:
    """The time that each player has for all turns, in seconds: `whole` at the beginning, and `more` with each answer
    or, if it comes `by_day`, with each day. It never exceeds `whole`. Raises NoSuchBank."""

    whole: int
    more: int
    by_day: bool = False

    def __post_init__(self) -> None:
        least = DAY if self.by_day else LEAST_BANK
        if not least <= self.whole <= MOST_TURN or not LEAST_MORE <= self.more <= self.whole:
            raise NoSuchBank("too small or too large")

    @property
    def key(self) -> str:
        """The bank in commands and rows: ``600s_10s``, or by the day ``259200s_43200d``."""
        return f"{self.whole}s_{self.more}{'d' if self.by_day else 's'}"

    @classmethod
    def of_key(cls, key: str) -> Bank | None:
        """The bank of a key; None for any other text. Raises NoSuchBank."""
        made = re.fullmatch("([1-9][0-9]{1,5})s_([1-9][0-9]{0,5})([sd])", key)
        return cls(int(made[1]), int(made[2]), by_day=made[3] == "d") if made else None


BANKS: Final = (Bank(10 * 60, 10), Bank(3 * DAY, DAY // 2), Bank(3 * DAY, DAY // 2, by_day=True))
"""The banks that are offered: for an evening, for days, and for days with however many moves."""


def clock_terms(key: str) -> int | str:
    """The clock of a key as seals bind it and files have it: the seconds of a turn, or ``600+10``, and by the day
    ``259200+43200d``. Raises ValueError for an invalid key."""
    bank = Bank.of_key(key)
    return turn_of(key) if bank is None else bank.key.replace("s", "").replace("_", "+")


def key_of_terms(terms: int | str) -> str:
    """The key of a clock that `clock_terms` wrote. Raises ValueError for any other."""
    if isinstance(terms, int):
        return key_of(terms)
    whole, _, more = terms.partition("+")
    bank = Bank.of_key(f"{whole}s_{more if more.endswith('d') else more + 's'}")
    if bank is None or clock_terms(bank.key) != terms:
        raise ValueError("no such clock")
    return bank.key


def read_turn(text: str, words: Mapping[str, str] = ENGLISH) -> int:
    """Read a typed time, in seconds: a preset's name, or numbers with units. A number without a unit means minutes.

    `words` are those of the language, as `plain` writes them. Raises NotATime, OutOfRange.
    """
    if len(text) > LONGEST:
        raise NotATime("too long")
    typed = plain(text)
    if typed in PRESETS:
        return PRESETS[typed]
    turn = round(_seconds(_A_TURN.sub("", typed), words))
    if not LEAST_TURN <= turn <= MOST_TURN:
        raise OutOfRange("too short or too long")
    return turn


def read_clock(text: str, words: Mapping[str, str] = ENGLISH, *, by_day: bool = False) -> str:
    """The key of a typed clock: of a time for a turn, or of a bank. `by_day` is what is known of that already.

    Raises as `read_turn` and `read_bank`.
    """
    bank = read_bank(text, words, by_day=by_day)
    return key_of(read_turn(text, words)) if bank is None else bank.key


def read_bank(text: str, words: Mapping[str, str] = ENGLISH, *, by_day: bool = False) -> Bank | None:
    """Read a typed bank, or its key: two times with a plus between them; None for a text without a plus. A number
    without a unit means minutes before the plus and seconds after it. Raises NotATime, NoSuchBank.
    """
    if len(text) > 2 * LONGEST:
        raise NotATime("too long")
    typed = plain(text)
    whole, plus, more = typed.partition("+")
    if not plus:
        return Bank.of_key(typed)
    each = _A_DAY.sub("", _A_TURN.sub("", more))
    seconds = bare_number(each)
    gets = round(_seconds(each.strip(), words)) if seconds is None else seconds
    return Bank(round(_seconds(whole.strip(), words)), gets, by_day=by_day or _A_DAY.search(more) is not None)


def plain(text: str) -> str:
    """A text without what makes no difference to a reader: its case, its width, accents, marks of direction, and blanks
    around it."""
    parts = unicodedata.normalize("NFKD", text).translate(_MARKS).casefold()
    return "".join(part for part in parts if not unicodedata.combining(part)).strip()


def key_of(turn: int) -> str:
    """The key of a time per turn (in seconds) in commands and rows: the preset's name, or its seconds, such as
    ``90s``."""
    return next((name for name, seconds in PRESETS.items() if seconds == turn), f"{turn}s")


def turn_of(key: str) -> int:
    """The seconds of a key. Raises ValueError for an invalid key."""
    made = re.fullmatch("([1-9][0-9]{1,5})s", key)
    if key not in PRESETS and (made is None or not LEAST_TURN <= int(made[1]) <= MOST_TURN):
        raise ValueError("no such clock")
    return PRESETS[key] if made is None else int(made[1])


def bare_number(text: str) -> int | None:
    """A text without a unit as a number; None for any other text."""
    typed = plain(text)
    return int(typed) if re.fullmatch("[0-9]{1,9}", typed) else None


def _seconds(text: str, words: Mapping[str, str]) -> Fraction:
    """A time in seconds, from a text that uses each unit at most once."""
    total, at = Fraction(0), 0
    named: set[str] = set()
    while at < len(text):
        part = _PART.match(text, at)
        unit = words.get(part[3], "") if part else ""
        if part is None or unit not in UNITS or unit in named:
            raise NotATime("not a number and a unit, each unit once")
        total += Fraction(f"{part[1]}.{part[2] or 0}") * UNITS[unit]
        named.add(unit)
        between = _BETWEEN.match(text, part.end())
        at = between.end() if between and words.get(between[1]) == AND else part.end()
    if not named:
        raise NotATime("nothing there")
    return total
