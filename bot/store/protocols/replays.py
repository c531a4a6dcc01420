"""Finished matches as people may see them again: by their code, in a list, and private if all players want that."""

# ruff: noqa: A002  an id is called id, here as in the rows

from __future__ import annotations

from typing import Protocol

from bot.store.rows.replays import FinishedMatch, HistoryQuery


class ReplayStore(Protocol):
    """Finished matches that a person may see again.

    Those are the matches of a server with a result, without attempts at a deal of `today` or a later day, and without
    the private ones of others (`FinishedMatch.is_private`). Days are counted since 1970, in UTC.
    """

    async def finished_match(self, guild_id: int, id: str, viewer_id: int, today: int) -> FinishedMatch | None:
        """A finished match that a person may see. For all others None, at the cost of one question."""

    async def finished_matches(
        self, query: HistoryQuery, most: int, *, before: str | None = None, after: str | None = None
    ) -> list[FinishedMatch]:
        """The finished matches of a person that a viewer may see, at most `most`, the last to end first.

        With `before`, those that ended before the match with this id; with `after`, those that ended next after it.
        A match that the viewer may not see is no such place: then it is as if none was given.
        """

    async def set_private_wish(self, match_id: str, seat: int, *, wanted: bool) -> None:
        """Record whether the player of a seat wants the replay to be private. Raises Conflict if the match isn't
        finished, or has no such seat."""
