"""What people prefer, in all servers and in direct messages alike.

A press reads them from memory: they are loaded once for each person, as names are (`bot.ui.display_names`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.store.errors import Unsettled
from bot.store.protocols.people import PeopleStore
from bot.ui.card_styles import CardStyle

CARD_STYLE: Final = "card_style"
"""The name under which the store has a card style."""
DEFAULT_CARD_STYLE: Final = CardStyle.EMOJIS


class Preferences:
    """People's preferences, cached from the store."""

    def __init__(self, store: PeopleStore) -> None:
        self._store = store
        self._known: dict[int, CardStyle] = {}

    async def load(self, user_ids: Iterable[int]) -> None:
        """Load these people's preferences into the cache. Raises StoreError."""
        missing = [user for user in user_ids if user not in self._known]
        if missing:
            found = await self._store.preferences(missing)
            for user in missing:  # one that was set meanwhile is newer
                self._known.setdefault(user, _card_style(found.get(user, {}).get(CARD_STYLE)))

    def card_style(self, user_id: int) -> CardStyle:
        """The cached style in which somebody reads cards; the default for somebody unknown here."""
        return self._known.get(user_id, DEFAULT_CARD_STYLE)

    async def set_card_style(self, user_id: int, style: CardStyle) -> None:
        """Record how somebody wants to read cards. Raises StoreError, and then nothing changes here.

        If the store may have saved it after all, the next `load` reads what is there.
        """
        try:
            await self._store.set_preference(user_id, CARD_STYLE, style.value)
        except Unsettled:
            self.forget(user_id)
            raise
        self._known[user_id] = style

    def forget(self, user_id: int) -> None:
        """Drop somebody's preferences from the cache."""
        self._known.pop(user_id, None)


def _card_style(kept: str | None) -> CardStyle:
    """A stored style; the default for none, and for one that this version doesn't know."""
    try:
        return CardStyle(kept)
    except ValueError:
        return DEFAULT_CARD_STYLE
