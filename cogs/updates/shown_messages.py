"""Keeps a message in a channel equal to a state, whatever becomes of it: the one way in which boards and the message of
the day are edited, posted again and deleted.

A message that must show a state is edited in place. Discord caps edits of messages older than an hour, so one that has
grown old is posted again with its next change, and so is one that somebody deleted. It is posted exactly once: its
policy (`ShownMessage`) records that before, and where it stands after, and the former one is deleted last. A picture
that Discord refuses is left out. What Discord did not take, though it may later, is raised: the edit queue tries again.

A process may be killed, or a connection cut, between a post and the note of its message. Where the record of a post is
left over, `Postings` look through the channel's messages since that moment, and delete those of the bot's own that
belong to the match and that nothing else knows.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Container, Hashable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeAlias, TypeVar

from bot.play.live_match import LiveMatch
from bot.scheduler import Scheduler
from bot.store.errors import StoreError
from bot.store.queries.invitations import Invitation
from bot.store.queries.screens import Posting
from bot.store.special_ids import link_part
from bot.store.store import Store
from bot.telemetry import Telemetry
from bot.ui.screen import Press, Screen
from cogs.screens import custom_ids
from cogs.screens.renderer import Sheet, sheet
from cogs.screens.tables import drawn
from cogs.updates.channel_messages import UNKNOWN_MESSAGE, ChannelMessages, NotTaken, Posted, Sent, remove
from cogs.updates.edit_queue import EditQueue, Priority, SendEdit
from engines.game import Seat

T = TypeVar("T")

_log = logging.getLogger(__name__)

STALE: Final = 55 * 60 * 1000
"""Milliseconds after which the next change posts a message again."""
SPACING_OF_OLD: Final = 7.0
"""Seconds between two edits of old messages in a channel."""
MARGIN = 60_000
"""By how much (ms) the clocks of the machine and of Discord may differ."""

Key: TypeAlias = tuple[str, Seat | None, int]


class ShownMessage(ABC):
    """A message that must show a state: what its policy knows of it, and what it records."""

    guild_id: int
    channel_id: int
    message_id: int | None
    """The message to edit; None if there is none."""
    made_at: int
    """When it was posted (ms UTC)."""
    wanted_below = False
    """Whether it must be posted again at the foot of its channel, however old it is."""

    is_known_by_picture = True
    """Whether it surely is right if it has its picture, so that a repair need not edit it."""
    is_board = False
    """Whether its edits count as those of boards (`cardroom_board_edits_total`)."""

    def vanished(self) -> None:  # noqa: B027  few policies want anything else
        """Discord knows no such message, so it is posted again. Raises what its policy wants instead."""

    def picture_refused(self) -> None:  # noqa: B027  few policies want to know
        """Discord refused its picture, so it is shown without it."""

    @abstractmethod
    async def begin(self) -> None:
        """Record that it is about to be posted. Raises NotTaken if what an earlier post left can't be looked for."""

    @abstractmethod
    async def refused(self, *, certain: bool) -> None:
        """The post failed; if that is not `certain`, Discord may have taken it."""

    @abstractmethod
    async def placed(self, posted: Posted) -> Posted | None:
        """Record where it was posted. Returns which message to delete now; None if there is none."""

    async def replaced(self) -> None:  # noqa: B027  a policy without records has nothing to do
        """The former message is gone, or there was none."""


