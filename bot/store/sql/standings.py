"""Standings and ratings, in SQL."""

from __future__ import annotations

from bot.store.queries import standings
from bot.store.queries.ratings import changes, held
from bot.store.rows.standings import FormerStanding, HeadToHead, HeldRating, RatingChange, RatingStart, Standing
from bot.store.sql import lists
from bot.store.sql.part import SqlPart


class SqlStandings(SqlPart):
    """`bot.store.protocols.standings.StandingStore`."""

    async def standing(self, guild_id: int, game: str, user_id: int) -> Standing | None:
        return await lists.standing(self.database, guild_id, game, user_id)

    async def count_ranked(self, guild_id: int, game: str) -> int:
        return await self.database.read(lambda db: standings.count_ranked(db, guild_id, game))

    async def games_played(self, guild_id: int) -> list[str]:
        return await self.database.read(lambda db: standings.games_played(db, guild_id))

    async def head_to_head(
        self, guild_id: int, game: str | None, players: tuple[int, int], last: str | None = None
    ) -> HeadToHead:
        return await self.database.read(lambda db: standings.head_to_head(db, guild_id, game, players, last))

    async def rating_changes(self, match_id: str) -> tuple[RatingChange, ...]:
        return await self.database.read(lambda db: changes.find(db, match_id))

    async def held_ratings(self, guild_id: int, user_id: int) -> list[HeldRating]:
        return await self.database.read(lambda db: held.of_person(db, guild_id, user_id, self.person_key))

    async def rating_starts(self, guild_id: int, user_id: int) -> list[RatingStart]:
        return await self.database.read(lambda db: held.starts_of(db, guild_id, user_id))

    async def former_standings(self, guild_id: int, user_id: int) -> list[FormerStanding]:
        return await self.database.read(lambda db: held.former_of(db, guild_id, user_id))
