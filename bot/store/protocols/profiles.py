"""Profiles: what somebody has done in a server, in all games."""

from __future__ import annotations

from typing import Protocol

from bot.ratings import Rating
from bot.store.rows.profiles import ComebackSearch, Opponent, PlayerRecord


class ProfileStore(Protocol):
    """What counted results say of a person. `MatchStore.append` and `end_match` write it."""

    async def player_record(self, guild_id: int, user_id: int) -> PlayerRecord:
        """How many counted matches somebody has finished in a server, and their winning streaks."""

    async def most_met(self, guild_id: int, user_id: int, most: int) -> list[Opponent]:
        """Those with whom somebody finished most counted matches; of equals, first those whom they met first."""

    async def opponent(self, guild_id: int, user_id: int, opponent_id: int) -> Opponent | None:
        """One opponent of somebody; None for people who have not finished a counted match together."""

    async def met_at(self, guild_id: int, user_id: int, nth: int) -> int | None:
        """When the counted match ended in which somebody had met this many different people (ms UTC); None before."""

    async def rating_history(self, guild_id: int, user_id: int, game: str, most: int) -> list[Rating]:
        """Somebody's rating after each of their last counted matches in a game, the oldest first; at most `most`."""

    async def wins_after(self, guild_id: int, user_id: int, number: int, most: int) -> list[tuple[int, str]]:
        """The first counted wins of somebody after the result with this number: their numbers and matches, in the order
        in which they counted."""

    async def comeback_search(self, guild_id: int, user_id: int) -> ComebackSearch:
        """How far somebody's wins were searched for a comeback."""

    async def note_comeback_search(self, guild_id: int, user_id: int, search: ComebackSearch) -> None:
        """Note it. Nothing is noted for somebody who has no result with the number `searched`, or no longer has."""