@dataclass(slots=True, eq=False)
class ShownMessages:
    """Edits, posts and deletes messages that must show a state."""

    messages: ChannelMessages
    edits: EditQueue
    scheduler: Scheduler
    telemetry: Telemetry

    def now(self) -> int:
        """The time of day in ms UTC."""
        return self.scheduler.now()

    def age(self, made_at: int) -> int:
        """How many ms ago a moment was (ms UTC)."""
        return self.scheduler.now() - made_at

    def is_old(self, made_at: int) -> bool:
        """Whether a message made at this moment (ms UTC) may be one of those that Discord lets us edit seldom."""
        return self.age(made_at) >= STALE

    async def find(self, channel_id: int, since: int, target: str) -> int | None:
        """The latest message in a channel with a control that acts on this, posted at some time (ms UTC) or later: one
        whose id may never have been recorded. Raises NotTaken."""
        sent = await self.messages.find_sent(channel_id, since - MARGIN)
        own = [each.posted.message_id for each in sent if _acts_on(each, target)]
        return own[-1] if own else None

    async def made(self, screen: Screen, target: str) -> Sheet:
        """A screen about a match or an invitation as it is sent, with its pictures drawn."""
        return sheet(await drawn(screen, self.telemetry), target)

    async def show(self, message: ShownMessage, made: Sheet, *, repair: bool = False) -> int:
        """Edit a message, or post it again. Returns how many requests that took. A `repair` never posts an old message
        again, and uploads no picture that is there. Raises NotTaken, and what the policy raises."""
        old, first = message.message_id, message.message_id is None
        stale = self.is_old(message.made_at)
        if old is not None and (repair or not stale) and not message.wanted_below:
            posted = Posted(message.channel_id, old)
            try:
                if repair and message.is_known_by_picture and await self._shows_picture(posted, made):
                    return 1
                edit = partial(self.messages.edit, message.guild_id, posted)
                await with_or_without_picture(made, edit, message.picture_refused)
            except NotTaken as error:
                if error.code == UNKNOWN_MESSAGE:
                    message.vanished()
                elif not (stale and error.is_limit):
                    raise
            else:
                if message.is_board:
                    self.telemetry.board_edited("bot")
                return 1
        await self._post(message, made)
        return 1 if first else 2

    async def _shows_picture(self, posted: Posted, made: Sheet) -> bool:
        """Whether a message has its picture already, so that nothing has to be uploaded again."""
        if not made.picture:
            return False
        try:
            return await self.messages.shows_picture(posted, made)
        except NotTaken:
            return False

    async def _post(self, message: ShownMessage, made: Sheet) -> None:
        """Post a message in place of the former one, and delete that. What is posted is recorded before and after."""
        await message.begin()
        try:
            post = partial(self.messages.post, message.guild_id, message.channel_id)
            posted = await with_or_without_picture(made, post, message.picture_refused)
        except NotTaken as error:
            await message.refused(certain=error.answered)
            raise
        former = await message.placed(posted)
        if former is None:
            await message.replaced()
            return
        try:
            await self._delete(former, message.replaced)
        except NotTaken:
            self.delete(former, message.replaced)

    def delete(
        self,
        former: Posted,
        gone: Callable[[], Awaitable[None]],
        is_needed: Callable[[], bool] = lambda: False,
    ) -> None:
        """Have a message deleted that another has replaced, unless it `is_needed` when its turn comes. `gone` is called
        once nobody can see it any more. After the last try its record lets the next start remove it."""

        async def delete() -> int:
            return 0 if is_needed() else await self._delete(former, gone)

        bucket, key = ("channel", former.channel_id), ("former", former.message_id)
        self.edits.request_edit(bucket, key, delete, Priority.NOTICE)

    async def _delete(self, former: Posted, gone: Callable[[], Awaitable[None]]) -> int:
        """Raises NotTaken if another try may delete it."""
        await remove(self.messages, former)
        await gone()
        return 1

    def request(
        self,
        channel_id: int,
        made_at: int,
        key: Hashable,
        send: SendEdit,
        *,
        is_post: bool = False,
        insist: bool = False,
    ) -> None:
        """Request an edit of a message that was made at a moment (ms UTC), or the post of another in its place.

        Edits of old messages have a bucket of their own in each channel, because Discord refuses them beyond a number
        that it does not document, with a 429 and the code 30046
        (https://discord.com/developers/docs/topics/opcodes-and-status-codes#json). Developers report about three in 20
        seconds in a channel, and after a start a channel may have twenty such boards. The library would wait at each
        refusal, and everything else in that channel with it.
        """
        if is_post or not self.is_old(made_at):
            self.edits.request_edit(("channel", channel_id), key, send, insist=insist)
        else:
            bucket = ("old messages", channel_id)
            self.edits.request_edit(bucket, key, send, spacing=SPACING_OF_OLD, insist=insist)


async def with_or_without_picture(made: Sheet, show: Callable[[Sheet], Awaitable[T]], refused: Callable[[], None]) -> T:
    """Show a screen; if Discord refuses its picture (`refused` is called), without it: words say as much then. Raises
    NotTaken."""
    try:
        return await show(made)
    except NotTaken as error:
        if not made.picture or not error.refuses_picture:
            raise
        _log.warning("a picture was refused (code %d)", error.code)
        refused()
        return await show(made.without_picture())


