"""Deals of the day, in SQL."""

from __future__ import annotations

from bot.store.queries import daily
from bot.store.rows.daily import DailyAttempt, DailyDeal, DailyMessage
from bot.store.rows.invitations import Invitation
from bot.store.rows.matches import MatchRow, Record
from bot.store.sql import lists
from bot.store.sql.part import SqlPart


class SqlDaily(SqlPart):
    """`bot.store.protocols.daily.DailyStore`."""

    async def seal_daily_deal(self, deal: DailyDeal) -> DailyDeal:
        return await self.database.write(lambda db: daily.seal(db, deal))

    async def daily_deal(self, guild_id: int, game: str, day: int) -> DailyDeal | None:
        return await self.database.read(lambda db: daily.find(db, guild_id, game, day))

    async def open_attempt(self, asked: Invitation, match: MatchRow, deal: Record) -> None:
        now = self._now()
        await self.database.write(lambda db: daily.open_attempt(db, asked, match, deal, now))

    async def attempt(self, guild_id: int, game: str, day: int, user_id: int) -> DailyAttempt | None:
        return await self.database.read(lambda db: daily.attempt(db, guild_id, game, day, user_id))

    async def attempts_on(self, guild_id: int, day: int) -> list[DailyAttempt]:
        return await lists.attempts_on(self.database, guild_id, day)

    async def attempts_by(self, guild_id: int, user_id: int) -> list[DailyAttempt]:
        return await lists.attempts_by(self.database, guild_id, user_id)

    async def days_finished(self, guild_id: int, game: str, user_id: int) -> list[int]:
        return await self.database.read(lambda db: daily.days_finished(db, guild_id, game, user_id))

    async def unshown_attempts(self, since: int) -> list[DailyAttempt]:
        return await lists.unshown_attempts(self.database, since, self.serves)

    async def note_shown(self, match_id: str) -> None:
        await self.database.write(lambda db: daily.note_shown(db, match_id))

    async def daily_message(self, guild_id: int, channel_id: int, day: int) -> DailyMessage | None:
        return await self.database.read(lambda db: daily.message(db, guild_id, channel_id, day))

    async def put_daily_message(self, message: DailyMessage) -> None:
        await self.database.write(lambda db: daily.put_message(db, message))
