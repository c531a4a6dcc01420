"""Mentions of people at a table whose host would like to begin, and who have been quiet for a while.

Each stays until the table is no longer open. A restart forgets which were posted; they stay then.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from bot.games import game_title
from bot.play.observers import Observer
from bot.store.queries.invitations import Invitation, InvitationState
from bot.store.special_ids import is_chat, message_link
from cogs.updates.channel_messages import NotTaken, Posted
from cogs.updates.edit_queue import EditQueue, Priority
from cogs.updates.notifier import Kind, Notifier, notice_for
from cogs.wording import Wording

_log = logging.getLogger(__name__)

READY: Final = Kind("ready", "table.ready_here", "table.ready_there")


@dataclass(slots=True, eq=False)
class ReadyQuestions(Observer):
    """Whom the bot has asked whether they are ready, table by table."""

    notifier: Notifier
    edits: EditQueue
    wording: Wording
    waits: Callable[[str, int], bool]
    """Whether the match of an open table, by its id, waits until somebody is ready."""
    _posted: dict[str, list[Posted]] = field(default_factory=dict, init=False)

    def ask(self, invitation: Invitation, users: Collection[int]) -> None:
        """Tell people that their table waits for them, at the level that they chose for notices. In a chat without the
        bot the table alone says so."""
        if is_chat(invitation.guild_id):
            return
        for user in users:
            bucket, key = ("notice", invitation.channel_id), ("ready", invitation.id, user)
            self.edits.request_edit(bucket, key, partial(self._tell, invitation, user), Priority.NOTICE)

    async def _tell(self, invitation: Invitation, user: int) -> int:
        if not self.waits(invitation.id, user):  # its match has begun, or they were ready sooner than this had its turn
            return 0
        venue, game = (invitation.guild_id, invitation.channel_id), game_title(invitation.game)
        link = f" {message_link(*venue, invitation.message_id)}"
        notice = await notice_for(self.wording, READY, venue, user, more=link, game=game)
        try:
            level = await self.notifier.level(READY, invitation.guild_id, user)
            posted = await self.notifier.tell(notice, level, silent=await self.notifier.is_quiet(user))
        except NotTaken as error:  # the table itself asks them too
            _log.info("somebody could not be asked at table %s (code %d)", invitation.id, error.code)
            return 1
        if posted is not None and self.waits(invitation.id, user):
            self._posted.setdefault(invitation.id, []).append(posted)
        elif posted is not None:
            self.notifier.remove_later(self.edits, posted)
        return 1

    def invitation_closed(self, invitation: Invitation, state: InvitationState) -> None:  # noqa: ARG002  however it ended
        """Take back what was asked at a table that is not open any more."""
        self.settle(invitation.id)

    def settle(self, invitation_id: str) -> None:
        """Take back what was asked at a table."""
        for posted in self._posted.pop(invitation_id, ()):
            self.notifier.remove_later(self.edits, posted)
