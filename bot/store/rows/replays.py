"""Finished matches as people see them again."""

from __future__ import annotations

from dataclasses import dataclass

from bot.store.rows.matches import MatchRow, Result


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A match that is over, and the seats whose players want its replay to be private."""

    row: MatchRow
    result: Result
    private_wishes: tuple[int, ...] = ()

    @property
    def is_private(self) -> bool:
        """Whether all of its players want that: computers and deleted people, whose ids are negative, aren't asked."""
        asked = [seat for seat, user in enumerate(self.row.seats) if user > 0]
        return bool(self.private_wishes) and set(asked) <= set(self.private_wishes)


@dataclass(frozen=True, slots=True)
class HistoryQuery:
    """Whose finished matches of a server are listed, and for whom. `today` counts the days since 1970, UTC, and `game`
    is None for all games."""

    guild_id: int
    user_id: int
    viewer_id: int
    today: int
    game: str | None = None
