"""Which picks an act would be made of, found by what picking each item puts into the act."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from engines.game import Pick


def picks_by_cards(pick: Pick[Any], action: Any) -> tuple[int, ...] | None:
    """The picks that make such an act, in any order where that does not matter; None when it is no act of this pick."""
    empty = pick.action(())
    if type(empty) is not type(action):
        return None
    if empty == action:
        return ()
    single = [item for item in range(pick.items) if pick.action((item,)) == action]
    return (single[0],) if single else _picked(pick, empty, action)


def _picked(pick: Pick[Any], empty: Any, action: Any) -> tuple[int, ...] | None:
    """The picks of an act that holds the picked items in tuples, and else what every act of this pick holds."""
    names = [field.name for field in fields(action)]
    rows = [name for name in names if getattr(empty, name) == ()]
    if any(getattr(action, name) != getattr(empty, name) for name in names if name not in rows):
        return None
    alone = [_items(pick.action((item,)), rows) for item in range(pick.items)]
    wanted = [(item,) for item in _items(action, rows)]
    if len(set(wanted)) < len(wanted) or any(item not in alone for item in wanted):
        return None
    picked = tuple(map(alone.index, wanted))
    return picked if pick.ordered else tuple(sorted(picked))


def _items(action: Any, rows: list[str]) -> tuple[Any, ...]:
    """The items that were picked for an act."""
    return tuple(item for row in rows for item in getattr(action, row))
