"""Notifies people who asked for it when a table opens (*Tell me when a table opens*).

A table goes through its subscribers one by one, about one a second in a server, as long as it has room and for at most
a quarter of an hour: later it would be no news. They are read a few at a time, and each table of a game begins where
the one before it stopped. So everybody has their turn, however many there are.

A table is no news in its first seconds: it may fill at once, or be closed again.

Somebody is notified of at most one table an hour, whatever the server. That is recorded before it is sent: if the
process ends in between, they miss one, and nobody is notified twice. They get that hour back if nothing could be sent,
or if the table closed soon without a match; of tables of its host nobody is notified for an hour then.

A table is news for less than an hour. So a start can go through the subscribers of every open table again, and nobody
is notified of the same one twice. (Mentions that an earlier process posted are not known then. They stay.)
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from bot.budgets import TABLE_CLOSED_SOON, TABLE_NEWS_AFTER, TABLE_NEWS_FOR
from bot.games import GAMES, game_title
from bot.kept import Kept
from bot.play.matchmaking.admission import Admission
from bot.play.observers import Observer
from bot.play.refusals import Refused
from bot.play.reliability import reliability_of
from bot.scheduler import Scheduler
from bot.store.errors import StoreError
from bot.store.queries.invitations import Invitation, InvitationKind, InvitationState
from bot.store.queries.matches import Obstacle
from bot.store.queries.people import NoticeLevel
from bot.store.store import Store
from cogs.matchmaking.queries import TableSubscriptions
from cogs.matchmaking.screens import link_to
from cogs.updates.channel_messages import TAKES_NO_DIRECT_MESSAGES, NotTaken, Posted
from cogs.updates.edit_queue import EditQueue, Priority
from cogs.updates.notifier import Kind, Notifier, notice_for
from cogs.updates.quiet_hours import HOUR, QuietHours
from cogs.wording import Wording

_log = logging.getLogger(__name__)

TABLE: Final = Kind("table", "tables.open_here", "tables.open_there", level=NoticeLevel.PING)
"""Its readers have asked for just this, so what they chose for the others says nothing of it."""
SLICE: Final = 200
"""How many subscribers are read at once."""
MOST_MENTIONS: Final = 3
"""How many people are mentioned in a table's channel because they accept no direct messages."""
LOOK_AFTER: Final = 30.0
"""Seconds between two looks whether a table is still open, while mentions of it are posted."""
KNOWN_AFTER: Final = 2.0
"""Seconds to wait for a server that is not known (yet): of a start, or while Discord does not reach it."""
PAUSE: Final = 600.0
"""Seconds for which nobody is notified of a table after Discord has asked for fewer direct messages."""
_REQUESTS: Final = 5
"""About how many requests one notice takes: asking for a member and the channel, opening a direct channel, sending."""


@dataclass(slots=True)
class _Round:
    """How far a table has come among the subscribers of its game.

    It began after the id `start`, and continues with the first ones once it has reached the last (`again`).
    """

    start: int
    after: int
    again: bool = False
    due: deque[int] = field(default_factory=deque)
    mentions: list[Posted] = field(default_factory=list)
    ended: bool = False
    """Whether nobody more is notified."""
    told: dict[int, tuple[int, int | None]] = field(default_factory=dict)
    """When those who were notified were, and when they had been before."""


