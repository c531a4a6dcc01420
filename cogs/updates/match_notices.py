"""Notices for players beside the board of their match, each a message that goes when it is no longer needed.

Editing a board notifies nobody. So when a match has waited for a player for a while, and they have not pressed anything
in it since, they are mentioned once (*turn*). A *warning* that their time is nearly up (`cogs.updates.time_warnings`
says when) replaces that mention. Both say whose clock runs, and are edited if the deadline moves. Who waited at a table
that starts by itself gets one that the match has *begun*: who sat down last knows. All of these have *My cards* below
them, and go when their player presses something in the match. One message for all others says that
a match was *resumed*, or *gave its place* to others, and stays.

In slow matches somebody is notified of one turn an hour, in all servers together: further notices are there and silent.
A warning notifies whatever was before. In somebody's quiet hours nothing does: notices of questions wait until they
end, and of a question whose time runs out before there is only the warning. Who wants one notice a day gets none of
turns in slow matches here (`cogs.actions.digests`).
"""

from __future__ import annotations

import logging
import math
from collections.abc import Container
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, TypeAlias

from bot.play.live_match import LiveMatch
from bot.scheduler import ScheduledCall, Scheduler
from bot.store.errors import StoreError
from bot.store.queries.matches import Suspension
from bot.store.queries.people import NoticeLevel
from bot.store.queries.screens import Notice as NoticeRow
from bot.store.special_ids import is_computer
from bot.store.store import Store
from bot.time_controls import warning_lead
from bot.ui.isolation import mention
from bot.ui.screen import Button, Press, Tone
from cogs.screens.board import board_link, shown_deadline
from cogs.screens.presenter import Reader
from cogs.screens.renderer import buttons_below
from cogs.screens.safe_names import safe_server_name
from cogs.updates.channel_messages import NotTaken, Posted
from cogs.updates.edit_queue import EditQueue, Priority
from cogs.updates.notifier import BEGUN, GAVE_PLACE, RESUMED, TURN, WARNING, Kind, Notice, Notifier, Send
from cogs.updates.shown_messages import Postings
from cogs.updates.shown_records import change_due, mark_of_text
from cogs.wording import Readers, Wording
from engines.game import Seat

_log = logging.getLogger(__name__)


SLOTS: Final = (TURN.slot, BEGUN.slot)
"""Where notices stand that are removed again."""

Key: TypeAlias = tuple[str, Seat, str]
"""A match, a seat and a slot."""


