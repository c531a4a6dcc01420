"""Updates everything in Discord that shows matches, invitations and servers: which parts, in which order."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from bot.play.live_match import BoardLocation, LiveMatch
from bot.play.observers import Observer
from bot.store.queries.invitations import Invitation, InvitationState
from bot.store.queries.matches import SavedMatch
from bot.store.special_ids import is_chat, people
from cogs.updates.board_updater import BoardUpdater, InvitationUpdater
from cogs.updates.edit_queue import EditQueue
from cogs.updates.match_notices import MatchNotices
from cogs.updates.open_hands import OpenHands
from cogs.updates.opened_deals import OpenedDeals
from cogs.updates.shown_messages import Postings
from cogs.updates.time_warnings import TimeWarnings
from engines.game import Seat


@dataclass(slots=True, eq=False)
class ScreenUpdates(Observer):
    """Updates everything that is shown in Discord: hands, boards, invitations, and notices beside them."""

    edit_queue: EditQueue
    postings: Postings
    open_hands: OpenHands
    board_updater: BoardUpdater
    invitations: InvitationUpdater
    time_warnings: TimeWarnings
    opened_deals: OpenedDeals

    @property
    def notices(self) -> MatchNotices:
        """The notices beside boards."""
        return self.time_warnings.notices

    async def load(self, live: Collection[str], ended: Collection[str]) -> None:
        """Read what an earlier process left: open hands and mentions, and what was being posted.

        `live` and `ended` are the ids of the matches that will be restored. Raises StoreError.
        """
        await self.open_hands.load()
        await self.notices.load(live)
        await self.postings.load({*live, *ended})

    def restore(self, match: LiveMatch, saved: SavedMatch | None = None) -> None:
        """Restore what an earlier process showed of a match. `saved` is what it saved of a live one.

        Boards of live matches are compared with their marks once the bot is connected and their clocks run again, and
        repaired if they differ.
        """
        with self.edit_queue.repairing():
            self.open_hands.restore(match)
        if saved is not None:
            self.notices.restore(match)
            if not is_chat(match.guild_id):
                self.time_warnings.restore(match, saved.timers)
            self.board_updater.marks.restore(match, saved.board_mark)
        self.postings.restore(match.id, match, lambda: self.notices.known)
        if match.over:
            self.match_repaired(match)

    def not_restored(self, match_id: str) -> None:
        """Remove what an earlier process showed beside the board of a match that could not be restored."""
        self.notices.remove_all(match_id)
        self.postings.restore(match_id, None, tuple)

    def show_boards(self, matches: Iterable[LiveMatch]) -> None:
        """Show boards as they look now, after everything that people at a table wait for."""
        with self.edit_queue.repairing():
            for match in matches:
                self.board_updater.match_changed(match)

    async def close(self) -> None:
        """Give the last boards up to two seconds, then stop everything."""
        self.notices.close()
        self.time_warnings.close()
        await self.opened_deals.close()
        await self.edit_queue.close(2.0)
        await self.open_hands.close()
        await self.board_updater.marks.close()

    # ------------------------------------------------------------------------------------ the observer

    def match_changed(self, match: LiveMatch) -> None:
        """Request updates of hands and board; mention and warn the players whom the match waits for."""
        self.open_hands.match_changed(match)
        if match.has_board:
            self.board_updater.match_changed(match)
        if match.over:
            self.opened_deals.ended(match)
        if not match.has_clock or is_chat(match.guild_id) or len(people(match.seats)) < 2:
            return  # nobody else waits
        self.notices.match_changed(match)
        self.time_warnings.match_changed(match)

    def match_resumed(self, match: LiveMatch, former: BoardLocation, by: Seat) -> None:
        """Delete the old board, post a new one, and announce it to the other players."""
        self.board_updater.remove_former(match, former)
        self.match_changed(match)
        self.notices.resumed(match, by)

    def match_gave_place(self, match: LiveMatch) -> None:
        """Tell the players that their match is on hold."""
        self.notices.gave_place(match)

    def match_repaired(self, match: LiveMatch) -> None:
        """As `match_changed`, but after everything that people at a table wait for."""
        with self.edit_queue.repairing():
            self.match_changed(match)

    def invitation_closed(self, invitation: Invitation, state: InvitationState) -> None:
        """Show how an invitation ended that closed without a press."""
        self.invitations.closed(invitation, state)

    def invitation_repaired(self, invitation: Invitation) -> None:
        """Show an open invitation again."""
        with self.edit_queue.repairing():
            self.invitation_changed(invitation)

    def invitation_changed(self, invitation: Invitation) -> None:
        """Show an open invitation as it is now. Nobody pressed on its message, so no answer does it."""
        self.invitations.changed(invitation)
