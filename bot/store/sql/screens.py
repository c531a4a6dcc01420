"""Open hands and messages being posted, in SQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.store.queries import screens
from bot.store.rows.screens import BoardMark, HandKey, HandRow, Posting
from bot.store.sql import lists
from bot.store.sql.part import SqlPart


class SqlScreens(SqlPart):
    """`bot.store.protocols.screens.ScreenStore`."""

    async def write_open_hands(self, saved: Sequence[HandRow], removed: Sequence[HandKey], now: int) -> None:
        if not await self.database.write(lambda db: screens.write_hands(db, saved, removed, now)):
            await self.database.write_all(lambda db: screens.delete_expired_hands(db, now))

    async def open_hands(self) -> list[HandRow]:
        return await lists.open_hands(self.database, self.serves)

    async def add_posting(self, posting: Posting) -> None:
        await self.database.write(lambda db: screens.add_posting(db, posting))

    async def remove_posting(self, match_id: str, seat: int | None, channel_id: int) -> None:
        await self.database.write(lambda db: screens.remove_posting(db, match_id, seat, channel_id))

    async def postings(self) -> list[Posting]:
        return await lists.postings(self.database, self.serves)

    async def write_board_marks(self, marks: Mapping[str, BoardMark | None]) -> None:
        await self.database.write(lambda db: screens.write_marks(db, marks))
