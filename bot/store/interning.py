"""One object for all equal small values that are read: a card stands in thousands of logs and need be there once.

Only immutable values made of plain ones are shared, such as cards; what is equal to one of them and what is one of them
cannot be told apart. Many more than a pack of a class are none of that kind, and are left as they are.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, TypeAlias, Union

MOST = 4096
"""How many values of a class are shared."""

Share: TypeAlias = Callable[[Any], Any]
"""From a value of a type to an equal one whose small values are shared."""

_PLAIN = (int, str, bool, type(None))
_shared: dict[type, dict[Any, Any]] = {}


def sharing(cls: type) -> Mapping[str, Share]:
    """What to share of a dataclass's fields, by their names; fields without any small values are left out."""
    hints = typing.get_type_hints(cls)
    found = {field.name: _share(hints[field.name]) for field in dataclasses.fields(cls)}
    return {name: share for name, share in found.items() if share is not None}


def _share(kind: Any) -> Share | None:
    """How values of a type are shared; None where there is nothing to share."""
    if _is_small(kind):
        return _one_of(_shared.setdefault(kind, {}))
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple and len(parts) == 2 and parts[1] is ...:
        return _all(_share(parts[0]))
    if origin in (Union, types.UnionType) and len(parts) == 2 and type(None) in parts:
        (other,) = (part for part in parts if part is not type(None))
        return _if_any(_share(other))
    return None


def _all(share: Share | None) -> Share | None:
    return None if share is None else lambda values: tuple([share(value) for value in values])


def _if_any(share: Share | None) -> Share | None:
    return None if share is None else lambda value: None if value is None else share(value)


def _one_of(known: dict[Any, Any]) -> Share:
    def share(value: Any) -> Any:
        return known.setdefault(value, value) if len(known) < MOST else known.get(value, value)

    return share


def _is_small(kind: Any) -> bool:
    """Whether a type is of frozen values made of plain ones alone."""
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
