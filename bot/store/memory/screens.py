"""Open hands, postings and marks of boards in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.store.memory.data import Data
from bot.store.memory.transactions import Transactions, reads, writes
from bot.store.rows.screens import BoardMark, HandKey, HandRow, Posting


class MemoryScreens(Transactions):
    """`bot.store.protocols.screens.ScreenStore` in memory."""

    @writes
    def write_open_hands(self, data: Data, saved: Sequence[HandRow], removed: Sequence[HandKey], now: int) -> None:
        for key in (*removed, *(key for key, hand in data.open_hands.items() if hand.expires_at <= now)):
            data.open_hands.pop(key, None)
        data.open_hands.update({hand.key: hand for hand in saved if hand.match_id in data.matches})

    @reads
    def open_hands(self, data: Data) -> list[HandRow]:
        here = [each for each in data.open_hands.values() if self.serves.includes(data.matches[each.match_id].guild_id)]
        return sorted(here, key=lambda hand: (hand.expires_at, hand.key))

    @writes
    def add_posting(self, data: Data, posting: Posting) -> None:
        if posting.match_id in data.matches:
            data.postings[posting.match_id, posting.seat, posting.channel_id] = posting

    @writes
    def remove_posting(self, data: Data, match_id: str, seat: int | None, channel_id: int) -> None:
        data.postings.pop((match_id, seat, channel_id), None)

    @reads
    def postings(self, data: Data) -> list[Posting]:
        return sorted(
            (each for each in data.postings.values() if self.serves.includes(data.matches[each.match_id].guild_id)),
            key=lambda posting: (posting.match_id, -1 if posting.seat is None else posting.seat, posting.channel_id),
        )

    @writes
    def write_board_marks(self, data: Data, marks: Mapping[str, BoardMark | None]) -> None:
        for match_id, mark in marks.items():
            data.board_marks.pop(match_id, None)
            if mark is not None and data.is_live(match_id):
                data.board_marks[match_id] = mark
