"""What everybody knows of a match, as plain JSON values, to be compared across versions of the program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from engines.game import AnyGame


def known(game: AnyGame, state: Any, seats: int) -> dict[str, Any]:
    """What all may know, what each seat may know beside, the question on the table and the outcome."""
    return {
        "all": plain(game.observe_public(state)),
        "seats": [plain(game.observe(state, seat).own) for seat in range(seats)],
        "window": plain(game.window(state)),
        "outcome": plain(game.outcome(state)),
    }


def plain(value: Any) -> Any:
    """A value of the engines as JSON knows it: dataclasses by their fields, sets in order."""
    if isinstance(value, Enum):
        return plain(value.value)
    if is_dataclass(value) and not isinstance(value, type):
        named = {field.name: plain(getattr(value, field.name)) for field in fields(value)}
        return {"": type(value).__name__, **named}
    if isinstance(value, Mapping):
        return {"": "map", **{str(key): plain(item) for key, item in value.items()}}
    if isinstance(value, frozenset | set):
        return sorted((plain(item) for item in value), key=repr)
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise TypeError(f"nothing plain is known of {type(value).__name__}")


def holds(now: Any, then: Any) -> bool:
    """Whether all that was known then is known now; values may have gained fields since."""
    if isinstance(then, dict):
        return isinstance(now, dict) and all(key in now and holds(now[key], value) for key, value in then.items())
    if isinstance(then, list):
        return isinstance(now, list) and len(now) == len(then) and all(map(holds, now, then))
    return bool(now == then)
