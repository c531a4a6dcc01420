"""The one store that the program opens at its root and hands out."""

from __future__ import annotations

from typing import Protocol

from bot.store.protocols.invitations import InvitationStore
from bot.store.protocols.matches import MatchStore
from bot.store.protocols.people import PeopleStore
from bot.store.protocols.servers import ServerStore
from bot.store.protocols.standings import StandingStore


class Store(InvitationStore, MatchStore, StandingStore, PeopleStore, ServerStore, Protocol):
    """Everything that is remembered. Who needs one subject alone is given it by that subject's protocol."""

    async def close(self) -> None:
        """Finish what is under way and let the database go. Closing twice is harmless."""