@dataclass(slots=True, eq=False)
class MatchNotices:
    """Whom each match waits for, and which notices are posted.

    `after` is how many seconds of waiting for a player come before their mention.
    """

    notifier: Notifier
    store: Store
    edits: EditQueue
    postings: Postings
    readers: Readers
    wording: Wording
    scheduler: Scheduler
    after: float
    _waiting: dict[tuple[str, Seat], tuple[int, ScheduledCall]] = field(default_factory=dict, init=False)
    _seen: dict[tuple[str, Seat], int] = field(default_factory=dict, init=False)
    """In which question that waits for them players were seen last."""
    _warned: dict[tuple[str, Seat], int] = field(default_factory=dict, init=False)
    _posted: dict[Key, NoticeRow] = field(default_factory=dict, init=False)
    _unwanted: dict[Key, NoticeRow] = field(default_factory=dict, init=False)
    """The notices that must be removed. Their rows stay until they are gone."""
    _later: dict[Key, ScheduledCall] = field(default_factory=dict, init=False)
    """The looks at notices whose deadline moved a little."""
    _sending: set[Key] = field(default_factory=set, init=False)
    """The notices that are being sent. Discord may show one long before it answers."""

    async def load(self, expected: Container[str]) -> None:
        """Read which notices are posted. Those of matches that are not `expected` to be restored are removed.

        Raises StoreError.
        """
        for row in await self.store.notices():
            key = row.match_id, row.seat, TURN.slot
            self._posted[key] = row
            if row.match_id not in expected:
                self._remove(key)

    def restore(self, match: LiveMatch) -> None:
        """Remove the notices that a restored match no longer needs."""
        for seat in range(len(match.seats)):
            if not _is_awaited(match, seat):
                self._remove((match.id, seat, TURN.slot))

    def remove_all(self, match_id: str) -> None:
        """Remove the notices of a match that could not be restored."""
        for key in [key for key in self._posted if key[0] == match_id]:
            self._remove(key)

    @property
    def known(self) -> list[int]:
        """The messages of all notices that are posted, unwanted ones too."""
        return [row.message_id for row in (*self._posted.values(), *self._unwanted.values())]

    def is_notice(self, match: LiveMatch, message_id: int) -> bool:
        """Whether a message is a notice for one of the match's players, or may be the one that is being sent."""
        rows = (*self._posted.values(), *self._unwanted.values())
        is_sending = any(match_id == match.id for match_id, _, _ in self._sending)
        return is_sending or any((row.match_id, row.message_id) == (match.id, message_id) for row in rows)

    @property
    def idle(self) -> bool:
        """Whether no player is waited for and no notice is posted."""
        return not self._waiting and not self._posted and not self._unwanted and not self._warned

    def close(self) -> None:
        """Stop all waits; posted notices are restored at the next start."""
        for call in (*(call for _, call in self._waiting.values()), *self._later.values()):
            call.cancel()
        self._waiting.clear()
        self._later.clear()

    # ------------------------------------------------------------------------------------ when

    def seen(self, match: LiveMatch, seat: Seat) -> None:
        """Note that a player pressed something in the match: they are here, so this question needs no mention."""
        waiting = self._waiting.get((match.id, seat))
        if waiting is not None:
            waiting[1].cancel()
            self._seen[match.id, seat] = match.window_number
        for slot in SLOTS:
            self._remove((match.id, seat, slot))

    def match_changed(self, match: LiveMatch) -> None:
        """Start the wait before a mention for the players whom the match waits for, and stop it for the others."""
        for seat in range(len(match.seats)):
            key = match.id, seat, TURN.slot
            if match.over:
                self._remove_or_forget(match, (match.id, seat, BEGUN.slot))
            if not _is_awaited(match, seat):
                waiting = self._waiting.pop((match.id, seat), None)
                if waiting is not None:
                    waiting[1].cancel()
                self._seen.pop((match.id, seat), None)
                self._warned.pop((match.id, seat), None)
                self._remove_or_forget(match, key)
                continue
            if (match.id, seat) not in self._waiting or self._waiting[match.id, seat][0] != match.window_number:
                self._wait(match, seat)
            if key in self._posted:
                self._request_move(match, key)

    def _wait(self, match: LiveMatch, seat: Seat) -> None:
        if (match.id, seat) in self._waiting:
            self._waiting[match.id, seat][1].cancel()
        call = self.scheduler.call_later(self.after, self._mention, match, seat, match.window_number)
        self._waiting[match.id, seat] = (match.window_number, call)

    def _mention(self, match: LiveMatch, seat: Seat, window: int) -> None:
        if self._warned.get((match.id, seat)) != window:
            self._request(match, seat, TURN, window)

    def warn(self, match: LiveMatch, seat: Seat) -> None:
        """Warn a player that their time is nearly up; the warning replaces their mention."""
        self.note_warned(match, seat)
        self._request(match, seat, WARNING, match.window_number)

    def note_warned(self, match: LiveMatch, seat: Seat) -> None:
        """Note that a player was warned of this question's deadline."""
        self._warned[match.id, seat] = match.window_number

    def forget_warning(self, match: LiveMatch, seat: Seat) -> None:
        """Have a player be warned again: their clock stands meanwhile."""
        self._warned.pop((match.id, seat), None)

    def was_due(self, match: LiveMatch, seat: Seat) -> None:
        """Note that an earlier process was to warn a player; it held that back if they had quiet hours, and posted
        nothing."""
        self.note_warned(match, seat)
        if (match.id, seat, TURN.slot) not in self._posted:
            again = partial(self._warn_again, match, seat, match.window_number)
            self.edits.request_edit(("notice", match.channel_id), ("held", match.id, seat), again, Priority.NOTICE)

    async def _warn_again(self, match: LiveMatch, seat: Seat, window: int) -> int:
        user = match.seats[seat]
        try:
            last = await self.store.last_ping(user)
        except StoreError:
            return 0
        was_told = last is not None and last[1] == match.id
        if not was_told and (await self.notifier.quiet_hours(user)).hours is not None:
            self._request(match, seat, WARNING, window)
        return 0

    def tell_turn(self, match: LiveMatch, seat: Seat) -> None:
        """Notify a player of their turn after all, who was to read of it in a digest."""
        self._seen.pop((match.id, seat), None)
        self._request(match, seat, TURN, match.window_number)

    def is_warned(self, match: LiveMatch, seat: Seat) -> bool:
        """Whether a player was warned of this question's deadline."""
        return self._warned.get((match.id, seat)) == match.window_number

    def begun(self, match: LiveMatch, joined: Seat) -> None:
        """Tell those who waited that their match has begun: all but the player on the seat `joined`."""
        for seat, user in enumerate(match.seats):
            if seat != joined and not is_computer(user):
                self._request(match, seat, BEGUN, match.window_number, joined)

    def resumed(self, match: LiveMatch, by: Seat) -> None:
        """Tell the others, once the board is posted, that the player on this seat has resumed the match."""
        self._request_together(match, RESUMED, by)

    def gave_place(self, match: LiveMatch) -> None:
        """Tell all players that their match is on hold, so that others can play."""
        self._request_together(match, GAVE_PLACE, None)

    def _request_together(self, match: LiveMatch, kind: Kind, by: Seat | None) -> None:
        tell = partial(self._tell_together, match, kind, by)
        self.edits.request_edit(("channel", match.channel_id), (kind.slot, match.id), tell, Priority.NOTICE)

    # ------------------------------------------------------------------------------------ posting

    def _request(self, match: LiveMatch, seat: Seat, kind: Kind, window: int, by: Seat | None = None) -> None:
        bucket, key = ("notice", match.channel_id), (f"post {kind.slot}", match.id, seat)
        self.edits.request_edit(bucket, key, partial(self._post, match, seat, kind, window, by), Priority.NOTICE)

    async def _post(self, match: LiveMatch, seat: Seat, kind: Kind, window: int, by: Seat | None) -> int:
        """Post a notice in place of the one in its slot. Returns how many requests that took. Raises NotTaken."""
        key = match.id, seat, kind.slot
        if not self._is_wanted(match, seat, kind, window) or (key in self._posted and kind is TURN):
            return 0
        level = await self.notifier.level(kind, match.guild_id, match.seats[seat])
        in_digest = level is NoticeLevel.DIGEST and kind is TURN and match.time_control.slow
        if level is NoticeLevel.NONE or in_digest:
            return 0
        until = (await self.notifier.quiet_hours(match.seats[seat])).until(self.scheduler.now())
        waits = kind.answers and level is not NoticeLevel.QUIET
        if not self._is_wanted(match, seat, kind, window):  # what it says was over while this was read
            return 0
        if until is not None and waits and not _must_be_told(match, seat, kind, until):
            self._hold(match, seat, kind, window, until)
            return 0
        former = self._take_back(key)
        requests = 0 if former is None else await self._delete(key, former)
        notice = await self._notice(match, seat, kind, by)
        if not self._is_wanted(match, seat, kind, window):
            return requests
        silent = until is not None if kind is BEGUN else not await self._claim(match, seat, kind, level, window)
        self._sending.add(key)
        try:
            await self.notifier.tell(notice, level, partial(self._record, match, seat, kind=kind), silent=silent)
        finally:
            self._sending.discard(key)
        if not self._is_wanted(match, seat, kind, window):
            self._remove(key)
        return requests + 1

    def _is_wanted(self, match: LiveMatch, seat: Seat, kind: Kind, window: int) -> bool:
        """Whether a notice has still something to say: that of a question until it is answered, and a mention until its
        player was seen."""
        if kind.answers:
            is_here = kind is TURN and self._seen.get((match.id, seat)) == window
            return _is_awaited(match, seat) and match.window_number == window and not is_here
        return not match.over and match.suspended is None

    def _hold(self, match: LiveMatch, seat: Seat, kind: Kind, window: int, until: int) -> None:
        """Post a notice at a moment (ms UTC), unless its question is answered before or its player was seen."""
        if (match.id, seat) in self._waiting:
            self._waiting[match.id, seat][1].cancel()
        wait = (until - self.scheduler.now()) / 1000
        self._waiting[match.id, seat] = (
            window,
            self.scheduler.call_later(wait, self._request, match, seat, kind, window),
        )

    async def _claim(self, match: LiveMatch, seat: Seat, kind: Kind, level: NoticeLevel, window: int) -> bool:
        """Whether a notice of a question may notify its player now. That it does is recorded before."""
        if level is NoticeLevel.QUIET or not match.time_control.slow:
            return True
        try:
            return await self.store.claim_ping(match.seats[seat], match.id, window, anyway=kind is WARNING)
        except StoreError:
            return True

    async def _record(
        self, match: LiveMatch, seat: Seat, channel_id: int, text: str, send: Send, *, kind: Kind
    ) -> Posted:
        """Send a notice and record it. That it is being posted is recorded before. Raises NotTaken."""
        if not kind.recorded:
            posted = await send()
            self._posted[match.id, seat, kind.slot] = _row(match, seat, posted, text)
            return posted
        async with self.postings.posting(match, seat, channel_id, self.known) as posting:
            posted = await send()
        row = self._posted[match.id, seat, kind.slot] = _row(match, seat, posted, text)
        try:
            await self.store.add_notice(row)
        except StoreError:
            _log.warning("a mention in match %s could not be saved", match.id)
        else:
            await self.postings.end(posting)
        return posted

    async def _tell_together(self, match: LiveMatch, kind: Kind, by: Seat | None) -> int:
        """Post one message that names all others, and mentions those who are not told in another way."""
        if match.suspended is not (None if kind is RESUMED else Suspension.GAVE_PLACE):  # or the board was not posted
            return 0
        reader, pinged, others = self.readers.public(match), [], []
        for seat, user in enumerate(match.seats):
            if seat == by:
                continue
            level = NoticeLevel.NONE if is_computer(user) else await self._level_together(match, kind, user)
            named = level is NoticeLevel.NONE or await self._was_told(await self._notice(match, seat, kind, by), level)
            others.append(reader.names[seat] if named else mention(user))
            if not named and level is not NoticeLevel.QUIET:
                pinged.append(user)
        values = {"others": " · ".join(others), "game": match.game.info.title}
        values |= {} if by is None else {"player": reader.names[by]}
        try:
            await self.notifier.post(match, reader.words(kind.here, **values) + link(match), pinged)
        except NotTaken as error:  # not tried again: those with a direct message would get another one
            _log.info("could not announce what became of match %s (code %d)", match.id, error.code)
        return 1

    async def _level_together(self, match: LiveMatch, kind: Kind, user: int) -> NoticeLevel:
        """How it notifies somebody what became of a match: not at all in their quiet hours, and to who wants one
        notice a day."""
        level = await self.notifier.level(kind, match.guild_id, user)
        is_quiet = await self.notifier.is_quiet(user)
        if level is not NoticeLevel.NONE and (is_quiet or (level is NoticeLevel.DIGEST and match.time_control.slow)):
            return NoticeLevel.QUIET
        return level

    async def _was_told(self, notice: Notice, level: NoticeLevel) -> bool:
        try:
            return await self.notifier.tell_directly(notice, level) is not None
        except NotTaken as error:
            _log.info("a notice of what became of a match was not taken (code %d)", error.code)
            return False

    # ------------------------------------------------------------------------------------ what they say

    async def _notice(self, match: LiveMatch, seat: Seat, kind: Kind, by: Seat | None) -> Notice:
        """A notice for a player, in their own language; `by` is whose act it is about, if it is about one."""
        user, game = match.seats[seat], match.game.info.title
        reader = self.readers.public(match, await self.wording.of_person(match.guild_id, user))
        server = safe_server_name(self.wording.server_name(match.guild_id), match.guild_id)
        who = {"player": mention(user)} if by is None else {"player": reader.names[by], "other": mention(user)}
        here = (
            "" if kind in {RESUMED, GAVE_PLACE} else reader.words(kind.here, **who, game=game, when=_when(match, seat))
        )
        there = reader.words(kind.there, **who, game=game, when=_when(match, seat), server=server)
        more = (_clock(match, seat, reader) if kind.tells_clock else "") + link(match)
        cards = Button(reader.words("button.my_cards"), Press("cards"), Tone.MAIN)
        below = buttons_below((cards,), match.id)
        return Notice(match.guild_id, match.channel_id, user, here + more, there + more, below)

    async def _text(self, match: LiveMatch, row: NoticeRow) -> str:
        """What the posted notice of a question has to say at present."""
        kind = WARNING if self.is_warned(match, row.seat) else TURN
        notice = await self._notice(match, row.seat, kind, None)
        return notice.here if row.channel_id == match.channel_id else notice.there

    # ------------------------------------------------------------------------------------ moved deadlines

    def _request_move(self, match: LiveMatch, key: Key) -> None:
        row = self._posted.get(key)
        if row is not None:
            move = partial(self._move, match, key, row.message_id)
            self.edits.request_edit(("notice", row.channel_id), ("move", *key), move, Priority.NOTICE)

    async def _move(self, match: LiveMatch, key: Key, message_id: int) -> int:
        """Update the deadline in a posted notice. Returns how many requests that took. Raises NotTaken.

        Its mark is deleted first. So if nobody knows whether Discord took the edit, or the process is killed before the
        new mark is stored, the notice is edited once too often, and never too seldom.
        """
        row = self._posted.get(key)
        if row is None or row.message_id != message_id or row.seat not in match.awaited:
            return 0
        text = await self._text(match, row)
        if self._posted.get(key) is not row:
            return 0
        mark = mark_of_text(text)
        due, now = change_due(row.mark, mark), self.scheduler.now() / 1000
        if due > now:
            if due < math.inf:
                self._look_later(match, key, due - now)
            return 0
        row = await self._mark(key, row, None)
        if self._posted.get(key) is not row:  # it was removed meanwhile
            return 0
        await self.notifier.change(Posted(row.channel_id, row.message_id), text)
        await self._mark(key, row, mark)
        return 1

    def _look_later(self, match: LiveMatch, key: Key, seconds: float) -> None:
        """Compare a notice again when people notice that its deadline moved."""
        if key in self._later:
            self._later[key].cancel()
        self._later[key] = self.scheduler.call_later(seconds, self._request_move, match, key)

    async def _mark(self, key: Key, row: NoticeRow, mark: bytes | None) -> NoticeRow:
        """Record what a posted notice says, or that nobody knows. Returns it with that mark."""
        if self._posted.get(key) is not row or row.mark == mark:
            return row
        marked = self._posted[key] = replace(row, mark=mark)
        try:
            await self.store.mark_notice(marked)
        except StoreError:
            _log.warning("what a mention in match %s says could not be saved", row.match_id)
        return marked

    # ------------------------------------------------------------------------------------ removal

    def _remove(self, key: Key) -> None:
        row = self._take_back(key)
        if row is not None:
            remove = partial(self._delete, key, row)
            self.edits.request_edit(("notice", row.channel_id), ("remove", *key), remove, Priority.NOTICE)

    def _take_back(self, key: Key) -> NoticeRow | None:
        """The notice in a slot, which is unwanted from now on; None if there is none."""
        later = self._later.pop(key, None)
        if later is not None:
            later.cancel()
        row = self._posted.pop(key, None) or self._unwanted.get(key)
        if row is not None:
            self._unwanted[key] = row
        return row

    async def _delete(self, key: Key, row: NoticeRow) -> int:
        """Remove a notice. If it may still be there it stays unwanted, and NotTaken is raised: it is removed at the
        next opportunity."""
        if self._unwanted.get(key) is not row:
            return 0
        await self.notifier.remove(Posted(row.channel_id, row.message_id))
        await self._forget(key, row)
        return 1

    async def _forget(self, key: Key, row: NoticeRow) -> int:
        if self._unwanted.get(key) is row:
            del self._unwanted[key]
        if key in self._posted or key[2] != TURN.slot:  # the row belongs to the one that replaced it, or there is none
            return 0
        try:
            await self.store.remove_notice(row.match_id, row.seat)
        except StoreError:
            _log.warning("a removed mention in match %s could not be forgotten", row.match_id)
        return 0

    def _remove_or_forget(self, match: LiveMatch, key: Key) -> None:
        """Remove a notice; one that was deleted with its channel is forgotten without a request."""
        row = self._posted.get(key) or self._unwanted.get(key)
        if row is None or match.suspended is not Suspension.CHANNEL_GONE or row.channel_id != match.channel_id:
            self._remove(key)
            return
        self._take_back(key)
        forget = partial(self._forget, key, row)
        self.edits.request_edit(("notice", row.channel_id), ("remove", *key), forget, Priority.NOTICE)


