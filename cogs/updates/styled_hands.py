"""Open hands are shown at once as their owners prefer to read them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from bot.play.match_registry import MatchRegistry
from bot.store.errors import StoreError
from bot.ui.preferences import Preferences
from cogs.updates.open_hands import OpenHands


@dataclass(slots=True, eq=False)
class StyledHands:
    """The open hands of people, as they prefer to read them."""

    preferences: Preferences
    matches: MatchRegistry
    open_hands: OpenHands

    def show(self, user_id: int) -> None:
        """Show somebody's open hands as they prefer to read them now."""
        for match in self.matches.of_player(user_id, None):
            self.open_hands.reader_changed(match, match.seats.index(user_id))

    async def reload(self, user_id: int) -> None:
        """Read again what somebody prefers, because it was deleted, and show their open hands that way."""
        self.preferences.forget(user_id)
        with suppress(StoreError):  # then their next press reads it
            await self.preferences.load((user_id,))
        self.show(user_id)
