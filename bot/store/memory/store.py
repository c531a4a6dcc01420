"""The store in memory: all subjects on the same data."""

from __future__ import annotations

from collections.abc import Callable

from bot.store.memory.boards import MemoryBoards
from bot.store.memory.clusters import MemoryClusters
from bot.store.memory.daily import MemoryDaily
from bot.store.memory.data import Data
from bot.store.memory.invitations import MemoryInvitations
from bot.store.memory.matches import MemoryMatches
from bot.store.memory.people import MemoryPeople
from bot.store.memory.profiles import MemoryProfiles
from bot.store.memory.replays import MemoryReplays
from bot.store.memory.screens import MemoryScreens
from bot.store.memory.servers import MemoryServers
from bot.store.memory.standings import MemoryStandings


class MemoryStore(
    MemoryInvitations,
    MemoryMatches,
    MemoryScreens,
    MemoryStandings,
    MemoryBoards,
    MemoryDaily,
    MemoryPeople,
    MemoryProfiles,
    MemoryReplays,
    MemoryServers,
    MemoryClusters,
):
    """`bot.store.protocols.store.Store` in memory: what its methods do and raise is written there.

    `now` gives milliseconds since 1970, UTC. A second store on the same `data` finds what the first one wrote, as after
    a restart. Stores that are `shared` are processes that have the same data open at once. `fail_next_write` makes a
    write fail.
    """

    def __init__(self, *, now: Callable[[], int], data: Data | None = None, shared: bool = False) -> None:
        super().__init__(Data() if data is None else data, now)
        self.is_shared = shared
