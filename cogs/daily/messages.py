"""Keeps the one message a day and channel that says how people did in the deals of the day.

It is edited as more people finish. One that has grown old is posted again at the foot of its channel, because Discord
limits edits of old messages, and the former one is deleted. What is about to be posted is recorded first. So if a
process is killed between the post and the note of its message, the next one finds the message and goes on with it.
What a whole server reads in the channel of its week is here too.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeAlias

from bot.play.closed_deals import ClosedDeals
from bot.play.deals.tried import TOLD, ending_of
from bot.play.live_match import LiveMatch
from bot.play.observers import Observer
from bot.scheduler import day_of
from bot.store.errors import StoreError
from bot.store.special_ids import is_direct
from bot.store.store import Store
from bot.ui.screen import Screen
from cogs.daily.deals import open_deals
from cogs.daily.queries import DailyAttempt, DailyMessage, DailyQueries
from cogs.daily.screens import SUBJECT, GameOfDay, OpenDeal, channel_message, week_screen
from cogs.screens.renderer import sheet
from cogs.updates.channel_messages import ChannelMessages, NotTaken, Posted, Sent
from cogs.updates.edit_queue import EditQueue, Priority
from cogs.updates.server_week import WeekPost
from cogs.updates.shown_messages import MARGIN, ShownMessage, ShownMessages, presses_of
from cogs.wording import Wording

_log = logging.getLogger(__name__)

LOOKED_BACK: Final = 1
"""Of how many days before today a start still shows the ends of attempts."""

Where: TypeAlias = tuple[int, int, int]
"""A server, a channel and a day."""


@dataclass(slots=True, eq=False)
class DailyMessages(Observer):
    """The messages about deals of the day in all channels."""

    shown_messages: ShownMessages
    messages: ChannelMessages
    queries: DailyQueries
    edits: EditQueue
    wording: Wording
    closed_deals: ClosedDeals

    async def resume(self) -> None:
        """Show what an earlier process had no time to show. Raises StoreError."""
        unshown = await self.queries.unshown_attempts(day_of(self.shown_messages.now()) - LOOKED_BACK)
        for guild_id, channel_id, day in dict.fromkeys((each.guild_id, each.channel_id, each.day) for each in unshown):
            self._request(guild_id, channel_id, day)

    def match_changed(self, match: LiveMatch) -> None:
        """Have the channel of an attempt that is over read how it ended."""
        if match.over and match.day is not None and not match.everywhere:
            self._request(match.guild_id, match.channel_id, match.day)

    def _request(self, guild_id: int, channel_id: int, day: int) -> None:
        if is_direct(guild_id):
            return  # nobody else plays its deals
        update = partial(self._update, (guild_id, channel_id, day))
        self.edits.request_edit(("channel", channel_id), (SUBJECT, guild_id, day), update, Priority.NOTICE)

    async def _update(self, where: Where) -> int:
        """Bring a message up to date. Returns how many requests that took, about. Raises NotTaken."""
        guild_id, channel_id, day = where
        try:
            attempts = await self.queries.attempts_on(guild_id, day)
            here = [each for each in attempts if each.channel_id == channel_id and each.result is not None]
            told = [each for each in here if ending_of(each) in TOLD]
            if any(not each.shown for each in told):
                told.sort(key=lambda each: each.result.ended_at if each.result else 0)
                made = sheet(await self.screen(guild_id, day, told, attempts), SUBJECT)
                message = DayMessage(self.queries, where, await self._former(where), self.shown_messages.now())
                await self.shown_messages.show(message, made)
            for each in here:
                if not each.shown:
                    await self.queries.note_shown(each.match_id)
        except StoreError as error:
            _log.warning("a channel could not read of a deal of the day: %s", type(error).__name__)
            raise NotTaken(type(error).__name__) from error
        return 2

    async def screen(
        self, guild_id: int, day: int, told: Sequence[DailyAttempt], attempts: Sequence[DailyAttempt]
    ) -> Screen:
        """What a channel reads about a server's deals of a day: of these attempts, and of all. Raises StoreError."""
        words = self.wording.of_server(guild_id)
        yesterday = await self._yesterday(guild_id, told[0].channel_id, day) if told else []
        before = [attempt.user_id for each in yesterday for attempt in each.attempts]
        users = tuple(dict.fromkeys((*[each.user_id for each in told], *before)))
        games = []
        for game in dict.fromkeys(each.game for each in attempts):
            deal = await self.queries.deal(guild_id, game, day)
            here = [each for each in told if each.game == game]
            if deal is not None and here:
                games.append(GameOfDay(game, deal.level, here, [each for each in attempts if each.game == game]))
        streaks = {each.match_id: await self.queries.streak(guild_id, each.game, each.user_id, day) for each in told}
        names = dict(zip(users, await self.wording.loaded(guild_id, users, words), strict=True))
        return channel_message(games, yesterday, day, streaks=streaks, names=names, words=words)

    async def _yesterday(self, guild_id: int, channel_id: int, day: int) -> list[OpenDeal]:
        """The deals of the day before, as far as they are open, and what people of the channel made of them.

        Raises StoreError.
        """
        attempts = await self.queries.attempts_on(guild_id, day - 1)
        here = [each for each in attempts if each.channel_id == channel_id]
        games = dict.fromkeys(each.game for each in here)
        deals = await open_deals(self.queries, self.closed_deals, guild_id, day - 1, games)
        return [OpenDeal(deal, [each for each in here if each.game == deal.game]) for deal in deals]

    async def _former(self, where: Where) -> DailyMessage | None:
        """The message that is there, also one whose id was never recorded."""
        former = await self.queries.message(*where)
        if former is None or former.message_id is not None:
            return former
        _, channel_id, day = where
        found = [
            sent.posted.message_id
            for sent in await self.messages.find_sent(channel_id, former.posted_at - MARGIN)
            if _is_about(sent, day)
        ]
        return DailyMessage(*where, found[-1], former.posted_at) if found else None


