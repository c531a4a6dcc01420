""" "Your turn": one mention of a player who has been away, removed when it is no longer needed.

Editing a board notifies nobody. So when a match has waited for a player for a while, and they have not pressed anything
in it since, they are mentioned once. The mention is removed as soon as the match no longer waits for them. A warning
that their time is nearly up (`cogs.updates.time_warnings` says when) replaces it. Both have *My cards* below them and
say whose clock runs, and are edited if the deadline moves. Each player chooses the notice level of both
(`NoticeLevel`).
"""

from __future__ import annotations

import logging
import math
from collections.abc import Awaitable, Callable, Container
from dataclasses import replace
from functools import partial
from typing import Protocol

from bot.play.access import Access, OpenToAll, obstacles
from bot.play.live_match import LiveMatch
from bot.scheduler import ScheduledCall, Scheduler
from bot.store.direct_places import link_part
from bot.store.errors import StoreError
from bot.store.protocols.matches import MatchStore
from bot.store.protocols.people import PeopleStore
from bot.store.rows.matches import Obstacle, Suspension
from bot.store.rows.people import NoticeLevel
from bot.store.rows.screens import Notice, Posting
from bot.ui.screen import Button, Press, Tone
from cogs.screens.board import shown_deadline
from cogs.screens.presenter import Reader
from cogs.screens.renderer import buttons_below
from cogs.screens.safe_names import safe_server_name
from cogs.updates.boards.marks import change_due, mark_of_text
from cogs.updates.channel_messages import ChannelMessages, NotTaken, Posted
from cogs.updates.edit_queue import TRIES, EditQueue, Priority, retry_delay
from cogs.updates.postings import Postings
from engines.game import Seat

_log = logging.getLogger(__name__)


class _NoticesStore(MatchStore, PeopleStore, Protocol):
    """What `TurnNotices` needs from the store."""


