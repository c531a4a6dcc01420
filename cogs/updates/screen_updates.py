"""Updates everything in Discord that shows matches, invitations and servers: which parts, in which order."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence

from bot.play.access import Access
from bot.play.clocks.match_clock import MatchClock
from bot.play.daily.days import day_of
from bot.play.live_match import BoardLocation, LiveMatch
from bot.play.match_lifecycle import MatchLifecycle
from bot.play.match_state import Position
from bot.play.observers import Observer
from bot.scheduler import Scheduler
from bot.store.protocols.store import Store
from bot.store.rows.daily import DailyAttempt
from bot.store.rows.invitations import Invitation, InvitationState
from bot.store.rows.matches import SavedMatch
from bot.telemetry import NO_TELEMETRY, Telemetry
from bot.ui.catalogue import Translations
from bot.ui.screen import Screen
from cogs.screens.presenter import Presenter, Reader
from cogs.updates.board_updater import BoardUpdater
from cogs.updates.channel_messages import ChannelMessages
from cogs.updates.daily_messages import DailyMessages
from cogs.updates.edit_queue import EditQueue
from cogs.updates.hand_messages import HandMessages
from cogs.updates.hand_records import HandRecords
from cogs.updates.interaction_edits.board_tokens import BoardTokens
from cogs.updates.open_hands import OpenHands
from cogs.updates.postings import Postings
from cogs.updates.resume_notices import ResumeNotices
from cogs.updates.start_notices import StartNotices
from cogs.updates.table_notices import TableNotices
from cogs.updates.time_warnings import TimeWarnings
from cogs.updates.turn_notices import TurnNotices
from engines.game import Seat


class ScreenUpdates(Observer):
    """Updates everything that is shown in Discord; it owns the parts that show it."""

    def __init__(
        self,
        messages: ChannelMessages,
        hand_messages: HandMessages,
        store: Store,
        edit_queue: EditQueue,
        board_tokens: BoardTokens,
        *,
        presenters: Mapping[str, Presenter],
        board: Callable[[LiveMatch], Screen],
        invitation: Callable[[Invitation, InvitationState], Screen],
        reader: Callable[[LiveMatch], Reader],
        seat_reader: Callable[[LiveMatch, Seat, Translations], Reader],
        server_name: Callable[[int], str],
        words: Callable[[int], Translations],
        open_invitation: Callable[[str], Invitation | None],
        playing: Callable[[str], LiveMatch | None],
        clock: MatchClock,
        scheduler: Scheduler,
        lifecycle: MatchLifecycle,
        notice_after: float,
        daily_message: Callable[[int, int, Sequence[DailyAttempt], Sequence[DailyAttempt]], Awaitable[Screen]],
        server_purged: Callable[[int], None],
        board_shown: Callable[[LiveMatch, Position], None] = lambda _match, _seen: None,
        access: Access | None = None,
        telemetry: Telemetry = NO_TELEMETRY,
    ) -> None:
        """`board`, `invitation` and `reader` make what everybody is shown, and `seat_reader` the reader on a seat, who
        reads a language; `server_name` is a server's name and `words` its translations by its id, `open_invitation` an
        open invitation and `playing` a match in play by their ids, `notice_after` is in seconds, `daily_message` makes
        the message about a server's deals of a day, `server_purged` forgets what is known of a server,
        `board_shown` is called when Discord shows a match's board, with the position that it is of, `access` tells who
        can see a match, and errors are reported to `telemetry`."""
        self._clock = clock
        self._now = scheduler.now
        self._board_was_shown = board_shown
        self.edit_queue = edit_queue
        self.board_tokens = board_tokens
        self.hand_records = HandRecords(store, scheduler)
        self.open_hands = OpenHands(
            hand_messages,
            edit_queue,
            presenters=presenters,
            reader=seat_reader,
            scheduler=scheduler,
            records=self.hand_records,
        )
        self.postings = Postings(messages, store, edit_queue, scheduler)
        self.board_updater = BoardUpdater(
            messages,
            edit_queue,
            board=board,
            invitation=invitation,
            lost=lifecycle.suspend,
            scheduler=scheduler,
            shown=self._board_shown,
            postings=self.postings,
            tokens=board_tokens,
            store=store,
            playing=playing,
            telemetry=telemetry,
        )
        self.daily_messages = DailyMessages(messages, store, edit_queue, scheduler, daily_message)
        self.turn_notices = TurnNotices(
            messages,
            store,
            edit_queue,
            reader,
            server_name=server_name,
            scheduler=scheduler,
            postings=self.postings,
            after=notice_after,
            access=access,
        )
        self.time_warnings = TimeWarnings(scheduler, lambda: clock.paused, self.turn_notices)
        self._resume_notices = ResumeNotices(messages, store, edit_queue, reader)
        self.start_notices = StartNotices(messages, store, edit_queue, reader, server_name)
        self.table_notices = TableNotices(
            messages,
            store,
            edit_queue,
            words=words,
            server_name=server_name,
            open_invitation=open_invitation,
            scheduler=scheduler,
            access=access,
        )
        self._server_purged = server_purged
        self._open_invitation = open_invitation
        self._playing = playing
        self._store = store

    async def load(self, live: Collection[str], ended: Collection[str]) -> None:
        """Read what an earlier process left: open hands and mentions, and what was being posted.

        `live` and `ended` are the ids of the matches that will be restored. Raises StoreError.
        """
        await self.open_hands.load()
        await self.turn_notices.load(live)
        await self.postings.load({*live, *ended})
        await self.daily_messages.resume(day_of(self._now()))

    def restore(self, match: LiveMatch, saved: SavedMatch | None = None) -> None:
        """Restore what an earlier process showed of a match. `saved` is what it saved of a live one.

        Boards of live matches are compared with their marks once the bot is connected and their clocks run again, and
        repaired if they differ.
        """
        with self.edit_queue.repairing():
            self.open_hands.restore(match)
        if saved is not None:
            self.turn_notices.restore(match)
            self.time_warnings.restore(match, saved.timers, self._clock.credited_at)
            self.board_updater.marks.restore(match, saved.board_mark)
        self.postings.restore(match.id, match, lambda: self.turn_notices.recorded)
        if match.over:
            self.match_repaired(match)

    def not_restored(self, match_id: str) -> None:
        """Remove what an earlier process showed beside the board of a match that could not be restored."""
        self.turn_notices.remove_all(match_id)
        self.postings.restore(match_id, None, tuple)

    def show_boards(self, matches: Iterable[LiveMatch]) -> None:
        """Show boards as they look now, after everything that people at a table wait for."""
        with self.edit_queue.repairing():
            for match in matches:
                self.board_updater.match_changed(match)

    async def close(self) -> None:
        """Give the last boards up to two seconds, then stop everything."""
        self.turn_notices.close()
        self.time_warnings.close()
        await self.edit_queue.close(2.0)
        await self.hand_records.close()
        await self.board_updater.marks.close()

    def _board_shown(self, match: LiveMatch, seen: Position) -> None:
        """Discord shows the board of a position: its question's time starts now."""
        self._clock.mark_shown(match, seen.window_number)
        self._board_was_shown(match, seen)

    # ------------------------------------------------------------------------------------ the observer

    def match_changed(self, match: LiveMatch) -> None:
        """Request updates of hands and board; mention and warn the players whom the match waits for."""
        self.open_hands.match_changed(match)
        if not match.has_board:
            self.daily_messages.match_changed(match)
            return
        self.board_updater.match_changed(match)
        self.turn_notices.match_changed(match)
        self.start_notices.match_changed(match)
        self.time_warnings.match_changed(match)

    def match_resumed(self, match: LiveMatch, former: BoardLocation, by: Seat) -> None:
        """Delete the old board, post a new one, and announce it to the other players."""
        self.board_updater.remove_former(match, former)
        self.match_changed(match)
        self._resume_notices.announce(match, by)

    def match_repaired(self, match: LiveMatch) -> None:
        """As `match_changed`, but after everything that people at a table wait for."""
        with self.edit_queue.repairing():
            self.match_changed(match)

    def invitation_closed(self, invitation: Invitation, state: InvitationState) -> None:
        """Show how an invitation ended that closed without a press."""
        self.board_updater.invitation_changed(invitation, state)

    def invitation_repaired(self, invitation: Invitation) -> None:
        """Show an open invitation again."""
        with self.edit_queue.repairing():
            self.invitation_salted(invitation)

    def invitation_salted(self, invitation: Invitation) -> None:
        """Show an open invitation as it is now. Nobody pressed on its message, so no answer does it."""
        self.board_updater.open_invitation_changed(invitation, self._open_invitation, self._invitation_overtaken)

    async def _invitation_overtaken(self, invitation_id: str) -> None:
        """Show once more what became of an invitation that changed while its message was edited."""
        match = self._playing(invitation_id)
        if match is not None:
            self.board_updater.note_overtaken(match)
            self.board_updater.match_changed(match)
            return
        found = await self._store.invitation(invitation_id)
        if found is None:
            return
        invitation, state = found
        if state is InvitationState.OPEN:
            self.invitation_salted(invitation)
        elif state is not InvitationState.ACCEPTED:
            self.board_updater.invitation_changed(invitation, state)

    def server_purged(self, guild_id: int) -> None:
        """Forget what people in a server are called, and what is set there."""
        self._server_purged(guild_id)
