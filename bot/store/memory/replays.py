"""Finished matches in memory, as people may see them again."""

# ruff: noqa: A002  an id is called id, here as in the rows

from __future__ import annotations

from bot.store.errors import Conflict
from bot.store.memory.data import Data
from bot.store.memory.transactions import Transactions, reads, writes
from bot.store.rows.replays import FinishedMatch, HistoryQuery


class MemoryReplays(Transactions):
    """`bot.store.protocols.replays.ReplayStore` in memory."""

    @reads
    def finished_match(self, data: Data, guild_id: int, id: str, viewer_id: int, today: int) -> FinishedMatch | None:
        return _find(data, guild_id, id, viewer_id, today)

    @reads
    def finished_matches(
        self, data: Data, query: HistoryQuery, most: int, *, before: str | None = None, after: str | None = None
    ) -> list[FinishedMatch]:
        def visible(match_id: str) -> FinishedMatch | None:
            return _find(data, query.guild_id, match_id, query.viewer_id, query.today)

        numbers = {match_id: number for number, match_id in enumerate(data.results) if visible(match_id) is not None}
        newest, oldest = numbers.get(before or ""), numbers.get(after or "")
        theirs = [
            each
            for match_id, number in numbers.items()
            if (each := visible(match_id)) is not None
            and query.user_id in each.row.seats
            and query.game in (None, each.row.game)
            and (newest is None or number < newest)
            and (oldest is None or number > oldest)
        ]
        return theirs[::-1][:most] if oldest is None else theirs[:most][::-1]

    @writes
    def set_private_wish(self, data: Data, match_id: str, seat: int, *, wanted: bool) -> None:
        if match_id not in data.results or seat not in range(len(data.matches[match_id].seats)):
            raise Conflict("no such seat of a finished match")
        others = data.private_wishes.get(match_id, frozenset()) - {seat}
        data.private_wishes[match_id] = others | {seat} if wanted else others


def _find(data: Data, guild_id: int, match_id: str, viewer_id: int, today: int) -> FinishedMatch | None:
    row, result = data.matches.get(match_id), data.results.get(match_id)
    if row is None or result is None or row.guild_id != guild_id or (row.day is not None and row.day >= today):
        return None
    found = FinishedMatch(row, result, tuple(sorted(data.private_wishes.get(match_id, ()))))
    return None if found.is_private and viewer_id not in row.seats else found
