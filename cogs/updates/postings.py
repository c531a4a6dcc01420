"""Finds messages that were posted, but whose place was never recorded.

A process may be killed, or a connection cut, between a post and the note of its message. So what is about to be posted
is recorded first. Where such a record is left over, the bot looks through the channel's messages since that moment, and
deletes those of its own that belong to the match and that nothing else knows.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Container
from contextlib import asynccontextmanager
from functools import partial
from typing import TypeAlias

from bot.play.live_match import LiveMatch
from bot.scheduler import Scheduler
from bot.store.direct_places import link_part
from bot.store.errors import StoreError
from bot.store.rows.invitations import Invitation
from bot.store.rows.screens import Posting
from bot.store.store import Store
from cogs.screens import custom_ids
from cogs.updates.channel_messages import UNKNOWN_MESSAGE, ChannelMessages, Limited, NotTaken, Posted, Sent
from cogs.updates.edit_queue import EditQueue, Priority
from engines.game import Seat

_log = logging.getLogger(__name__)

MARGIN = 60_000
"""By how much (ms) the clocks of the machine and of Discord may differ."""

Key: TypeAlias = tuple[str, Seat | None, int]


class Postings:
    """What is being posted: the boards of matches, and the mentions of their seats."""

    def __init__(self, messages: ChannelMessages, store: Store, edits: EditQueue, scheduler: Scheduler) -> None:
        self._messages = messages
        self._store = store
        self._edits = edits
        self._scheduler = scheduler
        self._begun: dict[Key, Posting] = {}
        self._undecided: set[Key] = set()
        self._left: dict[str, list[Posting]] = {}

    @property
    def idle(self) -> bool:
        """Whether nothing is being posted."""
        return not self._begun

    async def load(self, expected: Container[str]) -> None:
        """Read what an earlier process was posting. What belongs to matches that are not `expected` to be restored is
        forgotten. Raises StoreError."""
        for posting in await self._store.postings():
            key = _key(posting)
            self._begun[key] = posting
            self._undecided.add(key)
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
        await self.find_lost(match, seat, channel_id, known)
        posting = await self.begin(match, seat, channel_id, None)
        try:
            yield posting
        except NotTaken as error:
            if error.answered or isinstance(error, Limited):
                await self.end(posting)
            raise
        self.placed(posting)

    async def begin(self, match: LiveMatch, seat: Seat | None, channel_id: int, former: int | None) -> Posting:
        """Record that a message is about to be posted in place of a former one."""
        posting = Posting(match.id, seat, channel_id, former, self._scheduler.now())
        key = _key(posting)
        self._begun[key] = posting
        self._undecided.add(key)
        try:
            await self._store.add_posting(posting)
        except StoreError:
            _log.warning("a message of match %s is posted without a record", posting.match_id)
        return posting

    def placed(self, posting: Posting) -> None:
        """Record that the message's place is known. The record stays until `end`, because of the former message."""
        self._undecided.discard(_key(posting))

    async def end(self, posting: Posting) -> None:
        """Delete the record, unless a later posting has replaced it."""
        key = _key(posting)
        if self._begun.get(key) is not posting:
            return
        del self._begun[key]
        self._undecided.discard(key)
        try:
            await self._store.remove_posting(*key)
        except StoreError:
            _log.warning("the record of a posted message of match %s could not be deleted", posting.match_id)

    async def find_lost(self, match: LiveMatch, seat: Seat | None, channel_id: int, known: Collection[int]) -> None:
        """Delete what an earlier post of this message may have left, if its fate is unknown. `known` are messages that
        belong where they are. Raises NotTaken."""
        key = (match.id, seat, channel_id)
        if key in self._undecided:
            posting = self._begun[key]
            await self._delete_lost(posting, match, known)
            await self.end(posting)

    # ------------------------------------------------------------------------------------ a start

    def _request_cleaning(self, posting: Posting, match: LiveMatch | None, notices: Collection[int]) -> None:
        bucket = ("channel" if posting.seat is None else "notice", posting.channel_id)
        key, clean = ("lost", *_key(posting)), partial(self._clean, posting, match, notices)
        self._edits.request_edit(bucket, key, clean, Priority.REPAIR)

    async def _clean(self, posting: Posting, match: LiveMatch | None, notices: Collection[int]) -> int:
        if self._begun.get(_key(posting)) is not posting:  # a post has looked for it meanwhile
            return 0
        if match is None or match.suspended is not None:  # nothing is asked of a lost place
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
        self._edits.request_edit(bucket, key, find, Priority.REPAIR)

    async def _find_invitation(self, invitation: Invitation, note: Callable[[Invitation, int], Awaitable[None]]) -> int:
        for sent in await self._messages.find_sent(invitation.channel_id, invitation.created_at - MARGIN):
            if _acts_on(sent, invitation.id):
                try:
                    await note(invitation, sent.posted.message_id)
                except StoreError:
                    _log.warning("the message of invitation %s could not be noted", invitation.id)
        return 1

    async def _delete_lost(self, posting: Posting, match: LiveMatch, known: Collection[int]) -> None:
        former = posting.former_id
        lost = [] if former is None or former in known else [Posted(posting.channel_id, former)]
        lost += [
            sent.posted
            for sent in await self._messages.find_sent(posting.channel_id, posting.at - MARGIN)
            if sent.posted.message_id not in known and _belongs(sent, posting, match)
        ]
        for posted in dict.fromkeys(lost):
            try:
                await self._messages.delete(posted)
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
    """Whether a message has a control that acts on a match or an invitation."""
    for custom_id in sent.custom_ids:
        try:
            if custom_ids.read(custom_id)[0] == target:
                return True
        except custom_ids.UnknownCustomId:
            continue
    return False


def _key(posting: Posting) -> Key:
    return posting.match_id, posting.seat, posting.channel_id
