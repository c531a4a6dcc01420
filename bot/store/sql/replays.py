"""Finished matches, in SQL."""

# ruff: noqa: A002  an id is called id, here as in the rows

from __future__ import annotations

from bot.store.queries import replays
from bot.store.rows.replays import FinishedMatch, HistoryQuery
from bot.store.sql import lists
from bot.store.sql.part import SqlPart


class SqlReplays(SqlPart):
    """`bot.store.protocols.replays.ReplayStore`."""

    async def finished_match(self, guild_id: int, id: str, viewer_id: int, today: int) -> FinishedMatch | None:
        return await self.database.read(lambda db: replays.find(db, guild_id, id, viewer_id, today))

    async def finished_matches(
        self, query: HistoryQuery, most: int, *, before: str | None = None, after: str | None = None
    ) -> list[FinishedMatch]:
        return await lists.finished_matches(self.database, query, most, before, after)

    async def set_private_wish(self, match_id: str, seat: int, *, wanted: bool) -> None:
        await self.database.write(lambda db: replays.set_wish(db, match_id, seat, wanted=wanted))
