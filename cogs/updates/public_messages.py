"""Keeps the one public message of each thing that people sign up for, such as a tournament or a league.

The message is edited as things change, at most once for each turn of its channel. When something has begun, and the
message is further up than people look, it is posted again. A process may be killed between a post and the note of its
message, so before another post the channel is looked through for what was lost, and that is deleted.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeAlias

from bot.gateway.discord_time import made_at
from bot.kept import Kept
from bot.play.live_match import LiveMatch
from bot.play.observers import Observer
from bot.play.refusals import Refused, Unsaved
from bot.store.errors import StoreError
from bot.store.queries.invitations import Invitation
from bot.ui.screen import Screen
from cogs.updates.channel_messages import NotTaken, Posted
from cogs.updates.edit_queue import EditQueue, Priority
from cogs.updates.shown_messages import ShownMessage, ShownMessages

MOST_TIMES: Final = 10_000
"""How many messages' times to remember. Older ones are as their ids say, which is wrong by the difference of two clocks
at most."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PublicMessage:
    """What is kept of a message, and what it shows now. Times are in ms UTC."""

    id: str
    """What its controls act on."""
    guild_id: int
    channel_id: int
    message_id: int | None
    """None if none was noted yet."""
    created_at: int
    """No message of it is older."""
    begun_at: int | None
    """A message that was posted before this is posted again."""
    screen: Screen
    unlinked: frozenset[str] = frozenset()
    """Matches and challenges that it will link, by their ids, once they have an address."""


Read: TypeAlias = Callable[[int, str], Awaitable[PublicMessage]]
"""Reads what a message shows now, given a server and an id. May raise Refused if that is gone, Unsaved and
StoreError."""
Note: TypeAlias = Callable[[PublicMessage, int], Awaitable[bool]]
"""Records the message that shows something. Returns False if it is shown in another channel by now. May raise as
`Read`."""


@dataclass(slots=True, eq=False)
class PublicMessages(Observer):
    """The public messages of all servers about one subject."""

    subject: str
    read: Read
    note: Note
    shown_messages: ShownMessages
    edits: EditQueue
    _unlinked: dict[str, tuple[int, str]] = field(default_factory=dict, init=False)
    """The server and id of what will link a match or a challenge, by the id of that."""
    _made: Kept[int, int] = field(default_factory=partial(Kept, "times of public messages", MOST_TIMES), init=False)
    """When this process posted which messages, by its own clock (ms UTC): that of Discord, which their ids tell, may be
    behind it, and a message would be posted again and again."""

    def match_changed(self, match: LiveMatch) -> None:
        """Link a board that has been posted."""
        if match.id in self._unlinked and (match.over or match.board_id is not None):
            self.request(*self._unlinked.pop(match.id))

    def invitation_opened(self, invitation: Invitation) -> None:
        """Link a challenge that has been posted. It may become a match."""
        if invitation.id in self._unlinked:
            self.request(*self._unlinked[invitation.id])

    def server_purged(self, guild_id: int) -> None:
        """Forget what a server will link."""
        self._unlinked = {each: of for each, of in self._unlinked.items() if of[0] != guild_id}

    def request(self, guild_id: int, target: str) -> None:
        """Have a message show how things are now."""
        key = self.subject, target
        self.edits.request_edit(key, key, partial(self._update, guild_id, target), Priority.NOTICE)

    def left(self, guild_id: int, target: str, channel_id: int, message_id: int | None) -> None:
        """Have a message deleted that stays behind in a channel, because it is shown in another one from now on. Then
        it is looked at again: it may have come back meanwhile."""

        async def gone() -> None:
            self.request(guild_id, target)

        if message_id is not None:
            self.shown_messages.delete(Posted(channel_id, message_id), gone)

    async def _update(self, guild_id: int, target: str) -> int:
        """Bring a message up to date. Returns how many requests that took, about. Raises NotTaken."""
        try:
            wanted = await self.read(guild_id, target)
            self._unlinked = {each: of for each, of in self._unlinked.items() if of != (guild_id, target)}
            self._unlinked |= dict.fromkeys(wanted.unlinked, (guild_id, target))
            message = _Message(self, wanted, await self._former(wanted))
            return await self.shown_messages.show(message, await self.shown_messages.made(wanted.screen, target))
        except (StoreError, Unsaved) as error:
            _log.warning("a channel could not read of a %s: %s", self.subject, type(error).__name__)
            raise NotTaken(type(error).__name__) from error
        except Refused:  # it was deleted with its server meanwhile
            return 0

    async def _former(self, wanted: PublicMessage) -> int | None:
        """The message that is there, also one whose id was never recorded."""
        if wanted.message_id is not None:
            return wanted.message_id
        return await self.shown_messages.find(wanted.channel_id, wanted.created_at, wanted.id)

    def made_at(self, message_id: int) -> int:
        """When a message was posted (ms UTC)."""
        return self._made.get(message_id, made_at(message_id))

    async def placed(self, wanted: PublicMessage, posted: Posted, former: int | None) -> bool:
        """Record that a message was posted in place of a former one. Returns whether it is where it belongs."""
        noted = await self.note(wanted, posted.message_id)
        self._made.pop(former or 0, None)
        if noted:
            self._made[posted.message_id] = self.shown_messages.now()
        return noted


class _Message(ShownMessage):
    """Such a message, as one that must show a state."""

    def __init__(self, owner: PublicMessages, wanted: PublicMessage, former: int | None) -> None:
        self._owner, self._wanted = owner, wanted
        self.guild_id, self.channel_id = wanted.guild_id, wanted.channel_id
        self.message_id = former
        self.made_at = wanted.created_at if former is None else owner.made_at(former)
        self.wanted_below = wanted.begun_at is not None and self.made_at < wanted.begun_at

    def vanished(self) -> None:
        self.message_id = None

    async def begin(self) -> None:
        """Nothing is recorded before: what an earlier process has posted and never noted is found by its buttons."""
        known = self._wanted.message_id
        if known is None:
            return
        since = self._wanted.begun_at if self.wanted_below else self.made_at
        try:
            lost = await self._owner.shown_messages.find(self.channel_id, since or 0, self._wanted.id)
        except NotTaken as error:
            if error.may_pass:
                raise
            _log.info("a lost message of a %s could not be looked for (code %d)", self._owner.subject, error.code)
            return
        if lost is not None and lost != known:
            self._owner.shown_messages.delete(Posted(self.channel_id, lost), self.replaced)

    async def refused(self, *, certain: bool) -> None:
        """The former one is still all that there is."""

    async def placed(self, posted: Posted) -> Posted | None:
        if not await self._owner.placed(self._wanted, posted, self.message_id):
            return posted  # it was moved meanwhile
        return None if self.message_id is None else Posted(self.channel_id, self.message_id)
