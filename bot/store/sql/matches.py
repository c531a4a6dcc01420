"""Matches, their logs and timers, in SQL."""

# ruff: noqa: A002  an id is called id, here as in the rows

from __future__ import annotations

from collections.abc import Sequence

from bot.store.protocols.matches import NO_LOST_PLACES
from bot.store.queries import anonymisation, drafts, matches
from bot.store.rows.matches import LostPlaces, MatchRow, Record, Result, SavedMatch, Suspension, TimerRow, Unrated
from bot.store.rows.screens import Notice
from bot.store.rows.standings import ResultEffects
from bot.store.sql import lists
from bot.store.sql.part import SqlPart


class SqlMatches(SqlPart):
    """`bot.store.protocols.matches.MatchStore`."""

    async def open_match(self, match: MatchRow, deal: Record, timers: Sequence[TimerRow]) -> None:
        now = self._now()
        await self.database.write(lambda db: matches.open_match(db, match, deal, timers, now))

    async def append(
        self,
        record: Record,
        timers: Sequence[TimerRow],
        result: Result | None = None,
        unrated: Unrated | None = None,
    ) -> ResultEffects | None:
        return await self.database.write(
            lambda db: matches.append(db, record, timers, result, unrated, key=self.person_key)
        )

    async def end_match(self, result: Result, interaction_id: int | None) -> None:
        await self.database.write(lambda db: matches.end(db, result, interaction_id, key=self.person_key))

    async def match_of_interaction(self, interaction_id: int) -> str | None:
        return await self.database.read(lambda db: matches.match_of_interaction(db, interaction_id))

    async def match(self, id: str) -> MatchRow | None:
        return await self.database.read(lambda db: matches.find(db, id))

    async def live_matches(self) -> list[MatchRow]:
        return await self.database.read(lambda db: matches.live(db, self.serves))

    async def live_matches_of(self, user_id: int) -> list[MatchRow]:
        return await lists.live_matches_of(self.database, user_id)

    async def matches_ended_since(self, moment: int) -> list[MatchRow]:
        return await self.database.read(lambda db: matches.ended_since(db, moment, self.serves))

    async def matches_of(self, guild_id: int, user_id: int) -> list[MatchRow]:
        return await lists.matches_of(self.database, guild_id, user_id)

    async def matches_of_deal(self, guild_id: int, deal_id: str) -> list[MatchRow]:
        return await lists.matches_of_deal(self.database, guild_id, deal_id)

    async def latest_finished(
        self, guild_id: int, user_id: int, most: int, channel_id: int | None = None
    ) -> list[MatchRow]:
        return await lists.latest_finished(self.database, guild_id, user_id, most, channel_id)

    async def result(self, id: str) -> Result | None:
        return await self.database.read(lambda db: matches.result(db, id))

    async def records(self, match_id: str, first: int = 0) -> list[Record]:
        return await self.database.read(lambda db: matches.records(db, match_id, first))

    async def match_of_series(self, series_id: str, number: int) -> str | None:
        return await self.database.read(lambda db: matches.of_series(db, series_id, number))

    async def saved_matches(self, match_ids: Sequence[str]) -> dict[str, SavedMatch]:
        return await self.database.read(lambda db: matches.saved(db, match_ids))

    async def set_timers(self, match_id: str, timers: Sequence[TimerRow]) -> None:
        await self.database.write(lambda db: matches.set_timers(db, match_id, timers))

    async def timers(self, match_id: str) -> list[TimerRow]:
        return await self.database.read(lambda db: matches.timers(db, match_id))

    async def all_timers(self) -> list[TimerRow]:
        return await self.database.read(lambda db: matches.all_timers(db, self.serves))

    async def set_board(self, match_id: str, channel_id: int, message_id: int | None, at: int | None) -> None:
        await self.database.write(lambda db: matches.set_board(db, match_id, channel_id, message_id, at))

    async def set_paused(self, match_id: str, error: int | None) -> None:
        await self.database.write(lambda db: matches.set_paused(db, match_id, error))

    async def agree_to_call_off(self, match_id: str, seat: int) -> None:
        await self.database.write(lambda db: matches.agree_to_call_off(db, match_id, seat))

    async def suspend_match(self, match_id: str, at: int, why: Suspension, lost: LostPlaces = NO_LOST_PLACES) -> None:
        await self.database.write(lambda db: matches.suspend(db, match_id, at, why, lost))

    async def resume_match(self, match_id: str, channel_id: int, timers: Sequence[TimerRow]) -> None:
        await self.database.write(lambda db: matches.resume(db, match_id, channel_id, timers))

    async def add_notice(self, notice: Notice) -> None:
        await self.database.write(lambda db: matches.add_notice(db, notice))

    async def mark_notice(self, notice: Notice) -> None:
        await self.database.write(lambda db: matches.mark_notice(db, notice))

    async def remove_notice(self, match_id: str, seat: int) -> None:
        await self.database.write(lambda db: matches.remove_notice(db, match_id, seat))

    async def notices(self) -> list[Notice]:
        return await lists.notices(self.database, self.serves)

    async def save_selection(self, match_id: str, seat: int, window: int, selection: str) -> None:
        await self.database.write(lambda db: drafts.save(db, match_id, seat, window, selection))

    async def selection(self, match_id: str, seat: int, window: int) -> str | None:
        return await self.database.read(lambda db: drafts.find(db, match_id, seat, window))

    async def latest_selection(self, match_id: str, seat: int) -> tuple[int, str] | None:
        return await self.database.read(lambda db: drafts.latest(db, match_id, seat))

    async def chance_keys(self, match_id: str) -> dict[str, bytes]:
        return await self.database.read(lambda db: anonymisation.chance_keys(db, match_id))
