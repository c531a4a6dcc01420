"""Matches, and what belongs to one: its log, timers, board, turn notices, selections and chance keys."""

# ruff: noqa: A002  an id is called id, here as in the rows

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.store.rows.matches import LostPlaces, MatchRow, Record, Result, SavedMatch, Suspension, TimerRow, Unrated
from bot.store.rows.screens import Notice
from bot.store.rows.standings import ResultEffects

NO_LOST_PLACES = LostPlaces()


class MatchStore(Protocol):
    """Matches, live and finished, and what belongs to them."""

    # -- writing a match and its log

    async def open_match(self, match: MatchRow, deal: Record, timers: Sequence[TimerRow]) -> None:
        """Turn the open invitation with the match's id into the match, with its deal (seq 0) and first timers.

        Raises InvitationClosed, else DuplicateInteraction for an interaction that was applied before.
        """

    async def append(
        self,
        record: Record,
        timers: Sequence[TimerRow],
        result: Result | None = None,
        unrated: Unrated | None = None,
    ) -> ResultEffects | None:
        """Append the next record to a live match's log, and replace the match's timers by these.

        `unrated` records why the match will not count, unless a reason was recorded before.

        A result ends the match: its timers and selections are deleted, and if the result counts, the standings of all
        its players are updated. Returns what a counted result did, else None. Raises DuplicateInteraction for an
        interaction that was applied before, else Conflict when the match is not live or the record's seq is not the
        next.
        """

    async def end_match(self, result: Result, interaction_id: int | None) -> None:
        """End a live match without a record: it was called off. Raises what `append` raises."""

    async def match_of_interaction(self, interaction_id: int) -> str | None:
        """The id of the match that an interaction was applied to; None for an unknown interaction."""

    # -- reading

    async def match(self, id: str) -> MatchRow | None:
        """A match, live or finished; None for an unknown id."""

    async def live_matches(self) -> list[MatchRow]:
        """All matches without a result, the oldest first."""

    async def live_matches_of(self, user_id: int) -> list[MatchRow]:
        """The matches without a result that a person plays, in all servers, of any range: the oldest first."""

    async def matches_ended_since(self, moment: int) -> list[MatchRow]:
        """The matches that ended at or after a moment (ms UTC), the oldest first."""

    async def matches_of(self, guild_id: int, user_id: int) -> list[MatchRow]:
        """All matches of a person in a server, live and finished, the oldest first."""

    async def matches_of_deal(self, guild_id: int, deal_id: str) -> list[MatchRow]:
        """All matches of a server that were dealt from a deal of version 2, live and finished, the oldest first."""

    async def latest_finished(
        self, guild_id: int, user_id: int, most: int, channel_id: int | None = None
    ) -> list[MatchRow]:
        """The finished matches of a person in a server, or in one channel: at most `most`, the last to end first."""

    async def result(self, id: str) -> Result | None:
        """How a match ended; None while it is live, and for an unknown id."""

    async def records(self, match_id: str, first: int = 0) -> list[Record]:
        """A match's log from this seq on, in the order of seq; empty for an unknown id."""

    async def match_of_series(self, series_id: str, number: int) -> str | None:
        """The id of the match that has this number in a series; None if it was not begun yet."""

    async def saved_matches(self, match_ids: Sequence[str]) -> dict[str, SavedMatch]:
        """What a start reads of these live matches, all of one moment, by match id; empty for an unknown id."""

    # -- timers

    async def set_timers(self, match_id: str, timers: Sequence[TimerRow]) -> None:
        """Replace the timers of a live match by these, without a record. Raises Conflict when it is not live."""

    async def timers(self, match_id: str) -> list[TimerRow]:
        """The timers of a match, the nearest deadline first."""

    async def all_timers(self) -> list[TimerRow]:
        """The timers of all live matches, the nearest deadline first."""

    # -- the state of a match

    async def set_board(self, match_id: str, channel_id: int, message_id: int | None, at: int | None) -> None:
        """Record which message is the match's board and when it was posted (ms UTC); None where there is no board."""

    async def set_paused(self, match_id: str, error: int | None) -> None:
        """Record the number of the error that paused a match; None when the match runs again."""

    async def agree_to_call_off(self, match_id: str, seat: int) -> None:
        """Record that a seat would like to call the match off."""

    async def suspend_match(self, match_id: str, at: int, why: Suspension, lost: LostPlaces = NO_LOST_PLACES) -> None:
        """Suspend a live match and delete its timers. One that is suspended keeps its moment and gets the new reason.

        `lost` replaces what was recorded of its lost places.

        Raises Conflict when the match is not live.
        """

    async def resume_match(self, match_id: str, channel_id: int, timers: Sequence[TimerRow]) -> None:
        """Resume a suspended match in a channel, without a board yet, with exactly these timers.

        Raises Conflict when it is not live or not suspended.
        """

    # -- what belongs to its players

    async def add_notice(self, notice: Notice) -> None:
        """Record a turn notice in place of the seat's former one. Raises Conflict for an unknown match."""

    async def mark_notice(self, notice: Notice) -> None:
        """Record the mark of a turn notice. Nothing is written if its message is no longer the seat's notice."""

    async def remove_notice(self, match_id: str, seat: int) -> None:
        """Delete a seat's turn notice; harmless when there is none."""

    async def notices(self) -> list[Notice]:
        """All turn notices, by match id and seat. A notice outlives its match until it is removed."""

    async def save_selection(self, match_id: str, seat: int, window: int, selection: str) -> None:
        """Save a selection that is too long for a button's id, in place of the seat's former one.

        It is deleted when the match ends. Nothing is saved for a match that is not live.
        """

    async def selection(self, match_id: str, seat: int, window: int) -> str | None:
        """The selection saved for a seat and a window; None when there is none."""

    async def latest_selection(self, match_id: str, seat: int) -> tuple[int, str] | None:
        """The selection saved for a seat, after the window that it answers; None when there is none."""

    async def chance_keys(self, match_id: str) -> dict[str, bytes]:
        """The chance's keys of a match, by use. Empty unless `PeopleStore.anonymise` changed the match."""
