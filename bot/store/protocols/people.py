"""People: their names and how they want to be notified in each server, what they prefer, removing what names them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from bot.store.rows.people import Attendance, NoticeLevel, TableSubscriber


class PeopleStore(Protocol):
    """People, each server on its own, except for what they prefer: that is the same everywhere."""

    async def set_name(self, guild_id: int, user_id: int, name: str) -> None:
        """Record somebody's name in a server, replacing the old one."""

    async def names(self, guild_id: int, user_ids: Sequence[int]) -> dict[int, str]:
        """The names of these people in a server. People without a known name are left out."""

    async def set_notice_level(self, guild_id: int, user_id: int, level: NoticeLevel) -> None:
        """Record how somebody wants to be notified of their turn in a server."""

    async def notice_level(self, guild_id: int, user_id: int) -> NoticeLevel:
        """How somebody wants to be notified of their turn; PING if they never chose."""

    async def set_preference(self, user_id: int, name: str, value: str) -> None:
        """Record what somebody prefers, in all servers and in direct messages, in place of what they preferred before.
        Names and values are the caller's (`bot.ui.preferences`)."""

    async def preferences(self, user_ids: Sequence[int]) -> dict[int, dict[str, str]]:
        """What these people prefer, by name. People who chose nothing are left out."""

    async def set_table_subscription(self, guild_id: int, user_id: int, game: str, *, wanted: bool) -> None:
        """Record whether somebody wants to know when a table of a game opens in a server. Nobody does by default."""

    async def table_subscriptions(self, guild_id: int, user_id: int) -> list[str]:
        """The games of which somebody wants to know when a table opens in a server, sorted."""

    async def table_subscribers(self, guild_id: int, game: str, after: int, most: int) -> list[TableSubscriber]:
        """Who wants to know when a table of a game opens in a server: those with an id above `after`, at most `most`,
        by their ids."""

    async def record_table_notice(self, user_id: int, at: int) -> None:
        """Record that somebody is notified of a table (ms UTC), whatever the server."""

    async def last_table_notice(self, user_id: int) -> int | None:
        """When somebody was last notified of a table (ms UTC); None if never."""

    async def attendances(self, guild_id: int, user_id: int, most: int) -> list[Attendance]:
        """How somebody attended their latest finished matches in a server, at most `most`, the last to end first.

        `MatchStore.append` writes them with a match's result.
        """

    async def anonymise(
        self, guild_id: int, user_id: int, marker: int, keys: Mapping[str, Mapping[str, bytes]]
    ) -> None:
        """Replace a person by a marker everywhere in a server. Delete their name, notice level, open hands,
        attendances and subscriptions to tables there, and what belongs to no server: their preferences, and when they
        were notified of a table.

        The texts of their salts are deleted too; the digests stay, because the deals were made with them. `keys` has
        the chance's keys (`engines.keys`) for every match of theirs, by match id; none where the deal names no player.
        They are stored with the match, so that it can be checked without the id; keys that a match has already stay.
        Their ratings are held for `HELD_FOR` under a keyed hash, apart from the marker.
        Raises Conflict while the person has a live match or an open invitation, and when `keys` lacks one of their
        matches.
        """
