"""What everybody in a channel is shown: boards and invitations."""

from __future__ import annotations

from dataclasses import dataclass

from bot.play.live_match import LiveMatch
from bot.play.matchmaking.invitations import Invitations
from bot.store.queries.invitations import Invitation, InvitationState
from bot.ui.screen import Screen
from cogs.board_pictures import BoardPictures
from cogs.screens.board import board_screen
from cogs.screens.invitation import invitation_screen
from cogs.screens.presenter import Presenters
from cogs.wording import Readers, Wording


@dataclass(slots=True, eq=False)
class PublicScreens:
    """Makes the screens of channels, in the language of their server."""

    presenters: Presenters
    readers: Readers
    wording: Wording
    invitations: Invitations
    pictures: BoardPictures

    def board(self, match: LiveMatch) -> Screen:
        """A match's board. The names of its players must be loaded or remembered."""
        presenter, reader = self.presenters[match.game.info.key], self.readers.public(match)
        return board_screen(match, presenter, reader, pictured=self.pictures.wanted(match))

    def invitation(self, invitation: Invitation, state: InvitationState) -> Screen:
        """An invitation in a state. The names of its people must be loaded or remembered."""
        words = self.wording.of_server(invitation.guild_id)
        presenter = self.presenters.get(invitation.game)
        head_to_head = self.invitations.head_to_head(invitation.id)
        names = self.wording.invitation_names(invitation, words)
        return invitation_screen(
            invitation,
            state,
            presenter,
            words,
            names,
            head_to_head=head_to_head,
            awaited=self.invitations.presence.awaited(invitation),
            unrated=self.invitations.is_unrated(invitation.id),
        )
