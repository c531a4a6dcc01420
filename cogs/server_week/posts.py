"""Keeps the messages of servers' weeks: one a room, in a channel that the server has chosen, posted silently and
edited as its content changes.

It is looked every ten minutes, and what a message shows is kept as a digest, so an edit is made only where something
has changed. What is about to be posted is recorded first: if a process is killed between the post and the note of its
message, the next one finds the message by its controls. What a server refuses is tried again the next day, or where its
settings name another channel or role.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, TypeAlias

from bot.play.server_settings import KnownServerSettings
from bot.scheduler import day_of
from bot.store.errors import StoreError
from cogs.screens.renderer import Sheet, sheet
from cogs.server_week.queries import PostRow, WeekQueries
from cogs.updates.channel_messages import ChannelMessages, NotTaken, Posted, remove
from cogs.updates.edit_queue import EditQueue, Priority
from cogs.updates.server_roles import UNKNOWN_MEMBER, ServerRoles
from cogs.updates.server_week import ServerWeek, WeekPost
from cogs.updates.shown_messages import ShownMessage, ShownMessages

_log = logging.getLogger(__name__)

Send: TypeAlias = Callable[[], Awaitable[None]]

SUBJECT: Final = "week"
LOOKS_EVERY: Final = 600.0
"""Seconds between two looks at all servers."""
FIRST_AFTER: Final = 60.0
"""Seconds after a start, which has more to do at first."""
PAUSE: Final = 0.01
"""Seconds after each server."""


@dataclass(slots=True, eq=False)
class WeekMessages:
    """The messages of all servers' weeks, and the roles that go with them."""

    week: ServerWeek
    queries: WeekQueries
    shown_messages: ShownMessages
    messages: ChannelMessages
    edits: EditQueue
    roles: ServerRoles
    server_settings: KnownServerSettings
    _running: asyncio.Task[None] | None = field(default=None, init=False)

    async def resume(self) -> None:
        """Begin, a little later."""
        self._running = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop looking."""
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)

    async def _run(self) -> None:
        scheduler = self.shown_messages.scheduler
        await scheduler.sleep(FIRST_AFTER)
        while True:
            try:
                servers = {*self.server_settings.with_posts(), *await self.queries.posted_in()}
            except StoreError:
                servers = set()  # the store has reported it
            for guild_id in sorted(servers):
                await self.look(guild_id)
                await scheduler.sleep(PAUSE)
            await scheduler.sleep(LOOKS_EVERY)

    async def look(self, guild_id: int) -> None:
        """Have the messages of a server show what they should."""
        try:
            rows = await self.queries.posts(guild_id)
        except StoreError:
            return  # the store has reported it
        for room in sorted({*self.week.posts, *rows}):
            try:
                await self._look(guild_id, room, rows.get(room))
            except StoreError:
                continue  # it may be this room's alone: what is counted again can't be read for minutes
            except Exception as error:  # noqa: BLE001  whatever it is, the others come next
                _log.warning("what a room says to a server could not be read: %s", type(error).__name__)

    async def _look(self, guild_id: int, room: str, row: PostRow | None) -> None:
        read = self.week.posts.get(room)
        post = None if read is None else await read(guild_id)
        channel_id = self._channel(guild_id, post)
        if post is None or channel_id is None:
            if row is not None and row.edition == 0:
                self._request(guild_id, row.channel_id, room, partial(self._remove, row))
            return
        if self.week.channels.get(channel_id) != self._today:
            made = _made(post, room)
            if row is None or _is_due(row, post, channel_id, made):
                fresh = PostRow(guild_id, room, post.edition, channel_id, None, self.shown_messages.now(), made.mark())
                self._request(guild_id, channel_id, room, partial(self._show, fresh, made))
        if post.firsts is not None:
            self._request(guild_id, channel_id, f"{room} roles", partial(self._honour, guild_id, room))

    def _channel(self, guild_id: int, post: WeekPost | None) -> int | None:
        """Where a message stands; None where the server has chosen no channel for it."""
        if post is not None and post.channel_id is not None:
            return post.channel_id
        return next(iter(self.server_settings.of(guild_id).week), None)

    def _request(self, guild_id: int, channel_id: int, key: str, send: Send) -> None:
        async def tried() -> int:
            try:
                await send()
            except StoreError as error:
                raise NotTaken(type(error).__name__) from error
            except NotTaken as error:
                if error.may_pass:
                    raise
                _log.info("a server refused a message of its week (code %d)", error.code)
                self.week.channels[channel_id] = self._today
            return 1

        self.edits.request_edit(("channel", channel_id), (SUBJECT, guild_id, key), tried, Priority.NOTICE)

    # ------------------------------------------------------------------------------------ messages

    async def _show(self, fresh: PostRow, made: Sheet) -> None:
        """Edit a message, or post it. Raises StoreError and NotTaken."""
        row = await self._found((await self.queries.posts(fresh.guild_id)).get(fresh.room))
        await self.shown_messages.show(message := _Message(self.queries, row, fresh), made)
        if not message.was_posted and row is not None:
            await self.queries.put(replace(row, shown=fresh.shown))
        self.week.channels.pop(fresh.channel_id, None)

    async def _remove(self, row: PostRow) -> None:
        """Delete a message that has nothing to say any more. Raises StoreError and NotTaken."""
        found = await self._found(row)
        if found is not None and found.message_id is not None:
            await remove(self.messages, Posted(found.channel_id, found.message_id))
        await self.queries.drop(row.guild_id, row.room)

    async def _found(self, row: PostRow | None) -> PostRow | None:
        """A message that is there, also one whose id was never recorded; None without one. Raises NotTaken."""
        if row is None or row.message_id is not None:
            return row
        found = await self.shown_messages.find(row.channel_id, row.posted_at, _subject(row.room, row.edition))
        return None if found is None else replace(row, message_id=found)

    # ------------------------------------------------------------------------------------ the role of the first

    async def _honour(self, guild_id: int, room: str) -> None:
        """Give the role of the season's first to those whom a room names now, because somebody may have hidden since it
        was looked at, and take from others what the bot gave them. Raises StoreError, and NotTaken if another try may
        do it."""
        chosen = self.server_settings.of(guild_id).first_role
        if not chosen or self.week.roles.get(chosen[0]) == self._today:
            return
        role, post = chosen[0], await self.week.posts[room](guild_id)
        if post is None or post.firsts is None:
            return
        had = await self.queries.firsts(guild_id)
        wanted = [(user_id, role) for user_id in post.firsts]
        try:
            for user_id, role_id in wanted:
                if (user_id, role_id) not in had:
                    await _unless_gone(self.roles.give(guild_id, user_id, role_id))
                    await self.queries.note_given(guild_id, user_id, role_id)
            for user_id, role_id in had:
                if (user_id, role_id) not in wanted:
                    await _unless_gone(self.roles.take(guild_id, user_id, role_id))
                    await self.queries.note_taken(guild_id, user_id, role_id)
        except NotTaken as error:
            if error.may_pass:
                raise
            _log.info("a server refused the role of its season's first (code %d)", error.code)
            self.week.roles[role] = self._today
        else:
            self.week.roles.pop(role, None)

    @property
    def _today(self) -> int:
        """The day; what was refused on it is not tried again."""
        return day_of(self.shown_messages.now())


class _Message(ShownMessage):
    """A room's message, as one that must show a state. It is edited however old it is, because it changes seldom."""

    def __init__(self, queries: WeekQueries, former: PostRow | None, fresh: PostRow) -> None:
        """`former` is the message that is there, and `fresh` the one that is wanted."""
        self._queries, self._former, self._fresh = queries, former, fresh
        self.guild_id, self.channel_id = fresh.guild_id, fresh.channel_id
        same = former is not None and (former.edition, former.channel_id) == (fresh.edition, fresh.channel_id)
        self.message_id = former.message_id if former is not None and same else None
        self.made_at = fresh.posted_at
        self.was_posted = False

    def vanished(self) -> None:
        self._former = self.message_id = None

    async def begin(self) -> None:
        self.was_posted = True
        await self._queries.put(self._fresh)

    async def refused(self, *, certain: bool) -> None:
        if not certain:
            return
        if self._former is None:
            await self._queries.drop(self._fresh.guild_id, self._fresh.room)
        else:
            await self._queries.put(self._former)  # it is still all that there is

    async def placed(self, posted: Posted) -> Posted | None:
        await self._queries.put(replace(self._fresh, message_id=posted.message_id))
        former = self._former
        if former is None or former.message_id is None or former.edition != 0:
            return None  # another edition stays as a record
        return Posted(former.channel_id, former.message_id)


def _is_due(row: PostRow, post: WeekPost, channel_id: int, made: Sheet) -> bool:
    """Whether a message has to be posted or edited. One that stays as a record isn't moved to another channel."""
    if row.edition != post.edition or row.message_id is None:
        return True
    if row.channel_id != channel_id:
        return post.edition == 0
    return row.shown != made.mark()


def _made(post: WeekPost, room: str) -> Sheet:
    return sheet(post.screen, _subject(room, post.edition)).silenced()


def _subject(room: str, edition: int) -> str:
    """What the controls of a message act on, in place of a match."""
    return f"{SUBJECT}_{room[:12]}_{edition}"


async def _unless_gone(request: Awaitable[None]) -> None:
    """Make a request about a member, who may have left. Raises NotTaken."""
    try:
        await request
    except NotTaken as error:
        if error.code != UNKNOWN_MEMBER:
            raise
