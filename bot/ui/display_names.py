"""Remembers what people are called in a server.

The bot requests no list of members. Every interaction contains the names of the people in it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable
from typing import Final

from bot.kept import Kept
from bot.store.errors import Busy, Fenced, NotSaved, Unsettled
from bot.store.store import Store

REMEMBERED: Final = 50_000
"""How many names are in memory at most, beside those of people who play: some 200 bytes each."""


class DisplayNames:
    """Names by server and user, cached from the store. They are as people wrote them: not safe to show."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._names: Kept[tuple[int, int], str] = Kept("names", REMEMBERED)

    def keep(self, in_use: Callable[[], Collection[tuple[int, int]]]) -> None:
        """Never drop the names of these, by server and user, because boards show them without loading them."""
        self._names.spare(in_use)

    async def remember(self, guild_id: int, user_id: int, name: str) -> None:
        """Remember what somebody is called now; this writes only if the name changed.

        If the store refuses a name, it is known until the process ends, so no press fails because of it.
        """
        if self._names.get((guild_id, user_id)) == name:
            return
        self._names[guild_id, user_id] = name
        with contextlib.suppress(Busy, Fenced, NotSaved, Unsettled):
            await self._store.set_name(guild_id, user_id, name)

    def forget(self, guild_id: int, user_id: int) -> None:
        """Drop a name from the cache."""
        self._names.pop((guild_id, user_id), None)

    def forget_server(self, guild_id: int) -> None:
        """Drop the names of a server from the cache."""
        for key in [key for key in self._names if key[0] == guild_id]:
            del self._names[key]

    async def load(self, guild_id: int, user_ids: Iterable[int], *, again: bool = False) -> None:
        """Load these names into the cache for `name`: with `again` also those that are in it, because another process
        may have changed them."""
        former = {(guild_id, user): self._names.get((guild_id, user)) for user in user_ids}
        self._names.touch(former)
        missing = [key for key, known in former.items() if again or known is None]
        if missing:
            names = await self._store.names(guild_id, [user for _, user in missing])
            for key in missing:
                if self._names.get(key) is former[key]:  # one that was heard meanwhile is newer
                    self._names[key] = names.get(key[1], "")

    def name(self, guild_id: int, user_id: int) -> str:
        """The cached name; empty for somebody unknown here."""
        return self._names.get((guild_id, user_id), "")
