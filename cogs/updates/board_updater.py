"""Keeps the one public message of a match equal to what became of it: its board, and the invitation before that.

Boards are edited in place, at most about one edit per second in a channel, and the latest state wins. A board that has
a token of an interaction (`cogs.updates.token_edits`) is edited through it, at most once a second and without
waiting for others, because that costs nothing of what Discord grants the bot. One that is old, that somebody deleted,
or that is wanted below (*Bring the board down*) is posted again (`cogs.updates.shown_messages`), but not again and
again. If Discord says that the board's venue is lost, the match is suspended, and nothing more is sent there.

The message of an invitation is only edited, where no answer to a press does it, and never posted again.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial

from bot.play.live_match import BoardLocation, LiveMatch
from bot.play.match_state import Position
from bot.store.errors import StoreError
from bot.store.queries.invitations import Invitation, InvitationState
from bot.store.queries.matches import Suspension
from bot.store.queries.screens import Posting
from bot.store.special_ids import is_chat
from bot.store.store import Store
from bot.ui.screen import Screen
from cogs.board_pictures import BoardPictures
from cogs.interactions import responses
from cogs.interactions.responses import Interaction
from cogs.public_screens import PublicScreens
from cogs.screens.renderer import Sheet, sheet
from cogs.updates.channel_messages import UNKNOWN_CHANNEL, ChannelMessages, NotTaken, Posted
from cogs.updates.edit_queue import EditQueue
from cogs.updates.shown_messages import Postings, ShownMessage, ShownMessages, with_or_without_picture
from cogs.updates.shown_records import BoardMarks
from cogs.updates.token_edits import BoardTokens

_log = logging.getLogger(__name__)

LOST = {
    UNKNOWN_CHANNEL: Suspension.CHANNEL_GONE,
    50001: Suspension.NO_ACCESS,
    50013: Suspension.NO_SENDING,
    50083: Suspension.THREAD_CLOSED,
    160005: Suspension.THREAD_CLOSED,
    200000: Suspension.BOARD_REMOVED,  # AutoMod blocks it
    200001: Suspension.BOARD_REMOVED,
}
"""Discord's error codes that say that a board's venue is lost, so that further requests would fail too
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


class _TokenRests(NotTaken):
    """A token in a chat has to rest before the next edit."""


class Board(ShownMessage):
    """A match's board, as a message that must show a state."""

    is_board = True

    def __init__(self, match: LiveMatch, updater: BoardUpdater, postings: Postings) -> None:
        self._match = match
        self._updater = updater
        self._postings = postings
        self._posting: Posting | None = None
        self.guild_id, self.channel_id = match.guild_id, match.channel_id
        self.message_id, self.made_at = match.board_id, match.board_at
        self.wanted_below = updater.is_wanted_below(match)
        self.is_known_by_picture = match.over

    def vanished(self) -> None:
        """Raises _BoardRemovedError if that happens again and again."""
        self._updater.note_removal(self._match)
        self.message_id = None

    def picture_refused(self) -> None:
        self._updater.pictures.note_refused(self._match)

    async def begin(self) -> None:
        former = self._match.board_id
        known = () if former is None else (former,)
        self._posting = await self._postings.begin(self._match, None, self.channel_id, known, former)

    async def refused(self, *, certain: bool) -> None:
        if certain and self._posting is not None:
            await self._postings.end(self._posting)

    async def placed(self, posted: Posted) -> Posted | None:
        elsewhere = False
        try:
            elsewhere = not await self._match.place_board(self.channel_id, posted.message_id)
        except StoreError:
            _log.warning("where the board of match %s stands could not be saved", self._match.id)
        self._updater.note_placed(self._match)
        if elsewhere:  # it was resumed there meanwhile
            return posted
        return None if self.message_id is None else Posted(self.channel_id, self.message_id)

    async def replaced(self) -> None:
        if self._posting is not None:
            await self._postings.end(self._posting)


