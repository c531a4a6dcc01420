"""Keeps the messages of invitations equal to what became of them, where no answer to a press does it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from bot.play.live_match import LiveMatch
from bot.store.rows.invitations import Invitation, InvitationState
from bot.store.store import Store
from cogs.public_screens import PublicScreens
from cogs.screens.renderer import sheet
from cogs.updates.board_updater import BoardUpdater
from cogs.updates.channel_messages import ChannelMessages, Posted
from cogs.updates.edit_queue import EditQueue
from cogs.updates.shown_messages import ShownMessages


@dataclass(slots=True, eq=False)
class InvitationUpdater:
    """Updates open invitations, and those that ended without a press.

    `open_invitation` is an open invitation and `playing` a match in play, by their ids.
    """

    shown_messages: ShownMessages
    messages: ChannelMessages
    edits: EditQueue
    store: Store
    screens: PublicScreens
    boards: BoardUpdater
    open_invitation: Callable[[str], Invitation | None]
    playing: Callable[[str], LiveMatch | None]

    def closed(self, invitation: Invitation, state: InvitationState) -> None:
        """Show how an invitation ended."""
        self._request(invitation, partial(self._show, invitation, state))

    def changed(self, invitation: Invitation) -> None:
        """Show an open invitation as it is when its turn comes; one that has closed meanwhile is left alone."""
        self._request(invitation, partial(self._show_open, invitation.id))

    def _request(self, invitation: Invitation, show: Callable[[], Awaitable[int]]) -> None:
        bucket = ("channel", invitation.channel_id)
        request = partial(self.edits.request_edit, bucket, invitation.id, show)
        self.shown_messages.in_turn(invitation.channel_id, invitation.created_at, invitation.id, request)

    async def _show(self, invitation: Invitation, state: InvitationState) -> int:
        """Edit an invitation's message. Returns how many requests that took. Raises NotTaken."""
        if invitation.message_id is None:
            return 0
        made = sheet(self.screens.invitation(invitation, state), invitation.id)
        posted = Posted(invitation.channel_id, invitation.message_id)
        await self.messages.edit(invitation.guild_id, posted, made)
        return 1

    async def _show_open(self, invitation_id: str) -> int:
        """Edit the message of an open invitation. If it changed or closed meanwhile, the edit may have come after the
        answer to the press that changed it, and shows the past then: what became of it is shown once more."""
        found = self.open_invitation(invitation_id)
        if found is None:
            return 0
        try:
            return await self._show(found, InvitationState.OPEN)
        finally:
            if self.open_invitation(invitation_id) != found:
                await self._overtaken(invitation_id)

    async def _overtaken(self, invitation_id: str) -> None:
        match = self.playing(invitation_id)
        if match is not None:
            self.boards.show_again(match)
            return
        found = await self.store.invitation(invitation_id)
        if found is None:
            return
        invitation, state = found
        if state is InvitationState.OPEN:
            self.changed(invitation)
        elif state is not InvitationState.ACCEPTED:
            self.closed(invitation, state)
