"""Standings of people, for each game in each server."""

from __future__ import annotations

from typing import Protocol

from bot.store.rows.standings import FormerStanding, HeadToHead, HeldRating, RatingChange, RatingStart, Standing


class StandingStore(Protocol):
    """Standings, and what results did to them. `MatchStore.append` and `end_match` write both."""

    async def standing(self, guild_id: int, game: str, user_id: int) -> Standing | None:
        """One player's standing; None for a player without a counted match."""

    async def count_ranked(self, guild_id: int, game: str) -> int:
        """How many players with a standing are listed on the leaderboard of all time: neither deleted nor hidden."""

    async def games_played(self, guild_id: int) -> list[str]:
        """The games with standings in a server, in alphabetical order."""

    async def head_to_head(
        self, guild_id: int, game: str | None, players: tuple[int, int], last: str | None = None
    ) -> HeadToHead:
        """What two players won of the counted matches between them alone, in a server.

        `game` is a game's key; None for all games together. `last` is the id of the last match that belongs to it;
        None for all so far.
        """

    async def rating_changes(self, match_id: str) -> tuple[RatingChange, ...]:
        """What a counted match did to the ratings, by seat; empty for any other match."""

    async def held_ratings(self, guild_id: int, user_id: int) -> list[HeldRating]:
        """What is held of the ratings that somebody had deleted in a server, by game. Their next counted match in a
        game begins with it."""

    async def rating_starts(self, guild_id: int, user_id: int) -> list[RatingStart]:
        """With what somebody began who came back while it was held, by game."""

    async def former_standings(self, guild_id: int, user_id: int) -> list[FormerStanding]:
        """Somebody's places before matches weighed differently, by game."""
