"""People, in SQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.store.queries import deleting, people, table_notices
from bot.store.queries.deletions import Deletion
from bot.store.rows.people import Attendance, NoticeLevel, TableSubscriber
from bot.store.rows.standings import HELD_FOR
from bot.store.sql import lists
from bot.store.sql.part import SqlPart


class SqlPeople(SqlPart):
    """`bot.store.protocols.people.PeopleStore`."""

    async def set_name(self, guild_id: int, user_id: int, name: str) -> None:
        await self.database.write(lambda db: people.set_name(db, guild_id, user_id, name))

    async def names(self, guild_id: int, user_ids: Sequence[int]) -> dict[int, str]:
        return await self.database.read(lambda db: people.names(db, guild_id, user_ids))

    async def set_notice_level(self, guild_id: int, user_id: int, level: NoticeLevel) -> None:
        await self.database.write(lambda db: people.set_notice_level(db, guild_id, user_id, level))

    async def notice_level(self, guild_id: int, user_id: int) -> NoticeLevel:
        return await self.database.read(lambda db: people.notice_level(db, guild_id, user_id))

    async def set_preference(self, user_id: int, name: str, value: str) -> None:
        await self.database.write(lambda db: people.set_preference(db, user_id, name, value))

    async def preferences(self, user_ids: Sequence[int]) -> dict[int, dict[str, str]]:
        return await self.database.read(lambda db: people.preferences(db, user_ids))

    async def set_table_subscription(self, guild_id: int, user_id: int, game: str, *, wanted: bool) -> None:
        await self.database.write(lambda db: table_notices.set_wanted(db, guild_id, user_id, game, wanted=wanted))

    async def table_subscriptions(self, guild_id: int, user_id: int) -> list[str]:
        return await self.database.read(lambda db: table_notices.games(db, guild_id, user_id))

    async def table_subscribers(self, guild_id: int, game: str, after: int, most: int) -> list[TableSubscriber]:
        return await self.database.read(lambda db: table_notices.subscribers(db, guild_id, game, after, most))

    async def record_table_notice(self, user_id: int, at: int) -> None:
        await self.database.write(lambda db: table_notices.record(db, user_id, at))

    async def last_table_notice(self, user_id: int) -> int | None:
        return await self.database.read(lambda db: table_notices.last(db, user_id))

    async def attendances(self, guild_id: int, user_id: int, most: int) -> list[Attendance]:
        return await lists.attendances(self.database, guild_id, user_id, most)

    async def anonymise(
        self, guild_id: int, user_id: int, marker: int, keys: Mapping[str, Mapping[str, bytes]]
    ) -> None:
        until = self._now() + HELD_FOR
        deletion = Deletion(guild_id, user_id, marker)
        await self._deletions.run(
            deleting.anonymise(self.database, deletion, keys, key=self.person_key, held_until=until)
        )
