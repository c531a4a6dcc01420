"""Keeps the one public message of a match equal to its board.

Boards are edited in place, at most about one edit per second in a channel, and the latest state wins. A board that has
a token of an interaction (`cogs.updates.interaction_edits`) is edited through it, at most once a second and without
waiting for others, because that costs nothing of what Discord grants the bot. Discord caps edits of messages older than
an hour, so the first change after 55 minutes posts the board again and deletes the old one, as *Bring the board down*
does. A board that somebody deleted is posted again with the next change, but not again and again. If Discord says that
the board's place is lost, the match is suspended, and nothing more is sent there.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from functools import partial
from typing import TypeAlias, TypeVar

from bot.play.live_match import BoardLocation, LiveMatch
from bot.play.match_state import Position
from bot.scheduler import Scheduler
from bot.store.errors import StoreError
from bot.store.protocols.screens import ScreenStore
from bot.store.rows.invitations import Invitation, InvitationState
from bot.store.rows.matches import Suspension
from bot.store.rows.screens import Posting
from bot.telemetry import Telemetry
from bot.ui.screen import Screen
from cogs.screens.renderer import Sheet, sheet
from cogs.screens.tables.drawing import drawn
from cogs.updates.boards.marks import BoardMarks
from cogs.updates.channel_messages import UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, ChannelMessages, Limited, NotTaken, Posted
from cogs.updates.edit_queue import TRIES, EditQueue, Priority, retry_delay
from cogs.updates.interaction_edits.board_tokens import BoardTokens
from cogs.updates.old_edits import OldEdits
from cogs.updates.postings import Postings

T = TypeVar("T")
ShowBoard: TypeAlias = Callable[[LiveMatch, Sheet], Awaitable[int]]
"""Shows a match's board. Returns how many requests that took."""

_log = logging.getLogger(__name__)

STALE = 55 * 60 * 1000
"""Milliseconds after which the next change posts the board again."""
LOST = {
    UNKNOWN_CHANNEL: Suspension.CHANNEL_GONE,
    50001: Suspension.NO_ACCESS,
    50013: Suspension.NO_SENDING,
    50083: Suspension.THREAD_CLOSED,
    160005: Suspension.THREAD_CLOSED,
    200000: Suspension.BOARD_REMOVED,  # AutoMod blocks it
    200001: Suspension.BOARD_REMOVED,
}
"""Discord's error codes that say that a board's place is lost, so that further requests would fail too
(https://discord.com/developers/docs/topics/opcodes-and-status-codes#json)."""

AGAIN = 60 * 1000
"""Milliseconds after which players may have the board posted again."""

REMOVALS = 3
"""How often a board may vanish within `REMOVALS_WITHIN` and is posted again. Then the match is suspended: something in
its channel, such as AutoMod or another bot, would remove every further board too."""
REMOVALS_WITHIN = 10 * 60 * 1000
"""Milliseconds."""


class _BoardRemovedError(Exception):
    """The board was removed again and again."""


class _NoTokenError(Exception):
    """The board has no token, or Discord does not take it."""