@dataclass(slots=True, eq=False)
class BoardUpdater:
    """Updates boards after each change.

    `lost` suspends a match, whose venue is lost for this reason and was in this channel. `shown` is called when Discord
    shows a board, with the position that it is of.
    """

    shown_messages: ShownMessages
    edits: EditQueue
    marks: BoardMarks
    tokens: BoardTokens
    postings: Postings
    screens: PublicScreens
    lost: Callable[[LiveMatch, Suspension, int], Awaitable[None]]
    shown: Callable[[LiveMatch, Position], None]
    _overtaken: set[str] = field(default_factory=set, init=False)
    """The boards that something late may have replaced, whatever was shown since."""
    _brought_down: set[str] = field(default_factory=set, init=False)
    """The boards that players want at the foot of their channel, and that are not posted again yet."""
    _under_way: set[str] = field(default_factory=set, init=False)
    _again: set[str] = field(default_factory=set, init=False)
    """The matches whose board is being shown, and those of them that asked for it meanwhile. A board has one writer
    at a time, though its two ways are two buckets."""
    _removals: dict[str, list[int]] = field(default_factory=dict, init=False)

    @property
    def idle(self) -> bool:
        """Whether no board is kept in mind: all that were shown belong to matches that are over."""
        kept = self._overtaken or self._removals or self._brought_down
        return not self.marks and not kept and self.pictures.idle

    @property
    def pictures(self) -> BoardPictures:
        """Which boards are pictures now."""
        return self.screens.pictures

    async def answer(self, interaction: Interaction, match: LiveMatch) -> None:
        """Answer a press on the board, or on the message that becomes it, with the board as it is. Then have it edited
        if the match has moved on meanwhile, or if an edit or another answer may have come before or after this one."""
        seen, was_over, before = match.position, match.over, self.marks.of(match)
        made = await responses.edit_source(interaction, self.screens.board(match), match.id)
        self.note_answered(interaction)
        if was_over:
            return
        if match.id in self._under_way or self.marks.of(match) is not before:
            self.note_overtaken(match)
        else:
            self.note_shown(match, made, seen)
        self.match_changed(match)

    def note_shown(self, match: LiveMatch, made: Sheet | None, seen: Position) -> None:
        """Record that the board was shown in another way, in answer to a press, and of which position it is. `made` is
        None if Discord may not have taken it."""
        if made is None:
            self.marks.forget(match.id)
            return
        self.marks.note(match, made, seen.acts)
        self.shown(match, seen)

    def note_answered(self, interaction: Interaction) -> None:
        """Keep the token of an interaction that was answered with a board, or with what becomes one."""
        self.tokens.note_answered(interaction)

    def note_overtaken(self, match: LiveMatch) -> None:
        """Record that something late, such as an edit of its invitation, may have replaced the board that was shown.

        The next update edits the board for this reason alone.
        """
        self._overtaken.add(match.id)
        self.marks.forget(match.id)

    def show_again(self, match: LiveMatch) -> None:
        """Show a board that an edit of its invitation may have replaced."""
        self.note_overtaken(match)
        self._request_update(match, repair=False)

    def bring_down(self, match: LiveMatch) -> bool:
        """Post the board again at the foot of its channel. Returns False, and does nothing, if it was posted lately."""
        if self.shown_messages.age(match.board_at) < AGAIN:
            return False
        self._brought_down.add(match.id)
        self._request_update(match, repair=False)
        return True

    def match_changed(self, match: LiveMatch) -> None:
        """Request an update of the board. A match that lost its venue has none for a board."""
        if match.venue_lost:
            self._forget(match)
            return
        self._request_update(match, repair=self.edits.is_repairing)

    def repair(self, match: LiveMatch) -> None:
        """As `match_changed`, but after everything that people at a table wait for."""
        if not match.venue_lost:
            with self.edits.repairing():
                self._request_update(match, repair=True)

    def _request_update(self, match: LiveMatch, *, repair: bool) -> None:
        in_chat = is_chat(match.guild_id)
        if in_chat and (match.board_id is None or not self.tokens.has(match.board_id)):
            if match.over:
                self._forget(match)
            return  # the next press on it shows it as it is then
        if not repair:
            self.pictures.note_requested(match)
        if in_chat or (not repair and self._has_token(match)):
            bucket, update = ("board", match.board_id), partial(self._update, match, by_token=True)
            self.edits.request_edit(bucket, match.id, update, own_bucket=True)
        else:
            self._request_update_by_bot(match, repair=repair)

    def _request_update_by_bot(self, match: LiveMatch, *, repair: bool = False) -> None:
        """Request an update. That of an old board posts another, unless it is a `repair`: then it waits until its
        channel allows the next edit of an old message. The bot's token reaches no board of a chat: there it raises
        as `check_rests`."""
        if is_chat(match.guild_id):
            self.check_rests(match.board_id)
            return
        update, is_post = partial(self._update, match, repair=repair), not repair or match.board_id is None
        request = self.shown_messages.request
        request(match.channel_id, match.board_at, match.id, update, is_post=is_post, insist=True)

    def _has_token(self, match: LiveMatch) -> bool:
        """Whether the board is one to edit, and a token does it now."""
        if match.board_id is None or self.is_wanted_below(match):
            return False
        if self.shown_messages.is_old(match.board_at) and not is_chat(match.guild_id):
            return False
        return self.tokens.can_edit(match.board_id)

    def remove_former(self, match: LiveMatch, former: BoardLocation) -> None:
        """Delete the old board of a resumed match; the next change posts another."""
        if former.board_id is not None and not is_chat(match.guild_id):
            here = partial(_is_at, match, former)
            self.shown_messages.delete(Posted(former.channel_id, former.board_id), _nothing, here)

    def note_pressed(self, match: LiveMatch, pressed: BoardLocation) -> None:
        """Delete a public message of the match that was pressed and is not its board: one whose venue was never
        recorded, or that could not be removed. Its press is answered all the same."""
        if match.board_id is not None and match.suspended is None and not _is_at(match, pressed):
            self.remove_former(match, pressed)

    async def _update(self, match: LiveMatch, *, by_token: bool = False, repair: bool = False) -> int:
        """Bring a board up to date. Returns how many requests that took. Raises NotTaken."""
        if match.id in self._under_way:
            self._again.add(match.id)
            return 0
        self._under_way.add(match.id)
        try:
            return await self._update_alone(match, by_token=by_token, repair=repair)
        finally:
            self._under_way.discard(match.id)
            if match.id in self._again:
                self._again.discard(match.id)
                self._request_update(match, repair=False)

    async def _update_alone(self, match: LiveMatch, *, by_token: bool = False, repair: bool = False) -> int:
        if match.venue_lost:
            return 0
        self.pictures.note_begun(match)
        screen, seen, is_last = self.screens.board(match), match.position, match.over
        made = await self.shown_messages.made(screen, match.id)
        overtaken = self._overtaken & {match.id}
        unchanged = self.marks.shows(match, made, self.repair) and match.id not in self._brought_down
        if match.board_id is not None and not overtaken and unchanged:
            self.shown(match, seen)
            return 0
        self._overtaken -= overtaken
        await self.marks.begin(match)
        channel_id, requests = match.channel_id, 1
        try:
            if not by_token:
                requests = await self.shown_messages.show(Board(match, self, self.postings), made, repair=repair)
            elif not await self._show_by_token(match, made):
                self._overtaken |= overtaken
                self._request_update_by_bot(match)
                return 0
        except _TokenRests:
            raise
        except NotTaken as error:
            self._overtaken |= overtaken
            why = LOST.get(error.code)
            if why is None:
                _log.warning("the board of match %s was not taken: %s", match.id, error.reason)
                raise
            _log.warning("the place of match %s is lost: %s", match.id, why)
            await self.lost(match, why, channel_id)
        except _BoardRemovedError:
            _log.warning("the board of match %s is removed again and again", match.id)
            await self.lost(match, Suspension.BOARD_REMOVED, channel_id)
        else:
            if match.channel_id == channel_id:  # otherwise it was resumed elsewhere meanwhile
                self.marks.note(match, made, seen.acts)
                self.shown(match, seen)
        # The match may have ended during the edit, or an answer have crossed it; then another is requested.
        if is_last and self._overtaken & {match.id} <= overtaken:
            self._forget(match)
            if match.board_id is not None:
                self.tokens.forget(match.board_id)
        return requests

    async def _show_by_token(self, match: LiveMatch, made: Sheet) -> bool:
        """Edit the board through its token. Returns False if it has none that Discord takes. Raises NotTaken."""
        if not self._has_token(match) or match.board_id is None:
            return False
        edit, refused = partial(self.tokens.edit, match.board_id), partial(self.pictures.note_refused, match)
        return await with_or_without_picture(made, edit, refused)

    def check_rests(self, message_id: int | None) -> None:
        """Raise _TokenRests if the token of a message in a chat only rests, so that the edit is tried again, as nothing
        else edits it there."""
        if message_id is not None and self.tokens.has(message_id):
            raise _TokenRests("the token rests")

    def _forget(self, match: LiveMatch) -> None:
        """Keep nothing about a board that is shown for the last time, or nowhere."""
        self.marks.forget(match.id)
        self._overtaken.discard(match.id)
        self._brought_down.discard(match.id)
        self._removals.pop(match.id, None)
        self.pictures.forget(match)

    # ------------------------------------------------------------------------------------ for `Board`

    def is_wanted_below(self, match: LiveMatch) -> bool:
        """Whether players want the board at the foot of its channel."""
        return match.id in self._brought_down

    def note_placed(self, match: LiveMatch) -> None:
        """The board is posted again."""
        self._brought_down.discard(match.id)

    def note_removal(self, match: LiveMatch) -> None:
        """Note that the board has vanished. Raises _BoardRemovedError if that happens again and again."""
        recent = [at for at in self._removals.get(match.id, ()) if self.shown_messages.age(at) < REMOVALS_WITHIN]
        self._removals[match.id] = [*recent, self.shown_messages.now()]
        if len(recent) >= REMOVALS and not match.over:
            raise _BoardRemovedError


