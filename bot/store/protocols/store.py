"""The whole store: the one object that the program opens at its root and hands out."""

from __future__ import annotations

from typing import Protocol

from bot.store.protocols.boards import BoardStore
from bot.store.protocols.clusters import ClusterStore
from bot.store.protocols.daily import DailyStore
from bot.store.protocols.invitations import InvitationStore
from bot.store.protocols.matches import MatchStore
from bot.store.protocols.people import PeopleStore
from bot.store.protocols.profiles import ProfileStore
from bot.store.protocols.replays import ReplayStore
from bot.store.protocols.screens import ScreenStore
from bot.store.protocols.servers import ServerStore
from bot.store.protocols.standings import StandingStore


class Store(
    InvitationStore,
    MatchStore,
    ScreenStore,
    StandingStore,
    BoardStore,
    DailyStore,
    PeopleStore,
    ProfileStore,
    ReplayStore,
    ServerStore,
    ClusterStore,
    Protocol,
):
    """All subjects. Code that needs one or two of them is typed by those."""

    async def close(self) -> None:
        """Finish waiting work and release the data. Closing twice is harmless."""
