"""How values travel to a worker and back: pickled, but in a third to a half of pickle's own time.

The event loop packs, so the time counts. A frozen dataclass with slots is pickled by Python code, field by field.
Here each class has a function of `operator` that gets all its fields at once, and its constructor puts them back.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from operator import attrgetter
from typing import Any, Final, TypeAlias

Reduce: TypeAlias = Callable[[Any], tuple[Callable[..., Any], tuple[Any, ...]]]
"""Takes a value apart: what puts it together again, and the parts."""


class Reductions(dict[type, Reduce]):
    """How each class of dataclasses is taken apart, found out at its first value."""

    def __missing__(self, kind: type) -> Reduce:
        if not is_dataclass(kind):
            raise KeyError(kind)  # pickle has its own way
        parts = fields(kind)
        if any(not part.init or part.kw_only for part in parts):
            raise KeyError(kind)
        names = [part.name for part in parts]
        found = self[kind] = _reduction(kind, names)
        return found


def _reduction(kind: type, names: list[str]) -> Reduce:
    if not names:
        return lambda _: (kind, ())
    get = attrgetter(*names)
    if len(names) == 1:
        return lambda value: (kind, (get(value),))
    return lambda value: (kind, get(value))


class _Pickler(pickle.Pickler):
    def __init__(self, written: io.BytesIO, reductions: Reductions) -> None:
        super().__init__(written, pickle.HIGHEST_PROTOCOL)
        self.dispatch_table = reductions


_EACH: Final = Reductions()


def packed(value: object, reductions: Reductions = _EACH) -> bytes:
    """A value, for `unpacked`. A question has about 1 to 35 KB."""
    written = io.BytesIO()
    _Pickler(written, reductions).dump(value)
    return written.getvalue()


def unpacked(data: bytes) -> Any:
    """What `packed` wrote. Never give it what comes from outside: pickles can run any code."""
    return pickle.loads(data)  # noqa: S301  the bot wrote it, and the pipe is its own
