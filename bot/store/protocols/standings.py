"""Standings: a leaderboard for each game in each server."""

from __future__ import annotations

from typing import Protocol

from bot.store.rows import Result, Series, Standing


class StandingStore(Protocol):
    """Leaderboards, and the results behind them. `MatchStore.append` and `end_match` write both."""

    async def leaderboard(self, guild_id: int, game: str, offset: int, limit: int) -> list[Standing]:
        """A page of a server's standings in one game, the highest ordinal first, then by user id.

        Empty past the end.
        """

    async def standing(self, guild_id: int, game: str, user_id: int) -> Standing | None:
        """One player's standing; None for a player without a counted match."""

    async def count_listed_above(self, guild_id: int, game: str, user_id: int) -> int | None:
        """How many players `leaderboard` lists before one; None for a player without a counted match."""

    async def count_ranked(self, guild_id: int, game: str) -> int:
        """How many players have a standing."""

    async def games_played(self, guild_id: int) -> list[str]:
        """The games with standings in a server, in alphabetical order."""

    async def counted_results(self, guild_id: int, game: str) -> list[tuple[tuple[int, ...], Result]]:
        """Seats and result of every counted match, in the order in which they were applied to the standings."""

    async def series(self, guild_id: int, game: str, players: tuple[int, int], last: str | None = None) -> Series:
        """What two players won of the counted matches between them alone, in a server and game.

        `last` is the id of the last match that belongs to it; None for all so far.
        """
