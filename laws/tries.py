"""Acts made by chance from the classes that a game declares, legal or not: what somebody might try."""

from __future__ import annotations

import random
import types
import typing
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any

EACH = 4
"""Acts of each class."""
MOST_ITEMS = 4
"""Items of a tuple or a set that may have any number."""


class UnknownTypeError(TypeError):
    """Raised for a field of an act whose type is not known here."""


def random_acts(classes: tuple[type, ...], cards: tuple[Any, ...], rng: random.Random) -> list[Any]:
    """Some acts of each class, with these cards in them and small numbers. Raises UnknownTypeError."""
    return [_made(each, cards, rng) for each in classes for _ in range(EACH)]


def _made(cls: type, cards: tuple[Any, ...], rng: random.Random) -> Any:
    return cls(**{name: _value(hint, cards, rng) for name, hint in _hints(cls)})


@cache
def _hints(cls: type) -> tuple[tuple[str, Any], ...]:
    """What the constructor of a class takes. Python compiles annotations again each time it is asked for them."""
    hints = typing.get_type_hints(cls)
    return tuple((field.name, hints[field.name]) for field in fields(cls) if field.init)


def _value(hint: Any, cards: tuple[Any, ...], rng: random.Random) -> Any:
    """A value of a type."""
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return _value(rng.choice(parts), cards, rng)
    if origin is typing.Literal:
        return rng.choice(parts)
    if origin in (tuple, frozenset):
        if origin is tuple and parts[-1] is not Ellipsis:
            return tuple(_value(part, cards, rng) for part in parts)
        return origin(_value(parts[0], cards, rng) for _ in range(rng.randint(0, MOST_ITEMS)))
    if isinstance(hint, type):
        return _plain(hint, cards, rng)
    raise UnknownTypeError(f"no value of {hint} can be made by chance")


def _plain(cls: type, cards: tuple[Any, ...], rng: random.Random) -> Any:
    makers: dict[type, Callable[[], Any]] = {
        bool: lambda: rng.random() < 0.5,
        int: lambda: rng.randint(-1, 14),
        str: lambda: rng.choice(("", "x")),
        type(None): lambda: None,
    }
    if cls in makers:
        return makers[cls]()
    if any(type(card) is cls for card in cards):
        return rng.choice([card for card in cards if type(card) is cls])
    if issubclass(cls, Enum):
        return rng.choice(list(cls))
    if is_dataclass(cls):
        return _made(cls, cards, rng)
    raise UnknownTypeError(f"no value of {cls.__name__} can be made by chance")
