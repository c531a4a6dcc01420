"""Numbers, shares and lists as the reader's language writes them, by Unicode's Common Locale Data Repository (CLDR).

Babel has the data and reads a pattern anew for each text. A press shows dozens of texts, so the patterns of a language
are taken apart once, when they are first used. Digits are European in every language, as on cards and in pictures.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Final, NamedTuple

from babel import Locale, UnknownLocaleError

from bot.languages import DEFAULT_LANGUAGE

_VARIANTS: Final = {"en": "en_001"}
"""English as the world writes it: no comma before the last of a list."""


class Formats:
    """How one language writes what is inserted into its sentences."""

    def __init__(self, language: str) -> None:
        self.language = language
        """As gettext names it."""

    def all_of(self, items: Iterable[str]) -> str:
        """All of them: `Ann, Ben and Cat`."""
        return _joined(self._and, [*items])

    def any_of(self, items: Iterable[str]) -> str:
        """One of them: `Ann, Ben or Cat`."""
        return _joined(self._or, [*items])

    def percent(self, n: int) -> str:
        """A share in whole percents: `45%`."""
        before, after = self._percent
        return f"{before}{n}{after}"

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
    def _percent(self) -> tuple[str, str]:
        pattern = self.locale.percent_formats[None]
        return pattern.prefix[0], pattern.suffix[0]


class _Between(NamedTuple):
    """What stands between two, and in longer lists between the others and before the last."""

    two: str
    others: str
    last: str


def _between(locale: Locale, style: str) -> _Between:
    """What a language writes into a list. All languages of the CLDR write something between, and nothing around."""
    patterns = locale.list_patterns[style]
    return _Between(*[patterns[name].removeprefix("{0}").removesuffix("{1}") for name in ("2", "middle", "end")])


def _joined(between: _Between, items: list[str]) -> str:
    if len(items) < 3:
        return between.two.join(items)
    return f"{between.others.join(items[:-1])}{between.last}{items[-1]}"
