"""Keeps the one message a day and channel that says how people did in the deals of the day.

It is edited as more people finish. One that has grown old is posted again at the foot of its channel, because Discord
limits edits of old messages, and the former one is deleted. What is about to be posted is recorded first. So if a
process is killed between the post and the note of its message, the next one finds the message and goes on with it.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeAlias

from bot.play.daily.results import TOLD, ending_of
from bot.play.live_match import LiveMatch
from bot.scheduler import Scheduler
from bot.store.errors import StoreError
from bot.store.protocols.daily import DailyStore
from bot.store.rows.daily import DailyAttempt, DailyMessage
from bot.ui.screen import Screen
from cogs.screens import custom_ids
from cogs.screens.daily.day_screen import SUBJECT
from cogs.screens.renderer import Sheet, sheet
from cogs.updates.board_updater import STALE
from cogs.updates.channel_messages import UNKNOWN_MESSAGE, ChannelMessages, Limited, NotTaken, Posted, Sent
from cogs.updates.edit_queue import TRIES, EditQueue, Priority, retry_delay
from cogs.updates.postings import MARGIN

_log = logging.getLogger(__name__)

LOOKED_BACK: Final = 1
"""Of how many days before today a start still shows the ends of attempts."""

Place: TypeAlias = tuple[int, int, int]
"""A server, a channel and a day."""


class DailyMessages:
    """The messages about deals of the day in all channels."""

    def __init__(
        self,
        messages: ChannelMessages,
        store: DailyStore,
        edits: EditQueue,
        scheduler: Scheduler,
        screen: Callable[[int, int, Sequence[DailyAttempt], Sequence[DailyAttempt]], Awaitable[Screen]],
    ) -> None:
        """`screen` makes a message from its server, its day, the attempts of which the channel reads, and all attempts
        of the server on that day."""
        self._messages = messages
        self._store = store
        self._edits = edits
        self._scheduler = scheduler
        self._screen = screen

    async def resume(self, today: int) -> None:
        """Show what an earlier process had no time to show. Raises StoreError."""
        unshown = await self._store.unshown_attempts(today - LOOKED_BACK)
        for guild_id, channel_id, day in dict.fromkeys((each.guild_id, each.channel_id, each.day) for each in unshown):
            self._request(guild_id, channel_id, day)

    def match_changed(self, match: LiveMatch) -> None:
        """Have the channel of an attempt that is over read how it ended."""
        if match.over and match.day is not None:
            self._request(match.guild_id, match.channel_id, match.day)

    def _request(self, guild_id: int, channel_id: int, day: int, failed: int = 0) -> None:
        async def update() -> int:
            return await self._update((guild_id, channel_id, day), failed)

        self._edits.request_edit(("channel", channel_id), (SUBJECT, guild_id, day), update, Priority.NOTICE)

    async def _update(self, place: Place, failed: int) -> int:
        """Bring a message up to date. Returns how many requests that took, about."""
        guild_id, channel_id, day = place
        try:
            attempts = await self._store.attempts_on(guild_id, day)
            here = [each for each in attempts if each.channel_id == channel_id and each.result is not None]
            told = [each for each in here if ending_of(each) in TOLD]
            if any(not each.shown for each in told):
                told.sort(key=lambda each: each.result.ended_at if each.result else 0)
                await self._show(place, sheet(await self._screen(guild_id, day, told, attempts), SUBJECT))
            for each in here:
                if not each.shown:
                    await self._store.note_shown(each.match_id)
        except (NotTaken, StoreError) as error:
            may_pass = not isinstance(error, NotTaken) or error.may_pass
            if may_pass and failed + 1 < TRIES:
                self._scheduler.call_later(retry_delay(failed + 1), self._request, *place, failed + 1)
            else:
                _log.warning("a channel could not read of a deal of the day: %s", type(error).__name__)
        return 2

    async def _show(self, place: Place, made: Sheet) -> None:
        """Edit the message, or post it if there is none, if it is old, or if somebody has deleted it."""
        guild_id, channel_id, day = place
        former = await self._former(place)
        now = self._scheduler.now()
        if former is not None and former.message_id is not None and now - former.posted_at < STALE:
            try:
                await self._messages.edit(guild_id, Posted(channel_id, former.message_id), made)
            except NotTaken as error:
                if error.code != UNKNOWN_MESSAGE:
                    raise
                former = None
            else:
                return
        about = DailyMessage(guild_id, channel_id, day, None, now)
        await self._store.put_daily_message(about)
        try:
            posted = await self._messages.post(guild_id, channel_id, made)
        except NotTaken as error:
            if former is not None and (error.answered or isinstance(error, Limited)):
                await self._store.put_daily_message(former)  # the former one is still all that there is
            raise
        await self._store.put_daily_message(DailyMessage(guild_id, channel_id, day, posted.message_id, now))
        if former is not None and former.message_id is not None:
            await self._delete(Posted(channel_id, former.message_id))

    async def _former(self, place: Place) -> DailyMessage | None:
        """The message that is there, also one whose place was never recorded."""
        former = await self._store.daily_message(*place)
        if former is None or former.message_id is not None:
            return former
        _, channel_id, day = place
        found = [
            sent.posted.message_id
            for sent in await self._messages.find_sent(channel_id, former.posted_at - MARGIN)
            if _is_about(sent, day)
        ]
        return DailyMessage(*place, found[-1], former.posted_at) if found else None

    async def _delete(self, posted: Posted) -> None:
        try:
            await self._messages.delete(posted)
        except NotTaken as error:
            if error.code != UNKNOWN_MESSAGE:
                _log.info("an old message about a deal of the day could not be removed (code %d)", error.code)


def _is_about(sent: Sent, day: int) -> bool:
    """Whether a message of the bot's own is about the deals of a day: its button says so."""
    for custom_id in sent.custom_ids:
        try:
            subject, press = custom_ids.read(custom_id)
        except custom_ids.UnknownCustomId:
            continue
        if (subject, press.arg) == (SUBJECT, str(day)):
            return True
    return False