class DayMessage(ShownMessage):
    """The message about a day, as one that must show a state. Its row in the store is the record of a post, too."""

    def __init__(self, queries: DailyQueries, where: Where, former: DailyMessage | None, now: int) -> None:
        self._queries = queries
        self._former = former
        self._row = DailyMessage(*where, None, now)
        self.guild_id, self.channel_id, _ = where
        self.message_id = None if former is None else former.message_id
        self.made_at = now if former is None else former.posted_at

    def vanished(self) -> None:
        self._former = self.message_id = None

    async def begin(self) -> None:
        await self._queries.put_message(self._row)

    async def refused(self, *, certain: bool) -> None:
        if certain and self._former is not None:
            await self._queries.put_message(self._former)  # the former one is still all that there is

    async def placed(self, posted: Posted) -> Posted | None:
        await self._queries.put_message(replace(self._row, message_id=posted.message_id))
        return None if self.message_id is None else Posted(self.channel_id, self.message_id)


def _is_about(sent: Sent, day: int) -> bool:
    """Whether a message of the bot's own is about the deals of a day: its button says so."""
    return any((subject, press.arg) == (SUBJECT, str(day)) for subject, press in presses_of(sent))


RECENT: Final = 3
"""In how many days, today among them, somebody must have tried a deal. A silent server gets no message."""


@dataclass(frozen=True, slots=True, eq=False)
class DailyWeek:
    """The deals of the day, as whole servers read of them."""

    queries: DailyQueries
    closed_deals: ClosedDeals
    store: Store
    wording: Wording

    async def post(self, guild_id: int) -> WeekPost | None:
        """Today's deals, and what people made of yesterday's; None if nobody has tried one lately. Raises
        StoreError."""
        today = self.closed_deals.today()
        yesterdays = await self.queries.attempts_on(guild_id, today - 1)
        others = (today, *range(today - RECENT + 1, today - 1))
        if not yesterdays and not any([await self.queries.attempts_on(guild_id, day) for day in others]):
            return None
        users = {each.user_id for each in yesterdays}
        listed = {user for user in users if not await self.store.is_hidden(guild_id, user)}
        told = [each for each in yesterdays if each.user_id in listed]
        games = dict.fromkeys(each.game for each in told)
        deals = await open_deals(self.queries, self.closed_deals, guild_id, today - 1, games)
        opened = [OpenDeal(deal, [each for each in told if each.game == deal.game]) for deal in deals]
        words = self.wording.of_server(guild_id)
        asked = sorted(listed)
        names = dict(zip(asked, await self.wording.loaded(guild_id, asked, words), strict=True))
        return WeekPost(week_screen(opened, today, names, words))
