"""Shares, lists, times and dates as the reader's language writes them, by CLDR (Unicode's data of languages).

Babel has the data and reads a pattern again for each text. A press shows dozens of texts, so the patterns of a language
are taken apart once, when they are first used. Digits are European in every language, as on cards and in pictures.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import cached_property
from itertools import product
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_time
from babel.units import format_unit

from bot.durations import AND, ENGLISH, plain
from bot.languages import DEFAULT_LANGUAGE
from bot.ui.isolation import apart

_VARIANTS: Final = {"en": "en_001"}
"""English as the world writes it: no comma before the last of a list."""


_PARTS: Final = ("unit-narrow", "unit-short", "unit")
"""How the parts of a time can be joined, best first. Babel has some of them alone in many languages."""
_UNITS: Final = MappingProxyType(
    {"s": "duration-second", "m": "duration-minute", "h": "duration-hour", "d": "duration-day", "w": "duration-week"}
)
_LENGTHS: Final[tuple[Literal["long", "short", "narrow"], ...]] = ("long", "short", "narrow")
_NUMBERS: Final = (0, 1, 2, 3, 5, 11, 21, 100, 1.5)
"""Numbers that have all plural forms of CLDR between them."""
_NUMBER: Final = re.compile(r"[\d.,\u066b]*\d[\d.,\u066b]*")


_BY_SOUND: Final = MappingProxyType(
    {
        "es": (
            (" y ", " e ", re.compile(r"\W*h?i(?![ae])", re.IGNORECASE)),
            (" o ", " u ", re.compile(r"\W*(h?o|8)", re.IGNORECASE)),
        )
    }
)
"""By language: a word of a list, what it becomes, and before what. CLDR says it in its notes alone."""


class Formats:
    """How one language writes what is inserted into its sentences."""

    def __init__(self, language: str) -> None:
        self.language = language
        """As gettext names it."""

    def all_of(self, items: Iterable[str]) -> str:
        """All of them: `Ann, Ben and Cat`."""
        return self._joined(self._and, self._apart(items))

    def any_of(self, items: Iterable[str]) -> str:
        """One of them: `Ann, Ben or Cat`."""
        return self._joined(self._or, self._apart(items))

    def percent(self, n: int) -> str:
        """A share in whole percents: `45%`."""
        before, after = self._percent
        return f"{before}{n}{after}"

    def time(self, parts: Iterable[str]) -> str:
        """A time from its parts, the longest unit first: `1 hour 30 minutes`."""
        return _joined(self._parts, [*parts])

    def date(self, at: int) -> str:
        """The day of a moment (ms UTC), by UTC."""
        day = _utc(at)
        return f"{day:%Y-%m-%d}" if self.language == DEFAULT_LANGUAGE else format_date(day, "medium", self.locale)

    def moment(self, at: int) -> str:
        """A moment (ms UTC) to the minute, by UTC, where Discord shows no time of its own."""
        moment = _utc(at)
        english = self.language == DEFAULT_LANGUAGE
        return f"{self.date(at)} {f'{moment:%H:%M}' if english else format_time(moment, 'short', locale=self.locale)}"

    @cached_property
    def typed(self) -> Mapping[str, str]:
        """What people type of a time in this language and in English (`bot.durations.read_turn`). An English word means
        the same in all: our examples have them."""
        found = {plain(self._and.two): AND}
        for (unit, name), length, n in product(_UNITS.items(), _LENGTHS, _NUMBERS):
            written = format_unit(n, name, length, locale=self.locale)
            word = plain(_NUMBER.sub("", written)).removesuffix(".")
            if name not in written and not re.search(r"[\s.,:;/]", word):  # Babel lacks some, and writes their name
                found.setdefault(word, unit)
        return MappingProxyType({**found, **ENGLISH})

    @cached_property
    def from_right_to_left(self) -> bool:
        """Whether the language is written so. Then what is put into a sentence is kept apart from its direction."""
        return self.locale.text_direction == "rtl"

    def named(self, name: str) -> str:
        """A name that is safe to show, for a line of this language that is no sentence, such as a list of players."""
        return str(apart(name)) if self.from_right_to_left else name

    def _joined(self, between: _Between, items: list[str]) -> str:
        for word, other, before in _BY_SOUND.get(self.language.partition("_")[0], ()):
            if items and between.last == word and before.match(items[-1]):
                return _joined(between._replace(two=other, last=other), items)
        return _joined(between, items)

    def _apart(self, items: Iterable[str]) -> list[str]:
        return [str(apart(each)) for each in items] if self.from_right_to_left else [*items]

    def _kept_apart(self, values: Mapping[str, object]) -> Mapping[str, object]:
        return {name: apart(value) for name, value in values.items()} if self.from_right_to_left else values

    @cached_property
    def locale(self) -> Locale:
        """What CLDR says of the language. English for one that it does not know."""
        try:
            return Locale.parse(_VARIANTS.get(self.language, self.language))
        except (UnknownLocaleError, ValueError):
            return Locale.parse(_VARIANTS[DEFAULT_LANGUAGE])

    @cached_property
    def _and(self) -> _Between:
        return _between(self.locale, "standard")

    @cached_property
    def _or(self) -> _Between:
        return _between(self.locale, "or")

    @cached_property
    def _parts(self) -> _Between:
        known = [style for style in _PARTS if self.locale.list_patterns.get(style)]
        return _between(self.locale, known[0]) if known else _Between(" ", " ", " ")

    @cached_property
    def _percent(self) -> tuple[str, str]:
        pattern = self.locale.percent_formats[None]
        return pattern.prefix[0], pattern.suffix[0]


def _utc(at: int) -> datetime:
    return datetime.fromtimestamp(at / 1000, UTC)


class _Between(NamedTuple):
    """What stands between two, and in longer lists between the others and before the last."""

    two: str
    others: str
    last: str


def _between(locale: Locale, style: str) -> _Between:
    """What a language writes into a list. All languages of the CLDR write something between, and nothing around."""
    patterns = locale.list_patterns[style]
    return _Between(
        *[patterns.get(name, patterns["2"]).removeprefix("{0}").removesuffix("{1}") for name in ("2", "middle", "end")]
    )


def _joined(between: _Between, items: list[str]) -> str:
    if len(items) < 3:
        return between.two.join(items)
    return f"{between.others.join(items[:-1])}{between.last}{items[-1]}"