@dataclass(slots=True, eq=False)
class TableNotices(Observer):
    """The tables of which people are being notified.

    `open_invitation` is an open invitation by its id.
    """

    notifier: Notifier
    subscriptions: TableSubscriptions
    store: Store
    edits: EditQueue
    wording: Wording
    open_invitation: Callable[[str], Invitation | None]
    scheduler: Scheduler
    admission: Admission
    _rounds: dict[str, _Round] = field(default_factory=dict, init=False)
    _reached: Kept[tuple[int, str], int] = field(default_factory=partial(Kept, "rounds of tables", 10_000), init=False)
    """By server and game, the subscriber who was looked at last."""
    _claims: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    _paused_until: float = field(default=-math.inf, init=False)
    _hushed: Kept[int, int] = field(default_factory=partial(Kept, "hosts of tables", 10_000), init=False)
    """By host whose table closed soon, until when (ms UTC) nobody is notified of their tables."""

    @property
    def idle(self) -> bool:
        """Whether nobody is being notified of a table, and no mention of one is posted."""
        return all(round_.ended and not round_.mentions for round_ in self._rounds.values())

    def invitation_opened(self, invitation: Invitation) -> None:
        """Begin to notify people of a table whose message is posted. Of any other invitation nobody is notified."""
        if invitation.id in self._rounds or not self._is_news(invitation):
            return
        start = self._reached.get((invitation.guild_id, invitation.game), 0)
        self._rounds[invitation.id] = _Round(start, start)
        wait = TABLE_NEWS_AFTER - (self.scheduler.now() - invitation.created_at) / 1000
        self.scheduler.call_later(max(0.0, wait), self._request, invitation)

    def _is_news(self, invitation: Invitation) -> bool:
        """Whether people can be notified of it now, and may then sit down there."""
        return (
            invitation.kind is InvitationKind.TABLE
            and not invitation.private
            and invitation.game in GAMES
            and len(invitation.seated) < GAMES[invitation.game].info.seats[-1]
            and invitation.message_id is not None
            and self.scheduler.now() < min(invitation.expires_at, invitation.created_at + 1000 * TABLE_NEWS_FOR)
            and self.scheduler.monotonic() >= self._paused_until
            and self.scheduler.now() >= self._hushed.get(invitation.host_id, 0)
        )

    def _request(self, invitation: Invitation) -> None:
        bucket, key = ("table notices", invitation.guild_id), ("table notices", invitation.id)
        self.edits.request_edit(bucket, key, lambda: self._advance(invitation.id), Priority.NOTICE)

    async def _advance(self, invitation_id: str) -> int:
        """Tell the next one, or read who comes next. Returns about how many requests that took."""
        invitation, round_ = self.open_invitation(invitation_id), self._rounds[invitation_id]
        try:
            more = invitation is not None and self._is_news(invitation)
            if invitation is None or not more or not (round_.due or await self._read(invitation, round_)):
                self._end(invitation_id, round_)
                return 0
            if not self.wording.server_name(invitation.guild_id):  # who can see the channel is not known either
                self.scheduler.call_later(KNOWN_AFTER, self._request, invitation)
                return 0
            if not round_.due:  # nobody of those who were read
                self._request(invitation)
                return 0
            requests = await self._tell(invitation, round_, round_.due.popleft())
        except StoreError as error:
            _log.warning("who is notified of table %s could not be read: %s", invitation_id, type(error).__name__)
            self._end(invitation_id, round_)
            return 0
        self._request(invitation)
        return requests

    def _end(self, invitation_id: str, round_: _Round) -> None:
        """Tell nobody more. Mentions are deleted once the table is no longer open, and hours given back if that is
        soon."""
        table, round_.ended = self.open_invitation(invitation_id), True
        if table is not None and (round_.mentions or self._is_young(table, round_)):
            self.scheduler.call_later(LOOK_AFTER, self._end, invitation_id, round_)
            return
        del self._rounds[invitation_id]
        if table is not None:
            return
        for posted in round_.mentions:
            self.notifier.remove_later(self.edits, posted)
        if round_.told:
            bucket, key = ("table notices", 0), ("hours", invitation_id)
            self.edits.request_edit(bucket, key, lambda: self._settle(invitation_id, round_), Priority.REPAIR)

    def _is_young(self, table: Invitation, round_: _Round) -> bool:
        """Whether those who were notified of a table get their hour back if it closes now."""
        return bool(round_.told) and self.scheduler.now() < table.created_at + 1000 * TABLE_CLOSED_SOON

    async def _settle(self, invitation_id: str, round_: _Round) -> int:
        """Give those who were notified of a closed table their hour back, if it closed soon without a match."""
        try:
            await self._give_back(invitation_id, round_)
        except StoreError as error:
            _log.warning("who was notified of table %s gets no hour back: %s", invitation_id, type(error).__name__)
        return 0

    async def _give_back(self, invitation_id: str, round_: _Round) -> None:
        found = await self.store.invitation(invitation_id)
        now = self.scheduler.now()
        if (
            found is None
            or found[1] is InvitationState.ACCEPTED
            or now >= found[0].created_at + 1000 * (TABLE_CLOSED_SOON + LOOK_AFTER)
        ):
            return
        self._hushed.keep_only(lambda until: until > now)
        self._hushed[found[0].host_id] = now + HOUR
        for user, (at, before) in round_.told.items():
            await self.subscriptions.withdraw_notice(user, at, before)

    # ------------------------------------------------------------------------------------ who

    async def _read(self, invitation: Invitation, round_: _Round) -> bool:
        """Read the next subscribers, and note who of them is due. Returns False if all were read. Raises StoreError."""
        guild_id, game = invitation.guild_id, invitation.game
        found = await self.subscriptions.subscribers(guild_id, game, round_.after, SLICE)
        if round_.again:
            found = [each for each in found if each.user_id <= round_.start]
        if not found:
            if round_.again or not round_.start:
                return False
            round_.again, round_.after = True, 0
            return True
        round_.after = self._reached[guild_id, game] = found[-1].user_id
        now = self.scheduler.now()
        due = [each.user_id for each in found if _is_due(each.last_notice, now)]
        preferences = await self.store.preferences(due) if due else {}
        round_.due.extend(user for user in due if not _is_quiet(user, preferences, now))
        return True

    async def _tell(self, invitation: Invitation, round_: _Round, user: int) -> int:
        """Notify somebody of a table, unless they sit there, cannot see it or join it, or since they were read had a
        notice, want none any more or have their quiet hours."""
        if user in (invitation.host_id, *invitation.seated) or not await self._is_admitted(invitation, user):
            return 0
        if invitation.game not in await self.subscriptions.games_of(invitation.guild_id, user):
            return 0
        if _is_quiet(user, await self.store.preferences([user]), self.scheduler.now()):
            return 0
        obstacle = await self.notifier.obstacle(invitation.guild_id, invitation.channel_id, user)
        if obstacle is Obstacle.GONE:
            await self.subscriptions.set_subscription(invitation.guild_id, user, invitation.game, wanted=False)
        if obstacle not in (None, Obstacle.NO_SENDING):  # who may not write can still press Join
            return _REQUESTS - 2
        if invitation.reliable and not await self._is_reliable(invitation.guild_id, user):
            return _REQUESTS - 2
        if await self._claim(invitation.id, round_, user) and not await self._send(invitation, round_, user):
            await self.subscriptions.withdraw_notice(user, *round_.told.pop(user))
        return _REQUESTS

    async def _is_admitted(self, invitation: Invitation, user: int) -> bool:
        """Whether somebody may play, and with those who sit at a table. Raises StoreError."""
        try:
            await self.admission.check_player(invitation.guild_id, user)
            await self.admission.check_company(invitation.guild_id, user, invitation.seated)
        except Refused:
            return False
        return True

    async def _is_reliable(self, guild_id: int, user: int) -> bool:
        """Whether somebody may sit at a table that asks for reliable people. Raises StoreError."""
        return (await reliability_of(self.store, guild_id, user, self.scheduler.now())).is_reliable

    async def _claim(self, invitation_id: str, round_: _Round, user: int) -> bool:
        """Record that somebody is notified now. Returns False if another table was faster, or this one is no news for
        them any more: Discord may have taken seconds to say who can see it. Raises StoreError."""
        async with self._claims:
            now, last = self.scheduler.now(), await self.subscriptions.last_notice(user)
            table = self.open_invitation(invitation_id)
            is_news = table is not None and user not in table.seated and self._is_news(table)
            if not _is_due(last, now) or not is_news or not await self.subscriptions.record_notice(user, now):
                return False
            round_.told[user] = now, last
            return True

    # ------------------------------------------------------------------------------------ how

    async def _send(self, invitation: Invitation, round_: _Round, user: int) -> bool:
        """Send a direct message; the first few who take none are mentioned. Their level does not matter: they asked.

        Returns whether anything was sent.
        """
        game, link = game_title(invitation.game), link_to(invitation)
        venue = invitation.guild_id, invitation.channel_id
        notice = await notice_for(self.wording, TABLE, venue, user, game=game, link=link)
        try:
            try:
                await self.notifier.send_directly(notice)
            except NotTaken as error:
                if error.code != TAKES_NO_DIRECT_MESSAGES or len(round_.mentions) >= MOST_MENTIONS:
                    raise
                level = await self.notifier.level(TABLE, invitation.guild_id, user)
                round_.mentions.append(await self.notifier.mention(notice, level))
        except NotTaken as error:
            _log.info("somebody could not be notified of table %s (code %d)", invitation.id, error.code)
            if error.opens_direct_messages_too_fast:
                self._paused_until = self.scheduler.monotonic() + PAUSE
            return not error.answered
        return True


def _is_quiet(user: int, preferences: Mapping[int, Mapping[str, str]], now: int) -> bool:
    """Whether a moment (ms UTC) is in somebody's quiet hours."""
    return QuietHours.of(preferences.get(user, {})).are_now(now)


def _is_due(last: int | None, now: int) -> bool:
    """Whether somebody may be notified now (ms UTC), an hour after their last notice; None if they had none.

    A notice of the future is one from before the machine's clock was put right, and says nothing.
    """
    return last is None or last > now or last <= now - HOUR
