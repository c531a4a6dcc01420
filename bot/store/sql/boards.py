"""Leaderboards, in SQL."""

from __future__ import annotations

from collections.abc import Collection

from bot.store.boards import Board, BoardDates, BoardPage, DayKey, PageRequest, SeasonFirst, Tally
from bot.store.queries.boards import entries, keeping, reading, seasons
from bot.store.sql import lists
from bot.store.sql.part import SqlPart


class SqlBoards(SqlPart):
    """`bot.store.protocols.boards.BoardStore`."""

    async def board_page(self, board: Board, reader: int, request: PageRequest, length: int) -> BoardPage:
        return await self.database.read(lambda db: reading.page(db, board, reader, request, length))

    async def are_boards_current(self, guild_id: int, dates: BoardDates) -> bool:
        return await self.database.read(lambda db: keeping.is_current(db, guild_id, dates))

    async def roll_boards(self, guild_id: int, dates: BoardDates) -> bool:
        return await self.database.write(lambda db: keeping.roll(db, guild_id, dates))

    async def set_hidden(self, guild_id: int, user_id: int, *, hidden: bool) -> None:
        await self.database.write(lambda db: keeping.set_hidden(db, guild_id, user_id, hidden=hidden))

    async def is_hidden(self, guild_id: int, user_id: int) -> bool:
        return await self.database.read(lambda db: entries.is_hidden(db, guild_id, user_id))

    async def board_days(self, guild_id: int, user_id: int) -> dict[DayKey, Tally]:
        return await lists.board_days(self.database, guild_id, user_id)

    async def days_between(
        self, guild_id: int, days: range, after: DayKey | None, most: int
    ) -> list[tuple[DayKey, Tally]]:
        return await self.database.read(lambda db: seasons.days(db, guild_id, days, after, most))

    async def judged_until(self, guild_id: int) -> int | None:
        return await self.database.read(lambda db: seasons.judged_until(db, guild_id))

    async def judge_seasons(self, guild_id: int, until: int, firsts: Collection[tuple[int, SeasonFirst]]) -> None:
        await self.database.write(lambda db: seasons.judge(db, guild_id, until, firsts))

    async def season_firsts(self, guild_id: int, user_id: int) -> list[SeasonFirst]:
        return await self.database.read(lambda db: seasons.firsts(db, guild_id, user_id))
