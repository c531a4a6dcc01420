"""One notice a day: a direct message to who wishes it, with all slow matches that wait for them, by deadline.

It is sent at the hour that they chose, if something waits, and takes the place of the one before. Until the next it is
edited as turns come and go, which notifies nobody. A clock that is about to run out is warned of by itself
(`cogs.updates.time_warnings`). Who takes no direct messages is mentioned of each turn, as at the level of a direct
message, until one is taken.

Each is sent once: before it is posted that is recorded, and where it is after. If the process ends in between, the next
looks through the direct messages for it.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from bot.kept import Kept
from bot.play.live_match import LiveMatch
from bot.play.match_registry import MatchRegistry
from bot.play.observers import Observer
from bot.scheduler import ScheduledCall, Scheduler
from bot.store.errors import StoreError
from bot.store.queries.digests import Digest
from bot.store.special_ids import direct_venue
from bot.store.store import Store
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Press, Screen, Text, Tone
from cogs.actions.match_list import LISTED, MatchList
from cogs.screens import custom_ids
from cogs.screens.renderer import Sheet, sheet
from cogs.updates.channel_messages import UNKNOWN_MESSAGE, ChannelMessages, NotTaken, Posted
from cogs.updates.edit_queue import EditQueue, Priority
from cogs.updates.match_notices import MatchNotices
from cogs.updates.shown_messages import MARGIN, SPACING_OF_OLD
from cogs.updates.shown_records import change_due, mark_of

_log = logging.getLogger(__name__)

LOOK_EVERY: Final = 60.0
"""Seconds between two looks for whose digest is due."""
EDIT_AFTER: Final = 30.0
"""Seconds after which a digest shows what has changed: many turns come and go together."""
AGAIN_AFTER: Final = 600.0
"""Seconds after which an edit is tried again that Discord took none of."""
ALL: Final = Press("matches", 0, "0")
"""What its button does: it lists everything, in private. A message with it is a digest."""


@dataclass(slots=True, eq=False)
class Digests(Observer):
    """The digests that are due, and those that are shown."""

    match_list: MatchList
    matches: MatchRegistry
    notices: MatchNotices
    messages: ChannelMessages
    store: Store
    edits: EditQueue
    scheduler: Scheduler
    _shown: Kept[int, Posted] = field(default_factory=partial(Kept, "digests"), init=False)
    """By person, their last digest."""
    _marks: Kept[int, bytes] = field(default_factory=partial(Kept, "marks of digests", 50_000), init=False)
    """What those say that this process has posted or edited."""
    _looks: dict[int, ScheduledCall] = field(default_factory=dict, init=False)
    _look: ScheduledCall | None = field(default=None, init=False)

    async def resume(self) -> None:
        """Take up what an earlier process has sent, and begin to look for what is due. Raises StoreError."""
        for digest in await self.store.shown_digests():
            if digest.channel_id is not None and digest.message_id is not None:
                self._shown[digest.user_id] = Posted(digest.channel_id, digest.message_id)
        self._look_later()

    async def close(self) -> None:
        """Look no more, and edit none."""
        self._shown.clear()
        for call in (self._look, *self._looks.values()):
            if call is not None:
                call.cancel()

    def match_changed(self, match: LiveMatch) -> None:
        """Have the digests of a match's players show it as it is, a little later."""
        for user in match.seats:
            if user in self._shown and user not in self._looks:
                self._look_at(user, EDIT_AFTER)

    def match_repaired(self, match: LiveMatch) -> None:
        self.match_changed(match)

    # ------------------------------------------------------------------------------------ what is due

    def _look_later(self) -> None:
        self._look = self.scheduler.call_later(LOOK_EVERY, self._begin_look)

    def _begin_look(self) -> None:
        self.edits.request_edit(("digests", 0), "due", self._find_due, Priority.NOTICE)
        self._look_later()

    async def _find_due(self) -> int:
        """Have those sent that are due. A start first restores all matches, because they are read from memory."""
        if len(self.matches.waiting):
            return 0
        try:
            found = await self.store.due_digests(self.scheduler.now())
        except StoreError as error:
            _log.warning("whose digest is due could not be read: %s", type(error).__name__)
            return 0
        for user in found:
            self.edits.request_edit(("digest", user), "send", partial(self._send, user), Priority.NOTICE)
        return 0

    async def _send(self, user: int) -> int:
        """Send somebody their digest. Returns how many requests that took. What fails is tried at the next look."""
        try:
            digest, now = await self.store.digest(user), self.scheduler.now()
            if digest is None or digest.due > now:
                return 0
            until = (await self.notices.notifier.quiet_hours(user)).until(now)
            if until is not None:
                await self.store.put_off_digest(user, until)
                return 0
            if digest.posting_at is not None and await self._found_lost(digest):
                return 1
            return await self._post(digest)
        except StoreError as error:
            _log.warning("a digest could not be sent: %s", type(error).__name__)
            return 0

    async def _found_lost(self, digest: Digest) -> bool:
        """Whether a message whose post has no end on record is there; then it is recorded. Raises NotTaken."""
        if digest.channel_id is None or digest.posting_at is None:
            return False
        button = custom_ids.write(LISTED, ALL)
        for sent in await self.messages.find_sent(digest.channel_id, digest.posting_at - MARGIN):
            if sent.posted.message_id > (digest.message_id or 0) and button in sent.custom_ids:
                await self._note(digest, sent.posted)
                return True
        return False

    async def _post(self, digest: Digest) -> int:
        user, now = digest.user_id, self.scheduler.now()
        made, waiting = await self._made(user)
        if not waiting:
            await self.store.put_off_digest(user, digest.next(now))
            return 0
        try:
            channel_id = await self.messages.open_direct(user)
            await self.store.begin_posting_digest(user, channel_id, now)
            posted = await self.messages.post(direct_venue(user), channel_id, made)
        except NotTaken as error:
            if not error.refuses_direct_messages:
                raise
            await self._fall_back(digest)
            return 2
        self._marks[user] = mark_of(made)
        await self._note(digest, posted)
        return 3

    async def _note(self, digest: Digest, posted: Posted) -> None:
        """Record where a digest is, and delete the one before. Raises StoreError."""
        await self.store.end_posting_digest(digest.user_id, posted.message_id, digest.next(self.scheduler.now()))
        self._shown[digest.user_id] = posted
        if digest.message_id is not None:
            former = Posted(posted.channel_id, digest.message_id)
            self.notices.notifier.remove_later(self.edits, former)

    async def _fall_back(self, digest: Digest) -> None:
        """Mention who takes no direct messages of each turn, until they take the next digest. Raises StoreError."""
        user = digest.user_id
        await self.store.put_off_digest(user, digest.next(self.scheduler.now()), refused=True)
        for match in self.matches.of_player(user, None):
            seat = match.seat_of(user)
            if seat is not None and seat in match.awaited and match.has_clock:
                self.notices.tell_turn(match, seat)

    # ------------------------------------------------------------------------------------ what is shown

    def _look_at(self, user: int, seconds: float) -> None:
        if user in self._looks:
            self._looks[user].cancel()
        self._looks[user] = self.scheduler.call_later(seconds, self._request_edit, user)

    def _request_edit(self, user: int) -> None:
        self._looks.pop(user, None)
        posted = self._shown.get(user)
        if posted is not None:
            bucket, edit = ("old messages", posted.channel_id), partial(self._edit, user, posted)
            again = partial(self._look_at, user, AGAIN_AFTER)
            key, priority = ("digest", user), Priority.NOTICE
            self.edits.request_edit(bucket, key, edit, priority, spacing=SPACING_OF_OLD, given_up=again)

    async def _edit(self, user: int, posted: Posted) -> int:
        """Have a digest say what waits now. Returns how many requests that took. Raises NotTaken."""
        made = await self._made_again(user) if self._shown.get(user) == posted else None
        if made is None:
            return 0
        mark = mark_of(made)
        due, now = change_due(self._marks.get(user), mark), self.scheduler.now() / 1000
        if due > now:
            if due < math.inf:
                self._look_at(user, due - now)
            return 0
        try:
            await self.messages.edit(direct_venue(user), posted, made)
        except NotTaken as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            if self._shown.get(user) == posted:
                del self._shown[user]  # they deleted it; the next comes tomorrow
            return 1
        if self._shown.get(user) == posted:  # otherwise the next took its place meanwhile
            self._marks[user] = mark
        return 1

    async def _made_again(self, user: int) -> Sheet | None:
        """A digest as it should be by now. None if it has no owner any more, or that isn't known yet."""
        try:
            if await self.store.digest(user) is None:  # they had their data deleted
                self._shown.pop(user, None)
                return None
            if not len(self.matches.waiting):
                return (await self._made(user))[0]
        except StoreError as error:
            _log.warning("a digest could not be brought up to date: %s", type(error).__name__)
        self._look_at(user, EDIT_AFTER)
        return None

    async def _made(self, user: int) -> tuple[Sheet, int]:
        """Somebody's digest as it is sent, and how many matches wait for them. Raises StoreError."""
        say = await self.match_list.wording.of_person(direct_venue(user), user)
        lines, count = await self.match_list.waiting(user, say)
        return sheet(digest_screen(lines, count, say), LISTED), count


def digest_screen(lines: Sequence[str], count: int, say: Translations) -> Screen:
    """The matches that wait, as far as they have room, and how many there are."""
    text = "\n".join((say("games.group.waiting", n=count), *lines)) if count else say("digest.none")
    buttons = (Button(say("digest.all"), ALL, Tone.MAIN),)
    return Screen(say("digest.title"), (Text(text),), (buttons,), say("digest.foot"))
