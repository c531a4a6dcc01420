"""The notice that a match was resumed, for the other players.

It is posted after the new board and notifies each of them in the same way as a turn notice (`NoticeLevel`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from bot.play.live_match import LiveMatch
from bot.store.errors import StoreError
from bot.store.protocols.people import PeopleStore
from bot.store.rows.people import NoticeLevel
from cogs.screens.presenter import Reader
from cogs.updates.channel_messages import ChannelMessages, NotTaken
from cogs.updates.edit_queue import EditQueue, Priority
from cogs.updates.turn_notices import link
from engines.game import Seat

_log = logging.getLogger(__name__)


class ResumeNotices:
    """Announces to the others where their match was resumed."""

    def __init__(
        self, messages: ChannelMessages, store: PeopleStore, edits: EditQueue, reader: Callable[[LiveMatch], Reader]
    ) -> None:
        self._messages = messages
        self._store = store
        self._edits = edits
        self._reader = reader

    def announce(self, match: LiveMatch, seat: Seat) -> None:
        """Announce, once the board is posted, that the player on this seat has resumed the match."""
        bucket = ("channel", match.channel_id)
        self._edits.request_edit(bucket, ("resumed", match.id), lambda: self._announce(match, seat), Priority.NOTICE)

    async def _announce(self, match: LiveMatch, seat: Seat) -> int:
        if match.suspended is not None:  # the board could not be posted
            return 0
        pinged: list[int] = []
        others: list[str] = []
        reader = self._reader(match)
        for other, user in enumerate(match.seats):
            if other == seat:
                continue
            level = await self._level(match, user)
            others.append(reader.names[other] if level is NoticeLevel.NONE else f"<@{user}>")
            if level in {NoticeLevel.PING, NoticeLevel.DIRECT}:
                pinged.append(user)
        text = reader.words(
            "resume.told", player=reader.names[seat], others=" · ".join(others), game=match.game.info.title
        )
        try:
            await self._messages.post_text(match.guild_id, match.channel_id, text + link(match), pinged)
        except NotTaken as error:
            _log.info("could not announce that match %s was resumed (code %d)", match.id, error.code)
        return 1

    async def _level(self, match: LiveMatch, user: int) -> NoticeLevel:
        try:
            return await self._store.notice_level(match.guild_id, user)
        except StoreError:
            return NoticeLevel.QUIET
