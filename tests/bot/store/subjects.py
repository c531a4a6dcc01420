"""What runs queries: the methods of the store, and those of the parts that rooms bind; and what rooms export."""

from __future__ import annotations

from bot.store.binding import Part
from bot.store.store import Store
from cogs import wiring
from cogs.rooms import Export

ROOMS = wiring.ROOMS  # with the rooms, all their parts are imported
EXPORT = "export"
"""The name of what a part exports, which runs its other methods."""


def methods() -> set[str]:
    """The names of all: `append` of the store, `DailyTables.seal` of a part."""
    of_rooms = {f"{part.__name__}.{name}" for part in Part.__subclasses__() for name in vars(part) if name[0] != "_"}
    of_store = {name for name in vars(Store) if not name.startswith("_")}
    return {name for name in of_store | of_rooms if not name.endswith(f".{EXPORT}")}


def exports(store: Store) -> list[Export]:
    """What all rooms keep of people."""
    return [getattr(part(store), EXPORT) for part in Part.__subclasses__() if hasattr(part, EXPORT)]
