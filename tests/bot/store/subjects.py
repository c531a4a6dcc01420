"""What runs queries: the methods of the store, and those of the parts that rooms bind; and what rooms export."""

from __future__ import annotations

from bot.store import binding
from bot.store.binding import Part
from bot.store.store import Store
from cogs import wiring
from cogs.rooms import Export

ROOMS = wiring.ROOMS  # with the rooms, all their parts are imported
EXPORT = "export"
"""The name of what a part exports, which runs its other methods."""


def methods() -> dict[str, object]:
    """All by their names: `append` of the store, `DailyQueries.seal` of a part."""
    of_rooms = {f"{part.__name__}.{name}": each for part in Part.__subclasses__() for name, each in vars(part).items()}
    found = {name: each for name, each in {**vars(Store), **of_rooms}.items() if name.rpartition(".")[2][0] != "_"}
    return {name: each for name, each in found.items() if not name.endswith(f".{EXPORT}")}


def is_reading(method: object) -> bool:
    """Whether it was made by `reading` or `listing`."""
    code = getattr(method, "__code__", None)
    return code is not None and code.co_filename == binding.__file__ and code.co_name in {"read", "read_all"}


def exports(store: Store) -> list[Export]:
    """What all rooms keep of people."""
    return [getattr(part(store), EXPORT) for part in Part.__subclasses__() if hasattr(part, EXPORT)]
