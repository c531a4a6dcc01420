"""What people prefer, in all servers and in direct messages alike.

A press reads them from memory: they are loaded once for each person, as names are (`bot.ui.display_names`). Where other
processes of the bot share the data, somebody may change them there, so they are read again after a while.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterable
from enum import Enum
from typing import Final

from bot.kept import Kept
from bot.store.errors import Unsettled
from bot.store.store import Store

CARD_STYLE: Final = "card_style"
"""The name under which the store has a card style."""
SHARED_FOR: Final = 60.0
"""Seconds after which preferences are read again that another process may have changed."""
REMEMBERED: Final = 50_000
"""Of how many people preferences are in memory at most, beside those who play: some 200 bytes each."""


class CardStyle(Enum):
    """How cards are written. The values are kept in the database, so they stay."""

    EMOJIS = "emojis"
    """Our own pictures, in texts and on buttons; text where there are none."""
    TEXT = "text"
    """Short names such as `7♠`."""
    WORDS = "words"
    """Names in words, one card a line, for screen readers."""


DEFAULT_CARD_STYLE: Final = CardStyle.EMOJIS


class Preferences:
    """People's preferences, cached from the store."""

    def __init__(self, store: Store, fresh_for: float = math.inf) -> None:
        """`fresh_for` is how many seconds what was read is taken as it was."""
        self._store = store
        self._fresh_for = fresh_for
        self._known: Kept[int, tuple[CardStyle, float]] = Kept("preferences", REMEMBERED)
        """Each with the moment at which it was read or set."""

    async def load(self, user_ids: Iterable[int]) -> None:
        """Load these people's preferences into the cache, unless they are there and fresh. Raises StoreError."""
        now = time.monotonic()
        former = {user: self._known.get(user) for user in user_ids}
        self._known.touch(former)
        wanted = [user for user, known in former.items() if known is None or now - known[1] > self._fresh_for]
        if wanted:
            found = await self._store.preferences(wanted)
            for user in wanted:
                if self._known.get(user) is former[user]:  # one that was set meanwhile is newer
                    self._known[user] = _card_style(found.get(user, {}).get(CARD_STYLE)), now

    def card_style(self, user_id: int) -> CardStyle:
        """The cached style in which somebody reads cards; the default for somebody unknown here."""
        return self._known.get(user_id, (DEFAULT_CARD_STYLE, 0.0))[0]

    async def set_card_style(self, user_id: int, style: CardStyle) -> None:
        """Record how somebody wants to read cards. Raises StoreError, and then nothing changes here.

        If the store may have saved it after all, the next `load` reads what is there.
        """
        try:
            await self._store.set_preference(user_id, CARD_STYLE, style.value)
        except Unsettled:
            self.forget(user_id)
            raise
        self._known[user_id] = style, time.monotonic()

    def keep(self, in_use: Callable[[], Collection[int]]) -> None:
        """Never drop what these people prefer, because it is read without loading it."""
        self._known.spare(in_use)

    def forget(self, user_id: int) -> None:
        """Drop somebody's preferences from the cache."""
        self._known.pop(user_id, None)


def _card_style(kept: str | None) -> CardStyle:
    """A stored style; the default for none, and for one that this version doesn't know."""
    try:
        return CardStyle(kept)
    except ValueError:
        return DEFAULT_CARD_STYLE
