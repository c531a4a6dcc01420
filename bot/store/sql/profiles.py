"""Profiles, in SQL."""

from __future__ import annotations

from bot.ratings import Rating
from bot.store.queries.profiles import comebacks, opponents, player_results
from bot.store.rows.profiles import ComebackSearch, Opponent, PlayerRecord
from bot.store.sql.part import SqlPart


class SqlProfiles(SqlPart):
    """`bot.store.protocols.profiles.ProfileStore`."""

    async def player_record(self, guild_id: int, user_id: int) -> PlayerRecord:
        return await self.database.read(lambda db: player_results.record_of(db, guild_id, user_id))

    async def most_met(self, guild_id: int, user_id: int, most: int) -> list[Opponent]:
        return await self.database.read(lambda db: opponents.most_met(db, guild_id, user_id, most))

    async def opponent(self, guild_id: int, user_id: int, opponent_id: int) -> Opponent | None:
        return await self.database.read(lambda db: opponents.find(db, guild_id, user_id, opponent_id))

    async def met_at(self, guild_id: int, user_id: int, nth: int) -> int | None:
        return await self.database.read(lambda db: opponents.met_at(db, guild_id, user_id, nth))

    async def rating_history(self, guild_id: int, user_id: int, game: str, most: int) -> list[Rating]:
        return await self.database.read(lambda db: player_results.ratings(db, guild_id, user_id, game, most))

    async def wins_after(self, guild_id: int, user_id: int, number: int, most: int) -> list[tuple[int, str]]:
        return await self.database.read(lambda db: player_results.wins_after(db, guild_id, user_id, number, most))

    async def comeback_search(self, guild_id: int, user_id: int) -> ComebackSearch:
        return await self.database.read(lambda db: comebacks.search_of(db, guild_id, user_id))

    async def note_comeback_search(self, guild_id: int, user_id: int, search: ComebackSearch) -> None:
        await self.database.write(lambda db: comebacks.note(db, guild_id, user_id, search))