def _row(match: LiveMatch, seat: Seat, posted: Posted, text: str) -> NoticeRow:
    return NoticeRow(match.id, seat, match.seats[seat], posted.channel_id, posted.message_id, mark_of_text(text))


def _is_awaited(match: LiveMatch, seat: Seat) -> bool:
    return seat in match.awaited and not match.has_computer(seat)


def _must_be_told(match: LiveMatch, seat: Seat, kind: Kind, until: int) -> bool:
    """Whether a notice of a question can't wait until a moment (ms UTC), because its time runs out before, and no other
    notice comes first."""
    deadline, banks = shown_deadline(match, seat), match.banks
    if deadline is None or deadline > until:
        return False
    longest = match.time_control.turn if banks is None else banks.of(seat) // 1000
    return kind is WARNING or warning_lead(longest) is None


def _clock(match: LiveMatch, seat: Seat, reader: Reader) -> str:
    """Whose clock runs and until when, after a space; empty if there is no deadline."""
    when = _when(match, seat)
    others = [reader.names[other] for other in sorted(match.awaited - {seat}) if match.due_for(other) is None]
    if not when:
        return ""
    if not others:
        return " " + reader.words("notice.clock", when=when)
    return " " + reader.words("notice.clock_shared", others=reader.words.all_of(others), when=when)


def _when(match: LiveMatch, seat: Seat) -> str:
    """A seat's deadline on the board, as a timestamp that Discord counts down; empty if there is none."""
    deadline = shown_deadline(match, seat)
    return "" if deadline is None else f"<t:{deadline // 1000}:R>"


def link(match: LiveMatch) -> str:
    """A space and the board's address; empty if there is no board."""
    return "" if match.board_id is None else f" {board_link(match)}"