class TurnNotices:
    """Whom each match waits for, and which mentions are posted."""

    def __init__(
        self,
        messages: ChannelMessages,
        store: _NoticesStore,
        edits: EditQueue,
        reader: Callable[[LiveMatch], Reader],
        *,
        server_name: Callable[[int], str],
        scheduler: Scheduler,
        postings: Postings,
        after: float,
        access: Access | None = None,
    ) -> None:
        """`after` is how many seconds of waiting for a player come before their mention. `access` tells who can see
        their match; without it everybody can."""
        self._access = OpenToAll() if access is None else access
        self._messages = messages
        self._server_name = server_name
        self._store = store
        self._edits = edits
        self._reader = reader
        self._scheduler = scheduler
        self._postings = postings
        self._after = after
        self._waiting: dict[tuple[str, Seat], tuple[int, ScheduledCall]] = {}
        self._posted: dict[tuple[str, Seat], Notice] = {}
        self._unwanted: dict[tuple[str, Seat], Notice] = {}
        """The mentions that must be removed. Their rows stay until they are gone."""
        self._warned: dict[tuple[str, Seat], int] = {}
        self._later: dict[tuple[str, Seat], ScheduledCall] = {}
        """The looks at mentions whose deadline moved a little."""

    async def load(self, expected: Container[str]) -> None:
        """Read which mentions are posted. Those of matches that are not `expected` to be restored are removed.

        Raises StoreError.
        """
        for notice in await self._store.notices():
            self._posted[notice.match_id, notice.seat] = notice
            if notice.match_id not in expected:
                self._remove(notice.match_id, notice.seat)

    def restore(self, match: LiveMatch) -> None:
        """Remove the mentions that a restored match no longer needs."""
        for seat in range(len(match.seats)):
            if seat not in match.awaited or match.has_computer(seat):
                self._remove(match.id, seat)

    def remove_all(self, match_id: str) -> None:
        """Remove the mentions of a match that could not be restored."""
        for key in [key for key in self._posted if key[0] == match_id]:
            self._remove(*key)

    @property
    def recorded(self) -> list[int]:
        """The messages of all mentions that are posted, unwanted ones too."""
        return [notice.message_id for notice in (*self._posted.values(), *self._unwanted.values())]

    def is_notice(self, match: LiveMatch, message_id: int) -> bool:
        """Whether a message is a mention of one of the match's players."""
        keys = [(match.id, seat) for seat in range(len(match.seats))]
        found = [notice for key in keys for notice in (self._posted.get(key), self._unwanted.get(key)) if notice]
        return any(notice.message_id == message_id for notice in found)

    @property
    def idle(self) -> bool:
        """Whether no player is waited for and no mention is posted."""
        return not self._waiting and not self._posted and not self._unwanted and not self._warned

    def seen(self, match: LiveMatch, seat: Seat) -> None:
        """Note that a player pressed something in the match: they are here, so this question needs no mention."""
        waiting = self._waiting.get((match.id, seat))
        if waiting is not None:
            waiting[1].cancel()
        self._remove(match.id, seat)

    def match_changed(self, match: LiveMatch) -> None:
        """Start the wait before a mention for the players whom the match waits for, and stop it for the others."""
        for seat in range(len(match.seats)):
            key = (match.id, seat)
            if seat not in match.awaited or match.has_computer(seat):
                waiting = self._waiting.pop(key, None)
                if waiting is not None:
                    waiting[1].cancel()
                self._warned.pop(key, None)
                if not self._is_lost(match, seat):
                    self._remove(*key)
                continue
            if key not in self._waiting or self._waiting[key][0] != match.window_number:
                self._wait(match, seat)
            notice = self._posted.get(key)
            if notice is not None:
                self._request_move(match, notice)

    def close(self) -> None:
        """Stop all waits; posted mentions are restored at the next start."""
        for handle in (*(handle for _, handle in self._waiting.values()), *self._later.values()):
            handle.cancel()
        self._waiting.clear()
        self._later.clear()

    def _wait(self, match: LiveMatch, seat: Seat) -> None:
        key = (match.id, seat)
        if key in self._waiting:
            self._waiting[key][1].cancel()
        call = self._scheduler.call_later(self._after, self._request_mention, match, seat, match.window_number)
        self._waiting[key] = (match.window_number, call)

    def warn(self, match: LiveMatch, seat: Seat) -> None:
        """Warn a player that their time is nearly up; the warning replaces their mention."""
        self._warned[match.id, seat] = match.window_number
        self._request_notice(match, seat, match.window_number, warning=True)

    def warned(self, match: LiveMatch, seat: Seat) -> None:
        """Note that a player was warned of this question's deadline, and that the deadline has moved since."""
        self._warned[match.id, seat] = match.window_number
        notice = self._posted.get((match.id, seat))
        if notice is not None:
            self._request_move(match, notice)

    def _request_mention(self, match: LiveMatch, seat: Seat, window: int) -> None:
        if self._warned.get((match.id, seat)) != window:
            self._request_notice(match, seat, window, warning=False)

    def _request_notice(self, match: LiveMatch, seat: Seat, window: int, *, warning: bool, failed: int = 0) -> None:
        bucket, key = ("notice", match.channel_id), ("post", match.id, seat)
        post = partial(self._post, match, seat, window, warning=warning, failed=failed)
        self._edits.request_edit(bucket, key, post, Priority.NOTICE)

    def _post_later(self, match: LiveMatch, seat: Seat, window: int, *, warning: bool, failed: int) -> None:
        if failed + 1 < TRIES:
            again = partial(self._request_notice, match, seat, window, warning=warning, failed=failed + 1)
            self._scheduler.call_later(retry_delay(failed + 1), again)

    async def _post(self, match: LiveMatch, seat: Seat, window: int, *, warning: bool, failed: int) -> int:
        """Post a mention, or a warning that replaces it. Returns how many requests that took."""
        key = (match.id, seat)
        user = match.seats[seat]
        if not _asked(match, seat, window) or (key in self._posted and not warning):
            return 0
        level = await self._level(match, user)
        if level is NoticeLevel.NONE:
            return 0
        requests = 1
        former = self._take_back(key)
        if former is not None:
            requests += await self._delete(former)
            if key in self._unwanted:  # its row is still needed
                self._post_later(match, seat, window, warning=warning, failed=failed)
                return requests - 1
        if not _asked(match, seat, window):
            return requests - 1
        try:
            directly = level is NoticeLevel.DIRECT or (level is NoticeLevel.PING and await self._is_hidden(match, user))
            direct = directly and await self._notify_directly(match, seat, warning=warning)
            if not direct:
                await self._notify_in_channel(match, seat, warning=warning, quiet=level is NoticeLevel.QUIET)
        except NotTaken as error:
            _log.info("a mention in match %s was not taken (code %d)", match.id, error.code)
            if error.may_pass:
                self._post_later(match, seat, window, warning=warning, failed=failed)
            return requests
        if not _asked(match, seat, window):
            self._remove(*key)
        return requests

    def _request_move(self, match: LiveMatch, notice: Notice, failed: int = 0) -> None:
        bucket, key = ("notice", notice.channel_id), ("move", match.id, notice.seat)
        move = partial(self._move, match, notice.seat, notice.message_id, failed)
        self._edits.request_edit(bucket, key, move, Priority.NOTICE)

    async def _move(self, match: LiveMatch, seat: Seat, message_id: int, failed: int) -> int:
        """Update the deadline in a posted mention. Returns how many requests that took. An edit notifies nobody.

        Its mark is deleted first. So if nobody knows whether Discord took the edit, or the process is killed before the
        new mark is stored, the mention is edited once too often, and never too seldom.
        """
        key = (match.id, seat)
        notice = self._posted.get(key)
        if notice is None or notice.message_id != message_id or seat not in match.awaited:
            return 0
        text = self._text_of(match, notice)
        mark = mark_of_text(text)
        due, now = change_due(notice.mark, mark), self._scheduler.now() / 1000
        if due > now:
            if due < math.inf:
                self._look_later(match, notice, due - now)
            return 0
        notice = await self._mark(notice, None)
        if self._posted.get(key) is not notice:  # it was removed meanwhile
            return 0
        try:
            await self._messages.edit_text(Posted(notice.channel_id, notice.message_id), text)
        except NotTaken as error:
            _log.info("a mention in match %s could not be changed (code %d)", match.id, error.code)
            if error.may_pass and failed + 1 < TRIES:
                self._scheduler.call_later(retry_delay(failed + 1), self._request_move, match, notice, failed + 1)
        else:
            await self._mark(notice, mark)
        return 1

    def _look_later(self, match: LiveMatch, notice: Notice, seconds: float) -> None:
        """Compare a mention again when people notice that its deadline moved."""
        key = (match.id, notice.seat)
        if key in self._later:
            self._later[key].cancel()
        self._later[key] = self._scheduler.call_later(seconds, self._request_move, match, notice)

    async def _mark(self, notice: Notice, mark: bytes | None) -> Notice:
        """Record what a posted mention says, or that nobody knows. Returns it with that mark."""
        key, marked = (notice.match_id, notice.seat), replace(notice, mark=mark)
        if self._posted.get(key) is notice and notice.mark != mark:
            self._posted[key] = marked
            try:
                await self._store.mark_notice(marked)
            except StoreError:
                _log.warning("what a mention in match %s says could not be saved", notice.match_id)
            return marked
        return notice

    async def _is_hidden(self, match: LiveMatch, user: int) -> bool:
        """Whether a player cannot see the channel of their match: a mention there notifies nobody."""
        found = await obstacles(self._access, match.guild_id, match.channel_id, (user,))
        return found.get(user) is Obstacle.HIDDEN

    async def _level(self, match: LiveMatch, user: int) -> NoticeLevel:
        try:
            return await self._store.notice_level(match.guild_id, user)
        except StoreError:
            return NoticeLevel.PING

    def _text_of(self, match: LiveMatch, notice: Notice) -> str:
        """What a posted mention or warning has to say at present."""
        warning = self._warned.get((match.id, notice.seat)) == match.window_number
        text = self._text if notice.channel_id == match.channel_id else self._direct_text
        return text(match, notice.seat, warning=warning)

    def _text(self, match: LiveMatch, seat: Seat, *, warning: bool) -> str:
        """The text of a mention in the channel."""
        key, reader = "notice.time_short" if warning else "notice.your_turn", self._reader(match)
        player = f"<@{match.seats[seat]}>"
        text = reader.words(key, player=player, game=match.game.info.title, when=_when(match))
        return text + ("" if warning else _clock(match, seat, reader)) + link(match)

    def _direct_text(self, match: LiveMatch, seat: Seat, *, warning: bool) -> str:
        """The text of a direct message."""
        key, reader = "notice.time_short_there" if warning else "notice.your_turn_there", self._reader(match)
        server = safe_server_name(self._server_name(match.guild_id), match.guild_id)
        text = reader.words(key, game=match.game.info.title, server=server, when=_when(match))
        return text + ("" if warning else _clock(match, seat, reader)) + link(match)

    async def _notify_directly(self, match: LiveMatch, seat: Seat, *, warning: bool) -> bool:
        """Send a player a direct message. Returns False if they take none. Raises NotTaken for other refusals."""
        user, text = match.seats[seat], self._direct_text(match, seat, warning=warning)
        try:
            channel_id = await self._messages.open_direct(user)
            await self._send(match, seat, channel_id, text, lambda: self._messages.send_directly(user, text))
        except NotTaken as error:
            if not error.refuses_direct_messages:
                raise
            return False
        return True

    async def _notify_in_channel(self, match: LiveMatch, seat: Seat, *, warning: bool, quiet: bool) -> None:
        """Mention a player where the match is played; a `quiet` mention notifies nobody. Raises NotTaken."""
        user, guild_id, channel_id = match.seats[seat], match.guild_id, match.channel_id
        text, notified = self._text(match, seat, warning=warning), () if quiet else (user,)
        cards = Button(self._reader(match).words("button.my_cards"), Press("cards"), Tone.MAIN)
        below = buttons_below((cards,), match.id)
        await self._send(
            match, seat, channel_id, text, lambda: self._messages.post_text(guild_id, channel_id, text, notified, below)
        )

    async def _send(
        self, match: LiveMatch, seat: Seat, channel_id: int, text: str, send: Callable[[], Awaitable[Posted]]
    ) -> None:
        """Send a mention and record it. That it is being posted is recorded before. Raises NotTaken."""
        await self._postings.find_lost(match, seat, channel_id, self.recorded)
        posting = Posting(match.id, seat, channel_id, None, self._scheduler.now())
        await self._postings.begin(posting)
        try:
            posted = await send()
        except NotTaken as error:
            await self._postings.refused(posting, error)
            raise
        self._postings.placed(posting)
        notice = Notice(match.id, seat, match.seats[seat], posted.channel_id, posted.message_id, mark_of_text(text))
        self._posted[match.id, seat] = notice
        try:
            await self._store.add_notice(notice)
        except StoreError:
            _log.warning("a mention in match %s could not be saved", match.id)
        else:
            await self._postings.end(posting)

    def _remove(self, match_id: str, seat: Seat) -> None:
        notice = self._take_back((match_id, seat))
        if notice is not None:
            self._request_removal(notice)

    def _take_back(self, key: tuple[str, Seat]) -> Notice | None:
        """A seat's mention, which is unwanted from now on; None if there is none."""
        later = self._later.pop(key, None)
        if later is not None:
            later.cancel()
        notice = self._posted.pop(key, None) or self._unwanted.get(key)
        if notice is not None:
            self._unwanted[key] = notice
        return notice

    def _request_removal(self, notice: Notice, failed: int = 0) -> None:
        bucket, key = ("notice", notice.channel_id), ("remove", notice.match_id, notice.seat)
        self._edits.request_edit(bucket, key, lambda: self._delete(notice, failed), Priority.NOTICE)

    async def _delete(self, notice: Notice, failed: int = 0) -> int:
        """Remove a mention. If it may still be there it stays unwanted, and is removed at the next opportunity."""
        if self._unwanted.get((notice.match_id, notice.seat)) is not notice:
            return 0
        try:
            await self._messages.delete(Posted(notice.channel_id, notice.message_id))
        except NotTaken as error:
            _log.info("a mention in match %s could not be removed (code %d)", notice.match_id, error.code)
            if error.may_pass:
                if failed + 1 < TRIES:
                    self._scheduler.call_later(retry_delay(failed + 1), self._request_removal, notice, failed + 1)
                return 1
        await self._forget(notice)
        return 1

    async def _forget(self, notice: Notice) -> None:
        key = (notice.match_id, notice.seat)
        if self._unwanted.get(key) is notice:
            del self._unwanted[key]
        if key in self._posted:  # the row belongs to the notice that replaced this one
            return
        try:
            await self._store.remove_notice(*key)
        except StoreError:
            _log.warning("a removed mention in match %s could not be forgotten", notice.match_id)

    def _is_lost(self, match: LiveMatch, seat: Seat) -> bool:
        """Whether a seat's mention was deleted with its channel. Then it is forgotten without a request."""
        key = (match.id, seat)
        notice = self._posted.get(key) or self._unwanted.get(key)
        if match.suspended is not Suspension.CHANNEL_GONE or notice is None or notice.channel_id != match.channel_id:
            return False
        self._take_back(key)
        bucket = ("notice", notice.channel_id)
        self._edits.request_edit(bucket, ("remove", *key), lambda: self._forget_gone(notice), Priority.NOTICE)
        return True

    async def _forget_gone(self, notice: Notice) -> int:
        await self._forget(notice)
        return 0


def _asked(match: LiveMatch, seat: Seat, window: int) -> bool:
    """Whether the match still waits for the seat to answer that question."""
    return seat in match.awaited and match.window_number == window and not match.has_computer(seat)


def _clock(match: LiveMatch, seat: Seat, reader: Reader) -> str:
    """Whose clock runs and until when, after a space; empty if there is no deadline."""
    when = _when(match)
    others = [reader.names[other] for other in sorted(match.awaited - {seat})]
    if not when:
        return ""
    if not others:
        return " " + reader.words("notice.clock", when=when)
    return " " + reader.words("notice.clock_shared", others=reader.words("names.and").join(others), when=when)


def _when(match: LiveMatch) -> str:
    """The deadline on the board, as a timestamp that Discord counts down; empty if there is none."""
    deadline = shown_deadline(match)
    return "" if deadline is None else f"<t:{deadline // 1000}:R>"


def link(match: LiveMatch) -> str:
    """A space and the board's address; empty if there is no board."""
    if match.board_id is None:
        return ""
    return f" https://discord.com/channels/{link_part(match.guild_id)}/{match.channel_id}/{match.board_id}"
