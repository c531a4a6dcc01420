"""What the process keeps in memory about people, servers, channels and matches: each such dictionary is counted, and
has a bound unless it has an entry for what is open.

A dictionary registers itself where it is made, under a name that metrics show (`bot.ops.metrics`). Results that
functions remember (`functools.cache`, `lru_cache`) are found by their modules. Without a bound they remember only
something for each of what the program ships, such as a picture.
"""

from __future__ import annotations

import sys
import weakref
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeVar, cast

K = TypeVar("K")
V = TypeVar("V")

PACKAGES: Final = ("bot", "cogs", "engines")
"""In whose modules functions remember results."""
_ALL: Final[dict[int, weakref.ref[Kept[Any, Any]]]] = {}


class Count(NamedTuple):
    """How many entries there are under a name, and how many there may be; None for one for each server or thing that
    is open, or that is shipped."""

    name: str
    size: int
    most: int | None


def _nobody() -> Collection[Any]:
    return ()


class Kept(dict[K, V]):
    """A dictionary that is counted. Above its bound the entries that were set first are dropped."""

    def __init__(self, name: str, most: int | None = None, in_use: Callable[[], Collection[K]] = _nobody) -> None:
        """`name` is the same for all that are counted together. `most` is how many entries there may be. Those that are
        `in_use` stay, however many they are, and have their own room."""
        super().__init__()
        self.name = name
        self.most = most
        """How many entries there may be now."""
        self.in_use = in_use
        self.own = most
        """The same without those in use."""
        key = id(self)
        _ALL[key] = weakref.ref(self, lambda _: _ALL.pop(key, None))

    def spare(self, in_use: Callable[[], Collection[K]]) -> None:
        """Drop none of those that are in use, from now on."""
        self.in_use = in_use

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        if self.most is not None and len(self) > self.most:
            self._drop()

    def setdefault(self, key: K, default: V = None) -> V:  # type: ignore[assignment]  # as a dictionary's
        """The value of a key, which is set to this one if it has none."""
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, others: Mapping[K, V]) -> None:  # type: ignore[override]  # no other form is needed
        """Set these."""
        for key, value in others.items():
            self[key] = value

    def touch(self, keys: Iterable[K]) -> None:
        """Take the entries of these keys for the ones that were set last."""
        for key in keys:
            if key in self:
                super().__setitem__(key, self.pop(key))

    def keep_only(self, wanted: Callable[[V], bool]) -> None:
        """Drop all others."""
        for key in [key for key, value in self.items() if not wanted(value)]:
            del self[key]

    def _drop(self) -> None:
        """Drop the oldest; where some are in use, a quarter at once, because they have to be looked for."""
        if self.in_use is _nobody:
            del self[next(iter(self))]
            return
        own, spared = self.own or 0, set(self.in_use())
        others = [key for key in self if key not in spared]
        for key in others[: len(others) - own * 3 // 4]:
            del self[key]
        self.most = own + len(self) - min(len(others), own * 3 // 4)


def all_kept() -> list[Kept[Any, Any]]:
    """All such dictionaries that there are."""
    return [found for found in [ref() for ref in [*_ALL.values()]] if found is not None]


def remembering() -> dict[str, Any]:
    """The functions of our modules that remember results, by module and name."""
    return _remembering(len(sys.modules))


@lru_cache(maxsize=1)
def _remembering(_modules: int) -> dict[str, Any]:
    """The same. They are looked for again when more modules were imported: that takes some ms."""
    return {
        f"{module_name}.{name}": value
        for module_name, module in [*sys.modules.items()]
        if module_name.partition(".")[0] in PACKAGES
        for name, value in [*vars(module).items()]
        if getattr(value, "__module__", None) == module_name and hasattr(value, "cache_parameters")
    }


def bound_of(function: Any) -> int | None:
    """How many results such a function may remember; None without a bound."""
    return cast("int | None", function.cache_parameters()["maxsize"])


def counts() -> list[Count]:
    """All that is counted, by name."""
    sizes: defaultdict[str, int] = defaultdict(int)
    bounds: dict[str, int | None] = {}
    for each in all_kept():
        sizes[each.name] += len(each)
        former = bounds.get(each.name, 0)
        bounds[each.name] = None if former is None or each.most is None else former + each.most
    found = [Count(name, size, bounds[name]) for name, size in sizes.items()]
    found += [Count(name, each.cache_info().currsize, bound_of(each)) for name, each in remembering().items()]
    return sorted(found, key=lambda each: each.name)
