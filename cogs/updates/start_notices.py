"""The notice that a match has begun, for those who waited for it at a table that starts by itself.

The one who sat down last knows. The others may be elsewhere, perhaps in a match against the computer. So each of them
is notified at once, in the same way as by a turn notice (`NoticeLevel`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from bot.play.live_match import LiveMatch
from bot.store.computer_ids import is_computer
from bot.store.errors import StoreError
from bot.store.protocols.people import PeopleStore
from bot.store.rows.people import NoticeLevel
from bot.ui.screen import Button, Press, Tone
from cogs.screens.presenter import Reader
from cogs.screens.renderer import buttons_below
from cogs.screens.safe_names import safe_server_name
from cogs.updates.channel_messages import ChannelMessages, NotTaken, Posted
from cogs.updates.edit_queue import EditQueue, Priority
from cogs.updates.turn_notices import link
from engines.game import Seat

_log = logging.getLogger(__name__)


class StartNotices:
    """Notifies those who waited that their match has begun."""

    def __init__(
        self,
        messages: ChannelMessages,
        store: PeopleStore,
        edits: EditQueue,
        reader: Callable[[LiveMatch], Reader],
        server_name: Callable[[int], str],
    ) -> None:
        """`server_name` is a server's name by its id."""
        self._messages = messages
        self._store = store
        self._edits = edits
        self._reader = reader
        self._server_name = server_name
        self._posted: dict[tuple[str, Seat], Posted] = {}
        """The mentions in channels. A restart forgets them; then the first press on one deletes it."""

    @property
    def idle(self) -> bool:
        """Whether no mention is known to be posted."""
        return not self._posted

    def is_notice(self, match: LiveMatch, message_id: int) -> bool:
        """Whether a message is a mention of one of the match's players."""
        found = [self._posted.get((match.id, seat)) for seat in range(len(match.seats))]
        return any(posted is not None and posted.message_id == message_id for posted in found)

    def seen(self, match: LiveMatch, seat: Seat) -> None:
        """Delete a player's mention, because they pressed something in the match."""
        posted = self._posted.pop((match.id, seat), None)
        if posted is not None:
            bucket, key = ("notice", posted.channel_id), ("remove begun", match.id, seat)
            self._edits.request_edit(bucket, key, lambda: self._delete(posted), Priority.NOTICE)

    def match_changed(self, match: LiveMatch) -> None:
        """Delete the mentions of a match that is over."""
        self._delete_if_over(match)

    def _delete_if_over(self, match: LiveMatch) -> None:
        if match.over:
            for seat in range(len(match.seats)):
                self.seen(match, seat)

    async def _delete(self, posted: Posted) -> int:
        try:
            await self._messages.delete(posted)
        except NotTaken as error:
            _log.info("a mention that a match has begun could not be removed (code %d)", error.code)
        return 1

    def announce(self, match: LiveMatch, joined: Seat) -> None:
        """Notify all but the player on the seat `joined`, who sat down last."""
        for seat, user in enumerate(match.seats):
            if seat != joined and not is_computer(user):
                self._request(match, seat, joined)

    def _request(self, match: LiveMatch, seat: Seat, joined: Seat) -> None:
        bucket, key = ("notice", match.channel_id), ("begun", match.id, seat)
        self._edits.request_edit(bucket, key, lambda: self._notify(match, seat, joined), Priority.NOTICE)

    async def _notify(self, match: LiveMatch, seat: Seat, joined: Seat) -> int:
        level = await self._level(match, match.seats[seat])
        if level is NoticeLevel.NONE or match.over or match.suspended is not None:
            return 0
        try:
            if level is NoticeLevel.DIRECT and await self._notify_directly(match, seat, joined):
                return 2
            await self._notify_in_channel(match, seat, joined, quiet=level is NoticeLevel.QUIET)
        except NotTaken as error:
            _log.info("could not tell a player that match %s has begun (code %d)", match.id, error.code)
        return 1

    async def _notify_directly(self, match: LiveMatch, seat: Seat, joined: Seat) -> bool:
        """Send a direct message. Returns False if the player accepts none. Raises NotTaken for other refusals."""
        reader = self._reader(match)
        server = safe_server_name(self._server_name(match.guild_id), match.guild_id)
        game = match.game.info.title
        text = reader.words("begun.told_there", player=reader.names[joined], game=game, server=server)
        try:
            await self._messages.send_directly(match.seats[seat], text + link(match))
        except NotTaken as error:
            if not error.refuses_direct_messages:
                raise
            return False
        return True

    async def _notify_in_channel(self, match: LiveMatch, seat: Seat, joined: Seat, *, quiet: bool) -> None:
        """Mention the player where the match is played; a `quiet` mention notifies nobody. Raises NotTaken."""
        reader, user = self._reader(match), match.seats[seat]
        game = match.game.info.title
        text = reader.words("begun.told", other=f"<@{user}>", player=reader.names[joined], game=game)
        cards = Button(reader.words("button.my_cards"), Press("cards"), Tone.MAIN)
        below = buttons_below((cards,), match.id)
        notified = () if quiet else (user,)
        posted = await self._messages.post_text(match.guild_id, match.channel_id, text + link(match), notified, below)
        self._posted[match.id, seat] = posted
        self._delete_if_over(match)  # it may have ended meanwhile

    async def _level(self, match: LiveMatch, user: int) -> NoticeLevel:
        try:
            return await self._store.notice_level(match.guild_id, user)
        except StoreError:
            return NoticeLevel.PING
