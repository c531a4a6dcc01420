"""People in a server: their names, how they want to be notified, and removing what names them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from bot.store.rows import NoticeLevel


class PeopleStore(Protocol):
    """People, each server on its own."""

    async def set_name(self, guild_id: int, user_id: int, name: str) -> None:
        """Record somebody's name in a server, replacing the old one."""

    async def names(self, guild_id: int, user_ids: Sequence[int]) -> dict[int, str]:
        """The names of these people in a server. People without a known name are left out."""

    async def set_notice_level(self, guild_id: int, user_id: int, level: NoticeLevel) -> None:
        """Record how somebody wants to be notified of their turn in a server."""

    async def notice_level(self, guild_id: int, user_id: int) -> NoticeLevel:
        """How somebody wants to be notified of their turn; PING if they never chose."""

    async def anonymise(
        self, guild_id: int, user_id: int, marker: int, keys: Mapping[str, Mapping[str, bytes]]
    ) -> None:
        """Replace a person by a marker everywhere in a server, and delete their name, notice level and open hands.

        The texts of their salts are deleted too; the digests stay, because the deals were made with them. `keys` has
        the chance's keys (`engines.keys`) for every match of theirs, by match id; none where the deal names no player.
        They are stored with the match, so that it can be checked without the id; keys that a match has already stay.
        Raises Conflict while the person has a live match or an open invitation, and when `keys` lacks one of their
        matches.
        """
