"""Interns small values: all equal ones that are read become one object. A card is in thousands of logs, but in memory
once.

Only immutable values made of plain ones, such as cards, are interned, because equal ones are interchangeable. If a
class has many more values than a pack has cards, only the first are interned.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, TypeAlias, Union

MAX_INTERNED = 4096
"""How many values of one class to intern."""

Interner: TypeAlias = Callable[[Any], Any]
"""Converts a value to an equal one whose small values are interned."""

_PLAIN = (int, str, bool, type(None))
_interned: dict[type, dict[Any, Any]] = {}


def interners(cls: type) -> Mapping[str, Interner]:
    """How to intern the fields of a dataclass, by their names. Fields without small values are left out."""
    hints = typing.get_type_hints(cls)
    found = {field.name: interner(hints[field.name]) for field in dataclasses.fields(cls)}
    return {name: intern for name, intern in found.items() if intern is not None}


def interner(kind: Any) -> Interner | None:
    """How values of a type are interned; None if there is nothing to intern."""
    if _is_small(kind):
        return _from_pool(_interned.setdefault(kind, {}))
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple and len(parts) == 2 and parts[1] is ...:
        return _each(interner(parts[0]))
    if origin in (Union, types.UnionType) and len(parts) == 2 and type(None) in parts:
        (other,) = (part for part in parts if part is not type(None))
        return _unless_none(interner(other))
    return None


def _each(intern: Interner | None) -> Interner | None:
    return None if intern is None else lambda values: tuple([intern(value) for value in values])


def _unless_none(intern: Interner | None) -> Interner | None:
    return None if intern is None else lambda value: None if value is None else intern(value)


def _from_pool(pool: dict[Any, Any]) -> Interner:
    def intern(value: Any) -> Any:
        return pool.setdefault(value, value) if len(pool) < MAX_INTERNED else pool.get(value, value)

    return intern


def _is_small(kind: Any) -> bool:
    """Whether a type has only frozen values made of plain ones."""
    if not isinstance(kind, type) or not dataclasses.is_dataclass(kind):
        return False
    if not kind.__dataclass_params__.frozen:  # type: ignore[attr-defined]  # every dataclass has them
        return False
    hints = typing.get_type_hints(kind)
    return all(field.compare and _is_plain(hints[field.name]) for field in dataclasses.fields(kind))


def _is_plain(kind: Any) -> bool:
    if typing.get_origin(kind) in (Union, types.UnionType):
        return all(_is_plain(part) for part in typing.get_args(kind))
    return isinstance(kind, type) and (kind in _PLAIN or issubclass(kind, Enum))
