"""What matches show in Discord: open hands, messages that are being posted, and marks of what boards show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from bot.store.rows.screens import BoardMark, HandKey, HandRow, Posting


class ScreenStore(Protocol):
    """Open hands, postings and marks. All are deleted with their match."""

    # -- open hands

    async def write_open_hands(self, saved: Sequence[HandRow], removed: Sequence[HandKey], now: int) -> None:
        """Save open hands, each in place of the former row with its key, and delete others.

        Hands that have expired by `now` are deleted too, and hands of unknown matches are not saved.
        """

    async def open_hands(self) -> list[HandRow]:
        """All open hands, the first to expire first."""

    # -- postings

    async def add_posting(self, posting: Posting) -> None:
        """Record that a message is being posted, in place of the former posting with its match, seat and channel.

        Nothing is recorded for an unknown match.
        """

    async def remove_posting(self, match_id: str, seat: int | None, channel_id: int) -> None:
        """Delete a posting; harmless when there is none."""

    async def postings(self) -> list[Posting]:
        """All postings, by match, seat and channel, boards first."""

    # -- boards

    async def write_board_marks(self, marks: Mapping[str, BoardMark | None]) -> None:
        """Record what the boards of live matches show, by match id, each in place of the former mark; None deletes it.

        A mark is also deleted when the match gets another board or none, and when it ends. `MatchStore.saved_matches`
        reads it.
        """
