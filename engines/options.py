"""The options of a match: fields of a frozen dataclass that say which values they accept.

Commands, panels and the terms on a challenge are made from these fields, so a new option is one line::

    @dataclass(frozen=True, slots=True)
    class Options(Choosable):
        match_hand: int = number(5, 2, 7)
        round_limit: Limit = limit(100, 10, 500)  # or NONE: there is no limit
        pace: str = choice("classic", "swift")
        victory_dice: bool = switch()
        decks: int | None = number(None, 1, 6)  # None: the rules' number for these players
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Final, Literal, Self, TypeAlias, TypeVar

from engines.game import Value

_KEY = "option"

T = TypeVar("T")

NONE: Final = "none"
"""The value of an option that sets no limit. It is not None, which means "as the rules say"."""

Limit: TypeAlias = int | Literal["none"]
"""A whole number, or `NONE`."""


class OptionRefused(ValueError):  # noqa: N818  a refused option is an answer, not an error
    """Raised for a value that an option does not accept. `key` and `values` make the sentence to show."""

    def __init__(self, key: str, **values: Value) -> None:
        super().__init__(key)
        self.key = key
        self.values: Mapping[str, Value] = values


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number from `least` to `most` in steps from `least`; with `or_none`, also `NONE`.

    `listed` are the numbers to choose from where not all of them fit; empty: evenly spaced ones.
    """

    least: int
    most: int
    step: int = 1
    or_none: bool = False
    listed: tuple[int, ...] = ()

    @property
    def numbers(self) -> range:
        """All numbers that it accepts."""
        return range(self.least, self.most + 1, self.step)

    @property
    def values(self) -> tuple[Any, ...]:
        """All values that it accepts, `NONE` last."""
        return (*self.numbers, *((NONE,) if self.or_none else ()))

    def check(self, name: str, value: object) -> None:
        """Raise OptionRefused for a value that it does not accept. None is accepted if the type allows it."""
        if value is None or (self.or_none and value == NONE):
            return
        if not isinstance(value, int) or isinstance(value, bool) or not self.least <= value <= self.most:
            key = "option.number_or_none" if self.or_none else "option.number"
            raise OptionRefused(key, option=name, least=self.least, most=self.most)
        if (value - self.least) % self.step:
            raise OptionRefused("option.step", option=name, step=self.step, least=self.least)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words."""

    words: tuple[str, ...]

    @property
    def values(self) -> tuple[str, ...]:
        """All values that it accepts."""
        return self.words

    def check(self, name: str, value: object) -> None:
        """Raise OptionRefused for another word."""
        if value not in self.words:
            raise OptionRefused("option.choice", option=name, choices=", ".join(self.words))


@dataclass(frozen=True, slots=True)
class Switch:
    """On or off."""

    values: ClassVar[tuple[bool, ...]] = (False, True)
    """All values that it accepts."""

    def check(self, name: str, value: object) -> None:
        """Raise OptionRefused for anything else."""
        if not isinstance(value, bool):
            raise OptionRefused("option.switch", option=name)


Takes: TypeAlias = Number | Choice | Switch


def number(default: int | None, least: int, most: int, *, step: int = 1) -> Any:
    """A field for a whole number."""
    return field(default=default, metadata={_KEY: Number(least, most, step)})


def limit(default: Limit | None, least: int, most: int, *, step: int = 1, listed: tuple[int, ...] = ()) -> Any:
    """A field for a whole number, or `NONE` for no limit."""
    return field(default=default, metadata={_KEY: Number(least, most, step, or_none=True, listed=listed)})


def choice(default: str, *others: str) -> Any:
    """A field for one of these words; the first is the default if none is given."""
    return field(default=default, metadata={_KEY: Choice((default, *others))})


def switch(*, default: bool = False) -> Any:
    """A field that is on or off."""
    return field(default=default, metadata={_KEY: Switch()})


def takes(options: type | Choosable) -> Mapping[str, Takes]:
    """Every option of a class by its name, in order, with the values that it accepts."""
    return {each.name: each.metadata[_KEY] for each in fields(options) if _KEY in each.metadata}  # type: ignore[arg-type]  # every Choosable is a dataclass


def settled(options: T) -> T:
    """A match's options as a challenge stores them: see `Choosable.settled`."""
    return options.settled() if isinstance(options, Choosable) else options


class Choosable:
    """Options that check themselves when they are made. Raises OptionRefused."""

    __slots__ = ()

    def __post_init__(self) -> None:
        for name, taken in takes(self).items():
            taken.check(name, getattr(self, name))

    def settled(self) -> Self:
        """The options as a challenge stores them: a default that depends on another option is written out."""
        return self