class BoardUpdater:
    """Updates boards after each change, and challenges that ended without a press."""

    def __init__(
        self,
        messages: ChannelMessages,
        edits: EditQueue,
        *,
        board: Callable[[LiveMatch], Screen],
        invitation: Callable[[Invitation, InvitationState], Screen],
        lost: Callable[[LiveMatch, Suspension, int], Awaitable[None]],
        scheduler: Scheduler,
        shown: Callable[[LiveMatch, Position], None],
        postings: Postings,
        tokens: BoardTokens,
        store: ScreenStore,
        playing: Callable[[str], LiveMatch | None],
        telemetry: Telemetry,
    ) -> None:
        self._messages = messages
        self._edits = edits
        self._board = board
        self._invitation = invitation
        self._lost = lost
        self._scheduler = scheduler
        self._position_shown = shown
        self._postings = postings
        self._tokens = tokens
        self._telemetry = telemetry
        self._old_edits = OldEdits(scheduler)
        self.marks = BoardMarks(store, scheduler, playing=playing, repair=self._repair_later)
        """What the boards show."""
        self._overtaken: set[str] = set()
        """The boards that an edit of their invitation may have replaced, whatever answers have shown since."""
        self._brought_down: set[str] = set()
        """The boards that players want at the foot of their channel, and that are not posted again yet."""
        self._under_way: set[str] = set()
        self._again: set[str] = set()
        """The matches whose board is being shown, and those of them that asked for it meanwhile. A board has one writer
        at a time, though its two ways are two buckets."""
        self._removals: dict[str, list[int]] = {}

    @property
    def idle(self) -> bool:
        """Whether no board is kept in mind: all that were shown belong to matches that are over."""
        return not self.marks and not self._overtaken and not self._removals and not self._brought_down

    def waits_its_turn(self, match: LiveMatch) -> bool:
        """Whether the repair of an old board waits until its channel allows it."""
        return match.id in self._old_edits

    def note_shown(self, match: LiveMatch, made: Sheet | None, seen: Position) -> None:
        """Record that the board was shown in another way, in answer to a press, and of which position it is. `made` is
        None if Discord may not have taken it.

        The press itself then asks for an update, which edits the board if the match has moved on meanwhile.
        """
        if made is None:
            self.marks.forget(match.id)
            return
        self.marks.note(match, made, seen.acts)
        self._position_shown(match, seen)

    def note_overtaken(self, match: LiveMatch) -> None:
        """Record that a late edit of its invitation may have replaced the board that an answer showed.

        The next update edits the board for this reason alone.
        """
        self._overtaken.add(match.id)
        self.marks.forget(match.id)

    def bring_down(self, match: LiveMatch) -> bool:
        """Post the board again at the foot of its channel. Returns False, and does nothing, if it was posted lately."""
        if self._scheduler.now() - match.board_at < AGAIN:
            return False
        self._brought_down.add(match.id)
        self._request_update(match, repair=False)
        return True

    def match_changed(self, match: LiveMatch) -> None:
        """Request an update of the board. A suspended match has no place for a board."""
        if match.suspended is not None:
            self.marks.forget(match.id)
            self._overtaken.discard(match.id)
            self._brought_down.discard(match.id)
            self._removals.pop(match.id, None)
            return
        if self._edits.is_repairing:
            self._repair(match)
        else:
            self._request_update(match, repair=False)

    def _repair(self, match: LiveMatch) -> None:
        """Request a repair; of an old board, when its channel allows the next edit of one."""
        if match.board_id is None or not self._is_old(match.board_at):
            self._request_update(match, repair=True)
            return

        def request() -> None:
            if match.suspended is None:
                with self._edits.repairing():
                    self._request_update(match, repair=True)

        async def look() -> int:
            """An old board that shows what it should takes no turn of its channel."""
            if match.suspended is None and (match.over or not self._is_shown(match)):
                self._old_edits.in_turn(match.channel_id, match.id, request)
            return 0

        self._edits.request_edit(("channel", match.channel_id), match.id, look)

    def _is_shown(self, match: LiveMatch) -> bool:
        """Whether the board of a match in play shows what it should; if so, that is noted."""
        overtaken, seen = match.id in self._overtaken or match.id in self._brought_down, match.position
        if overtaken or not self.marks.shows(match, sheet(self._board(match), match.id)):
            return False
        self._position_shown(match, seen)
        return True

    def _repair_later(self, match: LiveMatch) -> None:
        """Repair a board whose deadline moved a little, which people notice now."""
        if match.suspended is None:
            with self._edits.repairing():
                self._repair(match)

    def _request_update(self, match: LiveMatch, *, repair: bool) -> None:
        if not repair and self._has_token(match):
            bucket = ("board", match.board_id)
            self._edits.request_edit(
                bucket, match.id, lambda: self._update(match, show=self._show_by_token), own_bucket=True
            )
        else:
            self._request_update_by_bot(match, repair=repair)

    def _request_update_by_bot(self, match: LiveMatch, *, repair: bool = False) -> None:
        show = partial(self._show, repair=repair)
        self._edits.request_edit(("channel", match.channel_id), match.id, lambda: self._update(match, show=show))

    def _has_token(self, match: LiveMatch) -> bool:
        """Whether the board is one to edit, and a token does it now."""
        if match.board_id is None or match.id in self._brought_down or self._is_old(match.board_at):
            return False
        return self._tokens.can_edit(match.board_id)

    def _is_old(self, made_at: int) -> bool:
        """Whether a message made at this moment (ms UTC) may be one of those that Discord lets us edit seldom."""
        return self._scheduler.now() - made_at >= STALE

    def remove_former(self, match: LiveMatch, former: BoardLocation) -> None:
        """Delete the old board of a resumed match; the next change posts another."""
        if former.board_id is not None:
            self._request_deletion(match, former)

    def invitation_changed(self, invitation: Invitation, state: InvitationState) -> None:
        """Update a challenge that ended without a press."""
        self._in_turn(invitation, lambda: self._request_invitation(invitation, state))

    def open_invitation_changed(
        self,
        invitation: Invitation,
        current: Callable[[str], Invitation | None],
        overtaken: Callable[[str], Awaitable[None]],
    ) -> None:
        """Update an open invitation. When its turn comes it may have changed, which `current` tells, or be closed.

        `overtaken` is called if it changed or closed while it was edited. The edit may have come after the answer to
        the press that changed it, and shows the past then.
        """
        self._in_turn(invitation, lambda: self._request_open(invitation, current, overtaken))

    def _in_turn(self, invitation: Invitation, request: Callable[[], None]) -> None:
        """Request an edit of an invitation's message; of an old one, when its channel allows it."""
        if not self._is_old(invitation.created_at):
            request()
            return
        repairing = self._edits.is_repairing

        def request_again() -> None:
            with self._edits.repairing() if repairing else nullcontext():
                request()

        self._old_edits.in_turn(invitation.channel_id, invitation.id, request_again)

    async def _update(self, match: LiveMatch, tries: int = TRIES, *, show: ShowBoard) -> int:
        """Bring a board up to date with `show`. Returns how many requests that took."""
        if match.id in self._under_way:
            self._again.add(match.id)
            return 0
        self._under_way.add(match.id)
        try:
            return await self._update_alone(match, tries, show)
        finally:
            self._under_way.discard(match.id)
            if match.id in self._again:
                self._again.discard(match.id)
                self._request_update(match, repair=False)

    async def _update_alone(self, match: LiveMatch, tries: int, show: ShowBoard) -> int:
        if match.suspended is not None:
            return 0
        screen, seen = self._board(match), match.position
        made = sheet(await drawn(screen, self._telemetry), match.id)
        overtaken = match.id in self._overtaken
        unchanged = self.marks.shows(match, made) and match.id not in self._brought_down
        if match.board_id is not None and not overtaken and unchanged:
            self._position_shown(match, seen)
            return 0
        self._overtaken.discard(match.id)
        await self.marks.begin(match)
        channel_id = match.channel_id
        requests = 1
        try:
            requests = await show(match, made)
        except _NoTokenError:
            if overtaken:
                self._overtaken.add(match.id)
            self._request_update_by_bot(match)
            return 0
        except NotTaken as error:
            why = LOST.get(error.code)
            if why is None:
                _log.warning("the board of match %s was not taken: %s", match.id, error.reason)
                if overtaken:
                    self._overtaken.add(match.id)
                self._retry(match, tries - 1)
                return requests
            _log.warning("the place of match %s is lost: %s", match.id, why)
            await self._lost(match, why, channel_id)
        except _BoardRemovedError:
            _log.warning("the board of match %s is removed again and again", match.id)
            await self._lost(match, Suspension.BOARD_REMOVED, channel_id)
        else:
            if match.channel_id == channel_id:  # otherwise it was resumed elsewhere meanwhile
                self.marks.note(match, made, seen.acts)
                self._position_shown(match, seen)
        if match.over:
            self.marks.forget(match.id)
            self._overtaken.discard(match.id)
            self._brought_down.discard(match.id)
            self._removals.pop(match.id, None)
            if match.board_id is not None:
                self._tokens.forget(match.board_id)
        return requests

    def _retry(self, match: LiveMatch, tries: int) -> None:
        """Try again later, by the bot's own token; a change of the match tries at once."""
        if tries <= 0:
            return
        bucket, show = ("channel", match.channel_id), partial(self._show, repair=False)
        self._scheduler.call_later(
            retry_delay(TRIES - tries),
            lambda: self._edits.request_edit(bucket, match.id, lambda: self._update(match, tries, show=show)),
        )

    async def _show_by_token(self, match: LiveMatch, made: Sheet) -> int:
        """Edit the board through its token. Raises _NoTokenError if it has none that Discord takes, and NotTaken."""
        if not self._has_token(match) or match.board_id is None:
            raise _NoTokenError
        edit = partial(self._tokens.edit, match.board_id)
        if not await self._with_or_without_picture(match, made, edit):
            raise _NoTokenError
        self._telemetry.board_edited("interaction")
        return 1

    async def _show(self, match: LiveMatch, made: Sheet, *, repair: bool) -> int:
        """Edit the board, or post it again. Returns how many requests that took. A repair never posts an old board
        again."""
        channel_id, old = match.channel_id, match.board_id
        first = old is None
        stale = self._is_old(match.board_at)
        if old is not None and (repair or not stale) and match.id not in self._brought_down:
            posted = Posted(channel_id, old)
            try:
                if repair and await self._shows_picture(posted, made):
                    return 1
                await self._with_or_without_picture(match, made, partial(self._messages.edit, match.guild_id, posted))
            except Limited:
                if not stale:
                    raise
            except NotTaken as error:
                if error.code != UNKNOWN_MESSAGE:
                    raise
                self._note_removal(match)
                old = None
            else:
                self._telemetry.board_edited("bot")
                return 1
        if old is not None:
            self._tokens.forget(old)
        await self._post(match, channel_id, made, old)
        return 1 if first else 2

    async def _shows_picture(self, posted: Posted, made: Sheet) -> bool:
        """Whether a match's last board was shown before a restart, so that nothing has to be uploaded again."""
        if not made.picture:
            return False
        try:
            return await self._messages.shows_picture(posted, made)
        except NotTaken:
            return False

    async def _with_or_without_picture(self, match: LiveMatch, made: Sheet, show: Callable[[Sheet], Awaitable[T]]) -> T:
        """Show a board; if Discord refuses its picture, without it: its texts say as much. Raises NotTaken."""
        try:
            return await show(made)
        except NotTaken as error:
            if not made.picture or not error.refuses_picture:
                raise
            _log.warning("the picture of match %s was refused (code %d)", match.id, error.code)
            return await show(made.without_picture())

    def _note_removal(self, match: LiveMatch) -> None:
        """Note that the board has vanished. Raises _BoardRemovedError if that happens again and again."""
        now = self._scheduler.now()
        recent = [at for at in self._removals.get(match.id, ()) if now - at < REMOVALS_WITHIN]
        self._removals[match.id] = [*recent, now]
        if len(recent) >= REMOVALS and not match.over:
            raise _BoardRemovedError

    async def _post(self, match: LiveMatch, channel_id: int, made: Sheet, old: int | None) -> None:
        """Post the board in place of an old one, and delete that. What is posted is recorded before and after."""
        known = () if match.board_id is None else (match.board_id,)
        await self._postings.find_lost(match, None, channel_id, known)
        posting = Posting(match.id, None, channel_id, match.board_id, self._scheduler.now())
        await self._postings.begin(posting)
        try:
            post = partial(self._messages.post, match.guild_id, channel_id)
            posted = await self._with_or_without_picture(match, made, post)
        except NotTaken as error:
            await self._postings.refused(posting, error)
            raise
        try:
            elsewhere = not await match.place_board(channel_id, posted.message_id)
        except StoreError:
            _log.warning("where the board of match %s stands could not be saved", match.id)
            elsewhere = False
        self._postings.placed(posting)
        self._brought_down.discard(match.id)
        if elsewhere:  # it was resumed there meanwhile
            old = posted.message_id
        if old is None:
            await self._postings.end(posting)
        else:
            await self._delete_board(match, BoardLocation(channel_id, old), posting)

    async def _delete_board(
        self, match: LiveMatch, former: BoardLocation, posting: Posting | None = None, failed: int = 0
    ) -> int:
        """Delete a board that another has replaced, with the record of that. Returns how many requests that took."""
        if former.board_id is None or former == BoardLocation(match.channel_id, match.board_id):
            return 0
        try:
            await self._messages.delete(Posted(former.channel_id, former.board_id))
        except NotTaken as error:
            if error.may_pass:
                if failed + 1 < TRIES:
                    again = partial(self._request_deletion, match, former, posting, failed + 1)
                    self._scheduler.call_later(retry_delay(failed + 1), again)
                return 1  # after the last try, the record lets the next start remove it
            if error.code != UNKNOWN_MESSAGE:
                _log.info("the old board of match %s could not be removed (code %d)", match.id, error.code)
        if posting is not None:
            await self._postings.end(posting)
        return 1

    def _request_deletion(
        self, match: LiveMatch, former: BoardLocation, posting: Posting | None = None, failed: int = 0
    ) -> None:
        bucket, key = ("channel", former.channel_id), ("former", match.id, former.board_id)
        delete = partial(self._delete_board, match, former, posting, failed)
        self._edits.request_edit(bucket, key, delete, Priority.NOTICE)

    def note_pressed(self, match: LiveMatch, pressed: BoardLocation) -> None:
        """Delete a public message of the match that was pressed and is not its board: one whose place was never
        recorded, or that could not be removed. Its press is answered all the same."""
        here = BoardLocation(match.channel_id, match.board_id)
        if match.board_id is not None and match.suspended is None and pressed != here:
            self._request_deletion(match, pressed)

    def _request_invitation(self, invitation: Invitation, state: InvitationState, failed: int = 0) -> None:
        self._edits.request_edit(
            ("channel", invitation.channel_id),
            invitation.id,
            lambda: self._update_invitation(
                invitation, state, failed, lambda: self._request_invitation(invitation, state, failed + 1)
            ),
        )

    def _request_open(
        self,
        invitation: Invitation,
        current: Callable[[str], Invitation | None],
        overtaken: Callable[[str], Awaitable[None]],
        failed: int = 0,
    ) -> None:
        async def update() -> bool:
            found = current(invitation.id)
            if found is None:
                return False
            edited = await self._update_invitation(
                found,
                InvitationState.OPEN,
                failed,
                lambda: self._request_open(invitation, current, overtaken, failed + 1),
            )
            if current(invitation.id) != found:
                await overtaken(invitation.id)
            return edited

        self._edits.request_edit(("channel", invitation.channel_id), invitation.id, update)

    async def _update_invitation(
        self, invitation: Invitation, state: InvitationState, failed: int, retry: Callable[[], None]
    ) -> bool:
        if invitation.message_id is None:
            return False
        made = sheet(self._invitation(invitation, state), invitation.id)
        posted = Posted(invitation.channel_id, invitation.message_id)
        try:
            await self._messages.edit(invitation.guild_id, posted, made)
        except NotTaken as error:
            if error.may_pass and failed + 1 < TRIES:
                self._scheduler.call_later(retry_delay(failed + 1), retry)
            else:
                _log.info("an invitation could not be painted (code %d)", error.code)
        return True
