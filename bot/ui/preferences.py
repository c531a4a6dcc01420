"""What people prefer, in all servers and in direct messages, and in which language Discord was when they last used
the bot: it is what they read outside of an interaction.

A press reads them from memory: they are loaded once for each person, as names are (`bot.ui.display_names`). Where other
processes of the bot share the data, somebody may change them there, so they are read again after a while.
"""

from __future__ import annotations

import asyncio
import math
import sys
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from enum import Enum
from typing import Final, NamedTuple

from bot.kept import Kept
from bot.languages import language_named
from bot.scheduler import Tasks
from bot.store.errors import StoreError, Unsettled
from bot.store.store import Store

CARD_STYLE: Final = "card_style"
"""The name under which the store has a card style."""
LANGUAGE: Final = "language"
"""The name under which it has a language, as gettext names it: `pt_BR`, whether there is a catalogue of it or not."""
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


class _Known(NamedTuple):
    """What is known of somebody, and when (s) it was read or set."""

    card_style: CardStyle
    language: str
    at: float


def _read(kept: Mapping[str, str], at: float) -> _Known:
    """What the store has; the default for what it has not, and for a style that this version doesn't know."""
    try:
        style = CardStyle(kept.get(CARD_STYLE))
    except ValueError:
        style = DEFAULT_CARD_STYLE
    return _Known(style, sys.intern(kept.get(LANGUAGE, "")), at)


_NOTHING: Final = _read({}, 0.0)


class Preferences:
    """People's preferences, cached from the store."""

    def __init__(self, store: Store, fresh_for: float = math.inf) -> None:
        """`fresh_for` is how many seconds what was read is taken as it was."""
        self._store = store
        self._fresh_for = fresh_for
        self._known: Kept[int, _Known] = Kept("preferences", REMEMBERED)
        self._noting = Tasks()

    async def load(self, user_ids: Iterable[int]) -> None:
        """Load these people's preferences into the cache, unless they are there and fresh. Raises StoreError."""
        now = time.monotonic()
        former = {user: self._known.get(user) for user in user_ids}
        self._known.touch(former)
        wanted = [user for user, known in former.items() if known is None or now - known.at > self._fresh_for]
        if wanted:
            found = await self._store.preferences(wanted)
            for user in wanted:
                if self._known.get(user) is former[user]:  # one that was set meanwhile is newer
                    self._known[user] = _read(found.get(user, {}), now)

    def card_style(self, user_id: int) -> CardStyle:
        """The cached style in which somebody reads cards; the default for somebody unknown here."""
        return self._known.get(user_id, _NOTHING).card_style

    def language(self, user_id: int) -> str:
        """The cached language in which somebody last used the bot; empty for somebody unknown here."""
        return self._known.get(user_id, _NOTHING).language

    def note_locale(self, user_id: int, locale: str) -> asyncio.Task[None] | None:
        """Record in which of its locales Discord is for somebody now; this writes only if that changed.

        A press doesn't wait for it: the task that writes is returned, None without one. If the store refuses, it is
        known until the process ends.
        """
        language, known = language_named(locale), self._known.get(user_id)
        if not language or (known is not None and known.language == language):
            return None
        return self._noting.begin(self._note(user_id, language))

    async def _note(self, user_id: int, language: str) -> None:
        with suppress(StoreError):
            await self.load((user_id,))
            known = self._known.get(user_id, _NOTHING)
            if known.language != language:
                self._known[user_id] = known._replace(language=sys.intern(language))
                await self._store.set_preference(user_id, LANGUAGE, language)

    async def set_card_style(self, user_id: int, style: CardStyle) -> None:
        """Record how somebody wants to read cards. Raises StoreError, and then nothing changes here.

        If the store may have saved it after all, the next `load` reads what is there.
        """
        await self.load((user_id,))
        try:
            await self._store.set_preference(user_id, CARD_STYLE, style.value)
        except Unsettled:
            self.forget(user_id)
            raise
        language = self.language(user_id)
        self._known[user_id] = _Known(style, language, time.monotonic())

    def keep(self, in_use: Callable[[], Collection[int]]) -> None:
        """Never drop what these people prefer, because it is read without loading it."""
        self._known.spare(in_use)

    def forget(self, user_id: int) -> None:
        """Drop somebody's preferences from the cache."""
        self._known.pop(user_id, None)
