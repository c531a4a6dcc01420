"""Tells one person something about a channel: there, or in a direct message, at the level that they chose (`/notify`).

Every kind of notice goes this way: that it is somebody's turn or their time is nearly up, that a match has begun or was
resumed, that a table is open. The kinds, and what becomes of a notice at each level, are here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.play.access import Access, obstacles
from bot.play.live_match import LiveMatch
from bot.store.errors import StoreError
from bot.store.queries.matches import Obstacle
from bot.store.queries.people import DEFAULT, NoticeLevel
from bot.store.store import Store
from bot.ui.isolation import mention
from cogs.screens.renderer import ButtonsBelow
from cogs.screens.safe_names import safe_server_name
from cogs.updates.channel_messages import ChannelMessages, NotTaken, Posted, remove
from cogs.updates.edit_queue import EditQueue, Priority
from cogs.updates.quiet_hours import QuietHours
from cogs.wording import Wording

Send: TypeAlias = Callable[[], Awaitable[Posted]]
Record: TypeAlias = Callable[[int, str, Send], Awaitable[Posted]]
"""Sends a text to a channel, by its last argument, and records that. Raises NotTaken."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of notice: its sentences in the channel (`here`) and in a direct message (`there`), at which `level` its
    readers get it (None for what they chose), and when it goes.

    A newer notice of the same `slot` takes an older one's place. One that `answers` a question goes when the match no
    longer waits for its player, any other when what it is about is over. One that is `recorded` in the store survives a
    restart; the first press on another that did deletes it.
    """

    slot: str
    here: str
    there: str
    level: NoticeLevel | None = None
    tells_clock: bool = False
    answers: bool = False
    recorded: bool = False


TURN: Final = Kind("turn", "notice.your_turn", "notice.your_turn_there", tells_clock=True, answers=True, recorded=True)
WARNING: Final = Kind("turn", "notice.time_short", "notice.time_short_there", answers=True, recorded=True)
BEGUN: Final = Kind("begun", "begun.told", "begun.told_there")
RESUMED: Final = Kind("resumed", "resume.told", "resume.told_there")
GAVE_PLACE: Final = Kind("gave_place", "gave_place.told", "gave_place.told_there")


@dataclass(frozen=True, slots=True)
class Notice:
    """What to say to a person about a channel: `here`, in that channel, with `below` it, or `there`, in a direct
    message."""

    guild_id: int
    channel_id: int
    user: int
    here: str
    there: str
    below: ButtonsBelow | None = None


async def notice_for(
    wording: Wording, kind: Kind, venue: tuple[int, int], user: int, *, more: str = "", **said: object
) -> Notice:
    """A notice to somebody about a channel of a server, in their own language. `said` is what its sentences name. In
    the channel they are mentioned as `who` and, unless that is somebody else, as `player`; `more` comes behind."""
    guild_id, channel_id = venue
    words = await wording.of_person(guild_id, user)
    here = words(kind.here, **{"player": mention(user), **said, "who": mention(user)})
    server = safe_server_name(wording.server_name(guild_id), guild_id)
    return Notice(guild_id, channel_id, user, here + more, words(kind.there, **said, server=server) + more)


async def unrecorded(_channel_id: int, _text: str, send: Send) -> Posted:
    """A `Record` that keeps none."""
    return await send()


@dataclass(slots=True, eq=False)
class Notifier:
    """Sends notices. `access` tells who can see a channel."""

    messages: ChannelMessages
    store: Store
    access: Access

    async def quiet_hours(self, user: int) -> QuietHours:
        """In which hours somebody wants to be notified of nothing; none if the store can't say."""
        try:
            return QuietHours.of((await self.store.preferences([user])).get(user, {}))
        except StoreError:
            return QuietHours()

    async def is_quiet(self, user: int) -> bool:
        """Whether somebody wants to be notified of nothing now."""
        return (await self.quiet_hours(user)).are_now(self.store.now())

    async def level(self, kind: Kind, guild_id: int, user: int) -> NoticeLevel:
        """At which level somebody gets a notice of a kind in a server.

        Who didn't take the last digest is pinged, as those who take no direct messages.
        """
        if kind.level is not None:
            return kind.level
        try:
            level = await self.store.notice_level(guild_id, user)
            digest = await self.store.digest(user) if level is NoticeLevel.DIGEST else None
        except StoreError:
            return DEFAULT
        return NoticeLevel.PING if digest is not None and digest.refused else level

    async def tell(
        self, notice: Notice, level: NoticeLevel, record: Record = unrecorded, *, silent: bool = False
    ) -> Posted | None:
        """Notify somebody at this level; a `silent` notice is there, and doesn't notify them. Returns None for those
        who want no notice. Raises NotTaken."""
        if level is NoticeLevel.NONE:
            return None
        told = await self.tell_directly(notice, level, record, silent=silent)
        return told or await self.mention(notice, NoticeLevel.QUIET if silent else level, record)

    async def tell_directly(
        self, notice: Notice, level: NoticeLevel, record: Record = unrecorded, *, silent: bool = False
    ) -> Posted | None:
        """Notify somebody by a direct message, if that is their way: at that level, and at that of a ping in a channel
        that they can't see, because a mention there notifies nobody.

        Returns None if it isn't, or if they take none. Raises NotTaken for other refusals.
        """
        if level is NoticeLevel.PING:
            if await self.obstacle(notice.guild_id, notice.channel_id, notice.user) is not Obstacle.HIDDEN:
                return None
        elif level not in {NoticeLevel.DIRECT, NoticeLevel.DIGEST}:
            return None
        try:
            return await self.send_directly(notice, record, silent=silent)
        except NotTaken as error:
            if not error.refuses_direct_messages:
                raise
            return None

    async def send_directly(self, notice: Notice, record: Record = unrecorded, *, silent: bool = False) -> Posted:
        """Send somebody a direct message, whatever their level. Raises NotTaken."""
        channel_id, send = await self.messages.open_direct(notice.user), self.messages.send_directly
        return await record(channel_id, notice.there, lambda: send(notice.user, notice.there, silent=silent))

    async def mention(self, notice: Notice, level: NoticeLevel, record: Record = unrecorded) -> Posted:
        """Mention somebody in the channel; at the level QUIET that notifies nobody. Raises NotTaken."""
        notified = () if level is NoticeLevel.QUIET else (notice.user,)
        venue = notice.guild_id, notice.channel_id
        send = self.messages.post_text
        return await record(notice.channel_id, notice.here, lambda: send(*venue, notice.here, notified, notice.below))

    async def post(self, match: LiveMatch, text: str, notified: Collection[int]) -> Posted:
        """Post one notice for several people in their match's channel. Raises NotTaken."""
        return await self.messages.post_text(match.guild_id, match.channel_id, text, notified)

    async def change(self, posted: Posted, text: str) -> None:
        """Let a notice say something else. This notifies nobody. Raises NotTaken."""
        await self.messages.edit_text(posted, text)

    async def remove(self, posted: Posted) -> None:
        """Delete a notice, unless it is gone or can't be deleted. Raises NotTaken if another try may."""
        await remove(self.messages, posted)

    def remove_later(self, edits: EditQueue, posted: Posted) -> None:
        """Have a notice deleted when it is its turn."""

        async def remove() -> int:
            await self.remove(posted)
            return 1

        bucket, key = ("notice", posted.channel_id), ("removed", posted.message_id)
        edits.request_edit(bucket, key, remove, Priority.NOTICE)

    async def obstacle(self, guild_id: int, channel_id: int, user: int) -> Obstacle | None:
        """Why somebody could not play in a channel; None if they could."""
        return (await obstacles(self.access, guild_id, channel_id, (user,))).get(user)
