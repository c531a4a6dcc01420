"""Deals of the day in memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bot.store.errors import Conflict
from bot.store.memory.data import ClosableInvitation, Data, SavedAttempt
from bot.store.memory.matches import begin_match
from bot.store.memory.transactions import Transactions, reads, writes
from bot.store.rows.daily import DailyAttempt, DailyDeal, DailyMessage
from bot.store.rows.invitations import Invitation
from bot.store.rows.matches import MatchRow, Record


class MemoryDaily(Transactions):
    """`bot.store.protocols.daily.DailyStore` in memory."""

    @writes
    def seal_daily_deal(self, data: Data, deal: DailyDeal) -> DailyDeal:
        return data.daily_deals.setdefault((deal.guild_id, deal.game, deal.day), deal)

    @reads
    def daily_deal(self, data: Data, guild_id: int, game: str, day: int) -> DailyDeal | None:
        return data.daily_deals.get((guild_id, game, day))

    @writes
    def open_attempt(self, data: Data, asked: Invitation, match: MatchRow, deal: Record) -> None:
        made = SavedAttempt(match.guild_id, match.game, match.day or 0, asked.host_id)
        if made in [replace(tried, shown=False) for tried in data.daily_attempts.values()]:
            raise Conflict("this deal was tried before")
        if asked.id in data.invitations:
            raise Conflict("an invitation with this id was added before")
        data.invitations[asked.id] = ClosableInvitation(asked)
        begin_match(data, match, deal, (), self._now())
        data.daily_attempts[match.id] = made

    @reads
    def attempt(self, data: Data, guild_id: int, game: str, day: int, user_id: int) -> DailyAttempt | None:
        wanted = SavedAttempt(guild_id, game, day, user_id)
        found = (key for key, tried in data.daily_attempts.items() if replace(tried, shown=False) == wanted)
        return next((_attempt(data, key) for key in found), None)

    @reads
    def attempts_on(self, data: Data, guild_id: int, day: int) -> list[DailyAttempt]:
        return _by_age(
            data, (key for key, tried in data.daily_attempts.items() if (tried.guild_id, tried.day) == (guild_id, day))
        )

    @reads
    def attempts_by(self, data: Data, guild_id: int, user_id: int) -> list[DailyAttempt]:
        theirs = (guild_id, user_id)
        return _by_age(
            data, (key for key, tried in data.daily_attempts.items() if (tried.guild_id, tried.user_id) == theirs)
        )

    @reads
    def days_finished(self, data: Data, guild_id: int, game: str, user_id: int) -> list[int]:
        days = []
        for key, tried in data.daily_attempts.items():
            result = data.results.get(key)
            played_out = result is not None and bool(result.ranks) and result.kind != "resignation"
            if played_out and (tried.guild_id, tried.game, tried.user_id) == (guild_id, game, user_id):
                days.append(tried.day)
        return sorted(days, reverse=True)

    @reads
    def unshown_attempts(self, data: Data, since: int) -> list[DailyAttempt]:
        return _by_age(
            data,
            (
                key
                for key, tried in data.daily_attempts.items()
                if tried.day >= since
                and not tried.shown
                and key in data.results
                and self.serves.includes(tried.guild_id)
            ),
        )

    @writes
    def note_shown(self, data: Data, match_id: str) -> None:
        if match_id in data.daily_attempts:
            data.daily_attempts[match_id] = replace(data.daily_attempts[match_id], shown=True)

    @reads
    def daily_message(self, data: Data, guild_id: int, channel_id: int, day: int) -> DailyMessage | None:
        return data.daily_messages.get((guild_id, channel_id, day))

    @writes
    def put_daily_message(self, data: Data, message: DailyMessage) -> None:
        data.daily_messages[message.guild_id, message.channel_id, message.day] = message


def _attempt(data: Data, match_id: str) -> DailyAttempt:
    tried, match = data.daily_attempts[match_id], data.matches[match_id]
    seat = match.seats.index(tried.user_id)
    acts = sum(record.actor == seat for record in data.logs[match_id])
    return DailyAttempt(
        match_id,
        tried.guild_id,
        tried.game,
        tried.day,
        tried.user_id,
        match.channel_id,
        tried.shown,
        acts,
        data.results.get(match_id),
    )


def _by_age(data: Data, match_ids: Iterable[str]) -> list[DailyAttempt]:
    found = sorted(match_ids, key=lambda match_id: (data.matches[match_id].opened_at, match_id))
    return [_attempt(data, match_id) for match_id in found]