@dataclass(slots=True, eq=False)
class Postings:
    """What is being posted: the boards of matches, and the mentions of their seats."""

    messages: ChannelMessages
    store: Store
    edits: EditQueue
    scheduler: Scheduler
    _begun: dict[Key, Posting] = field(default_factory=dict, init=False)
    _left: dict[str, list[Posting]] = field(default_factory=dict, init=False)

    @property
    def idle(self) -> bool:
        """Whether nothing is being posted."""
        return not self._begun

    async def load(self, expected: Container[str]) -> None:
        """Read what an earlier process was posting. What belongs to matches that are not `expected` to be restored is
        forgotten. Raises StoreError."""
        for posting in await self.store.postings():
            key = _key(posting)
            self._begun[key] = posting
            self._left.setdefault(posting.match_id, []).append(posting)
        for match_id in [match_id for match_id in self._left if match_id not in expected]:
            self.restore(match_id, None, tuple)

    def restore(self, match_id: str, match: LiveMatch | None, notices: Callable[[], Collection[int]]) -> None:
        """Clean up what an earlier process left of a match, which is None if it can't be shown. `notices` returns the
        mentions that are recorded."""
        for posting in self._left.pop(match_id, ()):
            self._request_cleaning(posting, match, notices())

    @asynccontextmanager
    async def posting(
        self, match: LiveMatch, seat: Seat, channel_id: int, known: Collection[int]
    ) -> AsyncIterator[Posting]:
        """Post a mention within the block, once nothing is left there of an earlier try. `known` are messages that
        belong where they are. The record is kept until `end`, unless the post raises NotTaken. Raises NotTaken."""
        posting = await self.begin(match, seat, channel_id, known)
        try:
            yield posting
        except NotTaken as error:
            if error.answered:
                await self.end(posting)
            raise

    async def begin(
        self,
        match: LiveMatch,
        seat: Seat | None,
        channel_id: int,
        known: Collection[int],
        former: int | None = None,
    ) -> Posting:
        """Record that a message is about to be posted in place of a former one, once nothing is left of an earlier
        posting that has not ended. `known` are messages that belong where they are. Raises NotTaken."""
        key = (match.id, seat, channel_id)
        left = self._begun.get(key)
        if left is not None:
            await self._delete_lost(left, match, known)
            await self.end(left)
        posting = self._begun[key] = Posting(match.id, seat, channel_id, former, self.scheduler.now())
        try:
            await self.store.add_posting(posting)
        except StoreError:
            _log.warning("a message of match %s is posted without a record", posting.match_id)
        return posting

    async def end(self, posting: Posting) -> None:
        """Delete the record, unless a later posting has replaced it."""
        key = _key(posting)
        if self._begun.get(key) is not posting:
            return
        del self._begun[key]
        try:
            await self.store.remove_posting(*key)
        except StoreError:
            _log.warning("the record of a posted message of match %s could not be deleted", posting.match_id)

    # ------------------------------------------------------------------------------------ a start

    def _request_cleaning(self, posting: Posting, match: LiveMatch | None, notices: Collection[int]) -> None:
        bucket = ("channel" if posting.seat is None else "notice", posting.channel_id)
        key, clean = ("lost", *_key(posting)), partial(self._clean, posting, match, notices)
        self.edits.request_edit(bucket, key, clean, Priority.REPAIR)

    async def _clean(self, posting: Posting, match: LiveMatch | None, notices: Collection[int]) -> int:
        if self._begun.get(_key(posting)) is not posting:  # a post has looked for it meanwhile
            return 0
        if match is None or match.suspended is not None:  # nothing is asked of a lost venue
            await self.end(posting)
            return 0
        board = () if match.board_id is None else (match.board_id,)
        try:
            await self._delete_lost(posting, match, (*board, *notices))
        except NotTaken as error:
            if error.may_pass:
                raise
            _log.info("a message of match %s could not be looked for (code %d)", posting.match_id, error.code)
        await self.end(posting)
        return 2

    def find_invitation(self, invitation: Invitation, note: Callable[[Invitation, int], Awaitable[None]]) -> None:
        """Find the message of an open invitation that an earlier process posted and did not record, and `note` it.

        Its buttons work in any case. Only an invitation whose message is known shows how it ended.
        """
        find = partial(self._find_invitation, invitation, note)
        bucket, key = ("channel", invitation.channel_id), ("lost", invitation.id)
        self.edits.request_edit(bucket, key, find, Priority.REPAIR)

    async def _find_invitation(self, invitation: Invitation, note: Callable[[Invitation, int], Awaitable[None]]) -> int:
        for sent in await self.messages.find_sent(invitation.channel_id, invitation.created_at - MARGIN):
            if _acts_on(sent, invitation.id):
                try:
                    await note(invitation, sent.posted.message_id)
                except StoreError:
                    _log.warning("the message of invitation %s could not be noted", invitation.id)
        return 1

    async def _delete_lost(self, posting: Posting, match: LiveMatch, known: Collection[int]) -> None:
        former = posting.former_id
        sent = await self.messages.find_sent(posting.channel_id, posting.at - MARGIN)
        if self._begun.get(_key(posting)) is not posting:  # somebody else has looked meanwhile, and may have posted
            return
        lost = [] if former is None or former in known else [Posted(posting.channel_id, former)]
        lost += [each.posted for each in sent if each.posted.message_id not in known and _belongs(each, posting, match)]
        for posted in dict.fromkeys(lost):
            try:
                await self.messages.delete(posted)
            except NotTaken as error:
                if error.code != UNKNOWN_MESSAGE:
                    raise
            else:
                _log.info("a message of match %s that was not recorded is removed", posting.match_id)


def _belongs(sent: Sent, posting: Posting, match: LiveMatch) -> bool:
    """Whether a message of the bot's may be the one that was posted."""
    if posting.seat is not None:
        direct = posting.channel_id != match.channel_id
        mark = f"/{link_part(match.guild_id)}/{match.channel_id}/" if direct else f"<@{match.seats[posting.seat]}>"
        return mark in sent.text
    return not sent.text and _acts_on(sent, match.id)  # a mention has a button of the match too


def _acts_on(sent: Sent, target: str) -> bool:
    """Whether a message has a control that acts on a match, an invitation or something else by its id."""
    return any(subject == target for subject, _ in presses_of(sent))


def presses_of(sent: Sent) -> Iterator[tuple[str, Press]]:
    """What the controls of a message act on, and how, as far as that is known."""
    for custom_id in sent.custom_ids:
        with suppress(custom_ids.UnknownCustomId):
            yield custom_ids.read(custom_id)


def _key(posting: Posting) -> Key:
    return posting.match_id, posting.seat, posting.channel_id
