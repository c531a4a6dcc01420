"""Matches, with all that hangs on one: its log, timers, board, mentions, drafts and keys."""

# ruff: noqa: A002  an id is called id, here as in the rows

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.store.rows import MatchRow, Notice, Record, Result, Suspension, TimerRow


class MatchStore(Protocol):
    """Matches, with all that hangs on one: its log, timers, board, mentions, drafts and keys."""

    async def open_match(self, match: MatchRow, deal: Record, timers: Sequence[TimerRow]) -> None:
        """Turn the open invitation with the match's id into the match, with its deal (seq 0) and first timers.

        Raises InvitationClosed, and AlreadyMade for an interaction seen before.
        """

    async def append(self, record: Record, timers: Sequence[TimerRow], result: Result | None = None) -> None:
        """Add the next record of a live match; its timers become exactly these.

        With a result the match is over: its timers go, and if it counts, standings and ratings of every seat are
        brought up to date. Raises AlreadyMade for an interaction seen before, else Conflict when the match is not
        live or the record's seq is not the next.
        """

    async def set_timers(self, match_id: str, timers: Sequence[TimerRow]) -> None:
        """Have the timers of a live match be exactly these, without a record. Raises Conflict when it is not live."""

    async def end(self, result: Result, interaction_id: int | None) -> None:
        """End a live match without a record: called off. Raises AlreadyMade and Conflict as `append` does."""

    async def agree(self, match_id: str, seat: int) -> None:
        """Note that a seat would like to call the match off."""

    async def interaction(self, interaction_id: int) -> str | None:
        """The id of the match an interaction was applied to, or None."""

    async def live_matches(self) -> list[MatchRow]:
        """All matches without a result, the oldest first."""

    async def ended_since(self, moment: int) -> list[MatchRow]:
        """The matches that ended at or after a moment (ms UTC), the first opened first."""

    async def matches_of(self, guild_id: int, user_id: int) -> list[MatchRow]:
        """All matches of a person in a server, live and over, the oldest first."""

    async def match(self, id: str) -> MatchRow | None:
        """A match, live or finished; None for an unknown id."""

    async def result(self, id: str) -> Result | None:
        """How a match ended; None while it is live, and for an unknown id."""

    async def records(self, match_id: str) -> list[Record]:
        """A match's log in the order of seq; empty for an unknown id."""

    async def logs(self, match_ids: Sequence[str]) -> dict[str, list[Record]]:
        """The logs of these matches by match id, each in the order of seq; unknown ids have none."""

    async def timers(self, match_id: str) -> list[TimerRow]:
        """The timers of a match, the nearest deadline first."""

    async def all_timers(self) -> list[TimerRow]:
        """The timers of all live matches, the nearest deadline first."""

    async def set_board(self, match_id: str, channel_id: int, message_id: int | None, at: int | None) -> None:
        """Note where the match's board stands and since when; None for none."""

    async def pause(self, match_id: str, error: int | None) -> None:
        """Note the number of the error that paused a match, or None to let it go on."""

    async def suspend(self, match_id: str, at: int, why: Suspension) -> None:
        """Let a live match rest: its timers go. One that rests already keeps its moment and gets the new reason.

        Raises Conflict when the match is not live.
        """

    async def resume_match(self, match_id: str, channel_id: int, timers: Sequence[TimerRow]) -> None:
        """Let a live match that rests go on in a channel, without a board yet; its timers become exactly these.

        Raises Conflict when it is not live or does not rest.
        """

    async def add_notice(self, notice: Notice) -> None:
        """Note a mention that stands; it takes the place of the seat's former one."""

    async def remove_notice(self, match_id: str, seat: int) -> None:
        """Forget a seat's mention; harmless when there is none."""

    async def notices(self) -> list[Notice]:
        """All mentions that stand."""

    async def keep_draft(self, match_id: str, seat: int, window: int, draft: str) -> None:
        """Keep a selection that is too long for a button's id, in place of the seat's former one.

        It goes when the match ends; of a match that is not live nothing is kept.
        """

    async def draft(self, match_id: str, seat: int, window: int) -> str | None:
        """The selection kept for a seat and a question; None when there is none."""

    async def kept_keys(self, match_id: str) -> dict[str, bytes]:
        """The chance's keys of a match that somebody was taken out of; empty for any other."""
