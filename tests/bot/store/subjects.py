"""The methods that run queries: those of the store, and of the parts that rooms bind."""

from __future__ import annotations

from bot.store.binding import Part
from bot.store.store import Store
from cogs import wiring

ROOMS = wiring.ROOMS  # with the rooms, all their parts are imported


def methods() -> set[str]:
    """The names of all: `append` of the store, `DailyTables.seal` of a part."""
    of_rooms = {f"{part.__name__}.{name}" for part in Part.__subclasses__() for name in vars(part) if name[0] != "_"}
    return {name for name in vars(Store) if not name.startswith("_")} | of_rooms
