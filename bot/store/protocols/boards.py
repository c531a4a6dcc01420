"""Leaderboards: pages of them, who is hidden, and keeping them right as days pass."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from bot.store.boards import Board, BoardDates, BoardPage, DayKey, PageRequest, SeasonFirst, Tally


class BoardStore(Protocol):
    """Leaderboards of one game or of all, for all time, a season or the last days (`bot.store.boards`).

    `MatchStore.append` and `end_match` count each result on them.
    """

    async def board_page(self, board: Board, reader: int, request: PageRequest, length: int) -> BoardPage:
        """A page of at most `length` lines, and the reader's own line. It contains nobody hidden but the reader, and
        them only on the page with their own line."""

    async def are_boards_current(self, guild_id: int, dates: BoardDates) -> bool:
        """Whether nothing is left for `roll_boards` to do."""

    async def roll_boards(self, guild_id: int, dates: BoardDates) -> bool:
        """Move a few lines of a server whose days have left or entered a week or a season, or whose players are no
        longer active. Returns whether there were none."""

    async def set_hidden(self, guild_id: int, user_id: int, *, hidden: bool) -> None:
        """Leave somebody out of a server's leaderboards, or list them again. `roll_boards` then knows whether they are
        active."""

    async def is_hidden(self, guild_id: int, user_id: int) -> bool:
        """Whether somebody is left out of a server's leaderboards."""

    async def board_days(self, guild_id: int, user_id: int) -> dict[DayKey, Tally]:
        """What somebody's counted matches in a server add up to, by game and day, the oldest day first."""

    async def days_between(
        self, guild_id: int, days: range, after: DayKey | None, most: int
    ) -> list[tuple[DayKey, Tally]]:
        """At most `most` of what the counted matches of some `days` add up to, of everybody who isn't hidden or
        deleted: the next ones `after` a key, by day, user id and game."""

    async def judged_until(self, guild_id: int) -> int | None:
        """The day up to which a server's seasons were judged. Before the first, that of its first counted match, or
        None if there is none."""

    async def judge_seasons(self, guild_id: int, until: int, firsts: Collection[tuple[int, SeasonFirst]]) -> None:
        """Keep who was first of a season, by user id, and up to which day a server's seasons were judged. Nothing
        happens if that is known already. Who hides or has been deleted is left out."""

    async def season_firsts(self, guild_id: int, user_id: int) -> list[SeasonFirst]:
        """The seasons of which somebody was first, the latest first."""
