"""People in a server: their names, their wishes, and taking them out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from bot.store.rows import NoticeLevel


class PeopleStore(Protocol):
    """People in a server: their names, their wishes, and taking them out."""

    async def remember_name(self, guild_id: int, user_id: int, name: str) -> None:
        """Note what somebody is called in a server, in place of the former name."""

    async def names(self, guild_id: int, user_ids: Sequence[int]) -> dict[int, str]:
        """The names of these people in a server, as far as they are known."""

    async def set_notice_level(self, guild_id: int, user_id: int, level: NoticeLevel) -> None:
        """Note how somebody wants to be told in a server that it is their turn."""

    async def notice_level(self, guild_id: int, user_id: int) -> NoticeLevel:
        """How somebody wants to be told; PING for who never said."""

    async def forget(self, guild_id: int, user_id: int, marker: int, keys: Mapping[str, Mapping[str, bytes]]) -> None:
        """Put a marker in a person's place everywhere in a server, and drop their name and their wishes.

        `keys` are the chance's keys (`engines.keys`) by match, for every match of theirs; they are kept with it, so
        that it can be checked without the id. Raises Conflict while they have a live match or an open invitation, and
        when `keys` lacks one of their matches.
        """
