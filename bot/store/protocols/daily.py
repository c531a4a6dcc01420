"""Deals of the day: one for each server, game and day, who has tried it, and the message that says how they did."""

from __future__ import annotations

from typing import Protocol

from bot.store.rows.daily import DailyAttempt, DailyDeal, DailyMessage
from bot.store.rows.invitations import Invitation
from bot.store.rows.matches import MatchRow, Record


class DailyStore(Protocol):
    """Deals of the day. Days are counted since 1970, in UTC."""

    async def seal_daily_deal(self, deal: DailyDeal) -> DailyDeal:
        """Add the deal of a server, game and day, unless there is one. Returns the one that is there now."""

    async def daily_deal(self, guild_id: int, game: str, day: int) -> DailyDeal | None:
        """The deal of a server, game and day; None if nobody has asked for it."""

    async def open_attempt(self, asked: Invitation, match: MatchRow, deal: Record) -> None:
        """Open the match by which a person tries the deal of `match.day`. It is stored with its invitation, which
        counts as accepted. The host of the invitation is the person.

        Raises Conflict if they have tried the deal before, or if the id was used.
        """

    async def attempt(self, guild_id: int, game: str, day: int, user_id: int) -> DailyAttempt | None:
        """A person's attempt at a deal; None if they have not tried it."""

    async def attempts_on(self, guild_id: int, day: int) -> list[DailyAttempt]:
        """All attempts of a server on a day, in all games, the oldest first."""

    async def attempts_by(self, guild_id: int, user_id: int) -> list[DailyAttempt]:
        """All attempts of a person in a server, the oldest first."""

    async def days_finished(self, guild_id: int, game: str, user_id: int) -> list[int]:
        """The days whose deal a person has played to its end, without resigning, the latest first."""

    async def unshown_attempts(self, since: int) -> list[DailyAttempt]:
        """The attempts from this day on that are over, and whose end no message shows yet, the oldest first."""

    async def note_shown(self, match_id: str) -> None:
        """Record that a message shows how an attempt ended."""

    async def daily_message(self, guild_id: int, channel_id: int, day: int) -> DailyMessage | None:
        """The message about a day in a channel; None if none was ever about to be posted."""

    async def put_daily_message(self, message: DailyMessage) -> None:
        """Record the message about a day in a channel, in place of the former one."""
