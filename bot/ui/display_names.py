"""What people are called in a server, remembered from what they do.

The bot asks for no list of members; every interaction brings the names of those who took part in it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

from bot.store.errors import Busy, NotSaved
from bot.store.protocols.people import PeopleStore


class DisplayNames:
    """Names by server and user, read through from the store. Names are as people wrote them: not safe to show."""

    def __init__(self, store: PeopleStore) -> None:
        self._store = store
        self._names: dict[tuple[int, int], str] = {}

    async def remember(self, guild_id: int, user_id: int, name: str) -> None:
        """Note what somebody is called now; writes only when it is news.

        A name that the store cannot take is known until the process ends: no press fails for its sake.
        """
        if self._names.get((guild_id, user_id)) == name:
            return
        self._names[guild_id, user_id] = name
        with contextlib.suppress(Busy, NotSaved):
            await self._store.set_name(guild_id, user_id, name)

    def forget(self, guild_id: int, user_id: int) -> None:
        """Have a name at hand no more."""
        self._names.pop((guild_id, user_id), None)

    def forget_server(self, guild_id: int) -> None:
        """Have the names of a server at hand no more."""
        for key in [key for key in self._names if key[0] == guild_id]:
            del self._names[key]

    async def load(self, guild_id: int, user_ids: Iterable[int]) -> None:
        """Have these names at hand for `name`."""
        missing = [user for user in user_ids if (guild_id, user) not in self._names]
        if missing:
            names = await self._store.names(guild_id, missing)
            self._names.update({(guild_id, user): names.get(user, "") for user in missing})

    def name(self, guild_id: int, user_id: int) -> str:
        """The name at hand; empty for somebody never met here."""
        return self._names.get((guild_id, user_id), "")