@dataclass(slots=True, eq=False)
class InvitationUpdater:
    """Updates open invitations, and those that ended without a press.

    `open_invitation` is an open invitation and `playing` a match in play, by their ids.
    """

    shown_messages: ShownMessages
    messages: ChannelMessages
    store: Store
    screens: PublicScreens
    boards: BoardUpdater
    open_invitation: Callable[[str], Invitation | None]
    playing: Callable[[str], LiveMatch | None]

    def closed(self, invitation: Invitation, state: InvitationState) -> None:
        """Show how an invitation ended."""
        self._request(invitation, lambda: self._show(invitation, self.screens.invitation(invitation, state)))

    def changed(self, invitation: Invitation) -> None:
        """Show an open invitation as it is when its turn comes; one that has closed meanwhile is left alone."""
        self._request(invitation, partial(self._show_open, invitation.id))

    def delete(self, invitation: Invitation, message_id: int) -> None:
        """Delete an invitation's message. The bot's token reaches none of a chat."""
        if is_chat(invitation.guild_id):
            return
        self.shown_messages.delete(Posted(invitation.channel_id, message_id), _nothing)

    def _request(self, invitation: Invitation, show: Callable[[], Awaitable[int]]) -> None:
        message_id = invitation.message_id
        if is_chat(invitation.guild_id):  # without a token the next press on it shows it as it is then
            if message_id is not None and self.boards.tokens.has(message_id):
                self.boards.edits.request_edit(("board", message_id), invitation.id, show, own_bucket=True)
            return
        self.shown_messages.request(invitation.channel_id, invitation.created_at, invitation.id, show)

    async def _show(self, invitation: Invitation, screen: Screen) -> int:
        """Edit an invitation's message. Returns how many requests that took. Raises NotTaken."""
        if invitation.message_id is None:
            return 0
        made = sheet(screen, invitation.id)
        if is_chat(invitation.guild_id):
            if await self.boards.tokens.edit(invitation.message_id, made):
                return 1
            self.boards.check_rests(invitation.message_id)
            return 0
        posted = Posted(invitation.channel_id, invitation.message_id)
        await self.messages.edit(invitation.guild_id, posted, made)
        return 1

    async def _show_open(self, invitation_id: str) -> int:
        """Edit the message of an open invitation. If it changed or closed meanwhile, the edit may have come after the
        answer to the press that changed it, and shows the past then: what became of it is shown once more."""
        found = self.open_invitation(invitation_id)
        if found is None:
            return 0
        shown = self.screens.invitation(found, InvitationState.OPEN)
        try:
            return await self._show(found, shown)
        finally:
            if not self.is_present(invitation_id, shown):
                await self.show_what_became(invitation_id)

    def is_present(self, invitation_id: str, shown: Screen) -> bool:
        """Whether an invitation is open, and this is how it looks."""
        current = self.open_invitation(invitation_id)
        return current is not None and self.screens.invitation(current, InvitationState.OPEN) == shown

    async def show_what_became(self, invitation_id: str) -> None:
        """Show what became of an invitation once more: its message may show the past. Raises StoreError."""
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


def _is_at(match: LiveMatch, there: BoardLocation) -> bool:
    return there == BoardLocation(match.channel_id, match.board_id)


async def _nothing() -> None:
    """There is no record of the message that is gone."""
