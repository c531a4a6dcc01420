"""The options of a match: fields of a frozen dataclass that say which values they accept.

Commands, panels and the terms on a challenge are made from these fields, so a new option is one line::

    @dataclass(frozen=True, slots=True)
    class Options(Choosable):
        match_hand: int = number(5, 2, 7)
        pace: str = choice("classic", "swift")
        victory_dice: bool = switch()
        decks: int | None = number(None, 1, 6)  # None: the rules' number for these players
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeAlias

from engines.game import Value

_KEY = "option"


class OptionRefused(ValueError):  # noqa: N818  a refused option is an answer, not an error
    """Raised for a value that an option does not accept. `key` and `values` make the sentence to show."""

    def __init__(self, key: str, **values: Value) -> None:
        super().__init__(key)
        self.key = key
        self.values: Mapping[str, Value] = values


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number from `least` to `most` in steps from `least`."""

    least: int
    most: int
    step: int = 1

    def check(self, name: str, value: object) -> None:
        """Raise OptionRefused for a value that it does not accept. None is accepted if the type allows it."""
        if value is None:
            return
        if not isinstance(value, int) or isinstance(value, bool) or not self.least <= value <= self.most:
            raise OptionRefused("option.number", option=name, least=self.least, most=self.most)
        if (value - self.least) % self.step:
            raise OptionRefused("option.step", option=name, step=self.step, least=self.least)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words."""

    words: tuple[str, ...]

    def check(self, name: str, value: object) -> None:
        """Raise OptionRefused for another word."""
        if value not in self.words:
            raise OptionRefused("option.choice", option=name, choices=", ".join(self.words))


@dataclass(frozen=True, slots=True)
class Switch:
    """On or off."""

    def check(self, name: str, value: object) -> None:
        """Raise OptionRefused for anything else."""
        if not isinstance(value, bool):
            raise OptionRefused("option.switch", option=name)


Takes: TypeAlias = Number | Choice | Switch


def number(default: int | None, least: int, most: int, *, step: int = 1) -> Any:
    """A field for a whole number."""
    return field(default=default, metadata={_KEY: Number(least, most, step)})


def choice(default: str, *others: str) -> Any:
    """A field for one of these words; the first is the default if none is given."""
    return field(default=default, metadata={_KEY: Choice((default, *others))})


def switch(*, default: bool = False) -> Any:
    """A field that is on or off."""
    return field(default=default, metadata={_KEY: Switch()})


def takes(options: type | Choosable) -> Mapping[str, Takes]:
    """Every option of a class by its name, in order, with the values that it accepts."""
    return {each.name: each.metadata[_KEY] for each in fields(options) if _KEY in each.metadata}  # type: ignore[arg-type]  # every Choosable is a dataclass


class Choosable:
    """Options that check themselves when they are made. Raises OptionRefused."""

    __slots__ = ()

    def __post_init__(self) -> None:
        for name, taken in takes(self).items():
            taken.check(name, getattr(self, name))
