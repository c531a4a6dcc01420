"""Everything in Discord that follows matches, invitations and servers: who shows what of a change, in which order."""

from __future__ import annotations

from bot.play.live_match import BoardLocation, LiveMatch
from bot.store.rows import Invitation, InvitationState
from bot.ui.display_names import DisplayNames
from cogs.updates.board_updater import BoardUpdater
from cogs.updates.edit_queue import EditQueue
from cogs.updates.open_hands import OpenHands
from cogs.updates.resume_notices import ResumeNotices
from cogs.updates.time_warnings import TimeWarnings
from cogs.updates.turn_notices import TurnNotices
from engines.game import Seat


class ScreenUpdates:
    """The observer (`bot.play.observers.Observer`) of all that is shown."""

    def __init__(
        self,
        edits: EditQueue,
        display_names: DisplayNames,
        *,
        open_hands: OpenHands,
        board_updater: BoardUpdater,
        turn_notices: TurnNotices,
        time_warnings: TimeWarnings,
        resume_notices: ResumeNotices,
    ) -> None:
        self._edits = edits
        self._open_hands = open_hands
        self._board_updater = board_updater
        self._turn_notices = turn_notices
        self._time_warnings = time_warnings
        self._resume_notices = resume_notices
        self._display_names = display_names

    def match_changed(self, match: LiveMatch) -> None:
        """Bring hands and board up to date, soon, and mention and warn whom the match waits for."""
        self._open_hands.match_changed(match)
        self._board_updater.match_changed(match)
        self._turn_notices.match_changed(match)
        self._time_warnings.match_changed(match)

    def match_resumed(self, match: LiveMatch, former: BoardLocation, by: Seat) -> None:
        """Take the former board away, post another, and tell the others behind it."""
        self._board_updater.remove_former(match, former)
        self.match_changed(match)
        self._resume_notices.announce(match, by)

    def match_repaired(self, match: LiveMatch) -> None:
        """The same, after everything that people at a table wait for."""
        with self._edits.repairing():
            self.match_changed(match)

    def invitation_closed(self, invitation: Invitation, state: InvitationState) -> None:
        """Show on an invitation that nobody pressed what became of it."""
        self._board_updater.invitation_changed(invitation, state)

    def server_purged(self, guild_id: int) -> None:
        """Forget what people in a server are called."""
        self._display_names.forget_server(guild_id)
