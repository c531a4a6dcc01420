"""Open hands: the private messages that are kept up to date while their interaction's token is valid.

A hand has one writer at a time. While a press is being answered with a hand, nothing else edits it. Something else may
reach Discord in the meantime: an edit under way, an answer to another press, a move that the answer does not show yet.
Then the hand is edited once more, through its newest token. So whatever the delays, the last thing on the screen is the
present state. A dropped hand is shown again by its owner's next press.

Discord writes "(edited)" below a message with its first edit, which moves every button. So a hand with a question is
edited once by itself as soon as it is opened, and the first press moves nothing.

Open hands are stored with their tokens (`cogs.updates.shown_records`), so the next process keeps them up to date.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

from bot.kept import Kept
from bot.play.live_match import LiveMatch
from bot.play.match_registry import MatchRegistry
from bot.scheduler import Scheduler
from bot.store.errors import StoreError
from bot.store.queries.screens import HandRow
from bot.ui.catalogue import Translations, translations
from bot.ui.preferences import Preferences
from bot.ui.screen import Screen, Text
from cogs.interactions.responses import Interaction, message_of
from cogs.screens.hands.hand import hand_screen
from cogs.screens.presenter import Presenter, Reader
from cogs.screens.renderer import Sheet, sheet
from cogs.updates.channel_messages import NotTaken
from cogs.updates.edit_queue import EditQueue
from cogs.updates.shown_records import HandRecords
from cogs.updates.token_edits import TOKEN_SECONDS, InteractionToken, TokenEdits, is_gone
from cogs.wording import Readers
from engines.game import Seat

_log = logging.getLogger(__name__)

NOTHING = b""
"""The mark of a hand whose content is unknown."""
FIRST_RESPONSE_SECONDS = 3.0
"""For how long Discord takes an answer to a press. After that it is certain whether one that got lost was taken."""
DECIDED_AFTER = FIRST_RESPONSE_SECONDS + 0.1
"""Seconds until such a hand is looked at: a little more, because a timer rounded down would find it undecided still."""
REST_SECONDS = 1.0
"""How long acts that are made at once rest in a question that their owner's own press has opened: longer than the pause
between two presses of which the second was not meant."""

Moment: TypeAlias = tuple[object, ...]
"""What a hand depends on. Two screens made at equal moments show the same, except for picks and notes."""
MadeOf: TypeAlias = tuple[Moment, Reader, int]
"""A hand's moment and reader, and how many of its owner's acts it counts."""


@dataclass(slots=True, eq=False)
class OpenHand:
    """A hand on somebody's screen: its `row` says in which message, through which token it can be edited, and what it
    shows.

    `press` is the interaction that it answers; of those that an earlier process left it is 0, because all that comes is
    later. It was `opened` at the loop's time in seconds.
    `is_taken` says whether Discord is known to have taken it. Until then `former` is the seat's hand before this one.
    `made_of` is all that what it shows was made of, besides picks and note; None if that is not known.
    `is_unmarked` says that its message is new, waits for a press, and was never edited.
    """

    row: HandRow
    press: int
    opened: float
    words: Translations
    moment: Moment = ()
    note: str = ""
    made_of: MadeOf | None = None
    is_unmarked: bool = False
    is_taken: bool = field(init=False)
    former: OpenHand | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.is_taken = self.shown != NOTHING

    @property
    def message(self) -> int:
        """The message that it is in, as `message_of` names it."""
        return self.row.message

    @property
    def shown(self) -> bytes:
        """The mark of what it shows."""
        return self.row.shown

    def note_shown(self, mark: bytes) -> None:
        """Record what it shows."""
        self.row = replace(self.row, shown=mark)

    def note_picked(self, window: int, selection: str) -> None:
        """Record what is picked in it, for which question."""
        self.row = replace(self.row, window=window, selection=selection)

    @property
    def is_undecided(self) -> bool:
        """Whether Discord may still take the answer that shows it."""
        return not self.is_taken and _discords_time() - self.opened < FIRST_RESPONSE_SECONDS

    @property
    def is_expired(self) -> bool:
        """Whether its token can no longer be used."""
        return _discords_time() - self.opened > TOKEN_SECONDS


@dataclass(slots=True, eq=False)
class _Slot:
    """What is on the screen of a match's seat, and what is on its way there.

    `old` are the messages whose hand is open elsewhere now, by message. `answers` and `edits` are under way, `edited`
    counts the edits that have ended, and `crossed` says that answers under way may have overtaken each other.
    """

    match: LiveMatch
    seat: Seat
    hand: OpenHand | None = None
    old: dict[int, OpenHand] = field(default_factory=dict)
    answers: int = 0
    edits: int = 0
    edited: int = 0
    crossed: bool = False

    @property
    def is_busy(self) -> bool:
        """Whether anything is on its way to the screen."""
        return bool(self.answers or self.edits)


class HandAnswer:
    """A hand on its way to a person's screen, in answer to their press."""

    mark = NOTHING
    was_sent = False

    def sent(self, made: Sheet | None) -> None:
        """Record that the answer was sent: what is shown, or None if Discord may not have taken it."""
        self.was_sent = True
        if made is not None:
            self.mark = made.mark()


@dataclass(slots=True, eq=False)
class OpenHands:
    """The latest open hand of each seat."""

    messages: TokenEdits
    edits: EditQueue
    presenters: Mapping[str, Presenter]
    readers: Readers
    scheduler: Scheduler
    records: HandRecords
    _slots: Kept[tuple[str, Seat], _Slot] = field(default_factory=partial(Kept, "open hands"), init=False)
    _owners: Kept[int, tuple[str, Seat]] = field(default_factory=partial(Kept, "messages of hands"), init=False)
    """Whose hand is in a message: a press there may have opened a hand of another match."""
    _left: dict[str, list[HandRow]] = field(default_factory=dict, init=False)

    def __len__(self) -> int:
        return sum(slot.hand is not None for slot in self._slots.values())

    # ------------------------------------------------------------------------------------ a start

    async def load(self) -> None:
        """Read which hands an earlier process left open, for `restore`. Raises StoreError."""
        for row in await self.records.stored():
            self._left.setdefault(row.match_id, []).append(row)

    async def close(self) -> None:
        """Write what is left to record."""
        await self.records.close()

    def restore(self, match: LiveMatch) -> None:
        """Restore the hands of a match that an earlier process left open.

        A change of the match updates them. Of two messages of a seat, the one pressed last is its hand.
        """
        slots = []
        for row in self._left.pop(match.id, ()):
            slot = self._slots.setdefault((match.id, row.seat), _Slot(match, row.seat))
            left = (row.expires_at - self.scheduler.now()) / 1000
            opened = _discords_time() - TOKEN_SECONDS + left
            hand = OpenHand(row, 0, opened, translations(row.locale))
            self._owners[row.message] = match.id, row.seat
            former, slot.hand = slot.hand, hand
            if hand.is_taken:
                _replace(slot, former)
            else:
                hand.former = former
            slots.append(slot)
        for slot in dict.fromkeys(slots):
            match.note_hand_seen(slot.seat)
            self._settle(slot)

    # ------------------------------------------------------------------------------------ answers to presses

    @contextmanager
    def answering(
        self,
        interaction: Interaction,
        match: LiveMatch,
        reader: Reader,
        *,
        note: str = "",
        selection: str = "",
        resting: bool = False,
    ) -> Iterator[HandAnswer]:
        """Answer a press with the hand of the reader's seat within the block: make the screen, send it, and record it
        (`HandAnswer.sent`). It replaces the seat's earlier hand. If its acts are `resting`, it is not as it will be.

        Raises ValueError for a reader without a seat.
        """
        seat = reader.seat
        if seat is None:
            raise ValueError("a hand belongs to a seat")
        key = (match.id, seat)
        slot = self._slots.setdefault(key, _Slot(match, seat))
        slot.crossed = slot.crossed or slot.answers > 0
        slot.answers += 1
        moment, window, edited = _moment(match), match.window_number, slot.edited
        answer = HandAnswer()
        try:
            yield answer
        except asyncio.CancelledError:  # the bot is stopping, and Discord may have taken the answer
            answer.sent(None)
            raise
        finally:
            slot.answers -= 1
            if answer.was_sent:
                slot.crossed = slot.crossed or slot.edits > 0 or slot.edited != edited
                row = HandRow(
                    match.id,
                    seat,
                    message_of(interaction),
                    interaction.application_id,
                    interaction.token,
                    str(interaction.locale),
                    window,
                    selection,
                    answer.mark,
                    self.scheduler.now() + int(TOKEN_SECONDS * 1000),
                )
                made_of = None if resting else (moment, reader, match.own_acts.shown(seat))
                unmarked = row.message == interaction.id and seat in match.awaited
                hand = OpenHand(row, interaction.id, _discords_time(), reader.words, moment, note, made_of, unmarked)
                self._take_over(hand)
                current = _put(slot, hand)
                for kept in (slot.old.get(hand.message, hand), current):  # if both are in one message, the latter stays
                    self.records.save(_row_to_keep(kept))
                self._slots.pop(key)
                self._drop_expired()
                self._slots[key] = slot  # those used last come last
            if not slot.answers:
                self._settle(slot)

    def _settle(self, slot: _Slot) -> None:
        """Once no answer is under way: request what the seat's screen still lacks."""
        hand, match = slot.hand, slot.match
        if hand is not None:
            if slot.crossed:
                hand.note_shown(NOTHING)
                self._save(slot, hand)
            if not hand.is_taken:
                asyncio.get_running_loop().call_later(DECIDED_AFTER, self._request_hand, slot)
            elif hand.shown == NOTHING or hand.moment != _moment(match) or hand.is_unmarked:
                self._request_hand(slot)
            elif match.over:
                slot.hand = None
                self._remove(hand)
            if hand.is_taken:
                slot.old.pop(hand.message, None)
        slot.crossed = False
        self._request_closing(slot)
        self._tidy(slot)

    # ------------------------------------------------------------------------------------ changes of the match

    def match_changed(self, match: LiveMatch) -> None:
        """Request an update of a match's open hands. An act is shown by the answer to its press, so only the others'
        hands have to follow."""
        for seat in range(len(match.seats)):
            slot = self._slots.get((match.id, seat))
            if slot is not None and (self.edits.is_repairing or not _shows_present(slot)):
                self._request_hand(slot)

    def reader_changed(self, match: LiveMatch, seat: Seat) -> None:
        """Request an update of a seat's hand, because its owner wants to read it in another way."""
        slot = self._slots.get((match.id, seat))
        if slot is not None:
            slot.crossed = slot.crossed or slot.answers > 0  # an answer may have been made for the former reader
            self._request_hand(slot)

    def request_soon(self, match: LiveMatch, seat: Seat) -> None:
        """Request an update of a hand whose acts rest, for when they may be pressed (`cogs.screens.hands.hand`)."""
        slot = self._slots.get((match.id, seat))
        if slot is not None:
            self.scheduler.call_later(REST_SECONDS, self._request_hand, slot)

    # ------------------------------------------------------------------------------------ edits

    def _request_hand(self, slot: _Slot) -> None:
        """Request an update of the seat's hand, if there is one."""
        if slot.hand is not None:
            self._request(slot, slot.hand.message)

    def _request_closing(self, slot: _Slot) -> None:
        """Request that the seat's old messages say that a newer hand is open."""
        for message in slot.old:
            self._request(slot, message)

    def _request(self, slot: _Slot, message: int) -> None:
        """Request an update of a message of the seat's. Each message has its own bucket: it has one writer at a time,
        and a hand doesn't wait until a dozen old messages are closed. Discord counts each token separately, but after
        a start many hands may have changed at once, so then they take turns. What happens right after a hand was opened
        does not wait for the edit that only marks it."""
        hand = slot.hand
        marks = hand is not None and hand.message == message and hand.is_unmarked
        update, give_up = partial(self._update, slot, message), partial(self._give_up, slot, message)
        bucket, own = ("hand", slot.match.id, slot.seat, message), not self.edits.is_repairing
        self.edits.request_edit(
            bucket,
            "hand",
            update,
            own_bucket=own,
            spacing=0.0 if marks else None,
            measured=False,
            insist=True,
            given_up=give_up,
        )

    async def _update(self, slot: _Slot, message: int) -> bool:
        """Bring a message up to date. While a press is being answered that waits: the answer's end asks for it. Raises
        NotTaken."""
        hand, old = slot.hand, slot.old.get(message)
        if slot.answers:
            return False
        if hand is not None and hand.message == message:
            return not hand.is_undecided and await self._refresh(slot, hand)
        return old is not None and await self._close(slot, old)

    def _give_up(self, slot: _Slot, message: int) -> None:
        """No further try is made: after the end of a match nothing else would drop the hand."""
        hand, old = slot.hand, slot.old.get(message)
        if hand is not None and hand.message == message:
            if slot.match.over:
                self._drop(slot, hand)
        elif old is not None:
            self._forget(slot, old)

    async def _refresh(self, slot: _Slot, hand: OpenHand) -> bool:
        """Bring the seat's hand up to date. Raises NotTaken."""
        if hand.is_expired:
            self._drop(slot, hand)
            return False
        match, seat = slot.match, slot.seat
        moment, is_last = _moment(match), match.over
        if hand.moment != moment:
            hand.moment, hand.note = moment, ""
        if hand.row.window != match.window_number:
            hand.note_picked(match.window_number, "")
        reader = self.readers.on_seat(match, seat, hand.words)
        if _shows(slot, hand, reader):
            return False
        presenter, selection = self.presenters[match.game.info.key], hand.row.selection
        hand.made_of = _made_of(slot, reader)
        made = sheet(hand_screen(match, seat, presenter, reader, note=hand.note, selection=selection), match.id)
        mark = made.mark()
        changed = mark != hand.shown or hand.is_unmarked
        if changed:
            hand.is_unmarked = False
            hand.note_shown(mark)
            await self._show(slot, hand, made)
        if is_last and hand.shown == mark:  # the match may have ended during the edit; then another is requested
            self._drop(slot, hand)
        return changed

    async def _show(self, slot: _Slot, hand: OpenHand, made: Sheet) -> None:
        """Edit the message of a hand. Raises NotTaken if another try may succeed."""
        try:
            await self._edit(slot, hand, made)
        except NotTaken as error:
            if is_gone(error):  # dismissed, or its token has expired: the next press opens it again
                self._drop(slot, hand)
                return
            _log.warning("a hand in match %s was not taken: %s", slot.match.id, error.reason)
            hand.note_shown(NOTHING)
            raise
        hand.is_taken = True
        if slot.hand is hand:  # or a newer one was opened meanwhile, and this message must be closed
            slot.old.pop(hand.message, None)
        former, hand.former = hand.former, None
        if former is not None:  # Discord has this hand, so the seat's former ones are out of date
            _replace(slot, former)
            self._request_closing(slot)
        self._save(slot, hand)

    async def _edit(self, slot: _Slot, hand: OpenHand, made: Sheet) -> None:
        slot.edits += 1
        try:
            await self.messages.edit(InteractionToken(hand.row.application_id, hand.row.token), made)
        finally:
            slot.edits -= 1
            slot.edited += 1

    async def _close(self, slot: _Slot, old: OpenHand) -> bool:
        """Say in a hand's former message that a newer hand is open: it would stay as it is from now on.

        Raises NotTaken if another try may succeed.
        """
        expired = old.is_expired
        if not expired:
            title = old.words("hand.title", game=slot.match.game.info.title)
            made = sheet(Screen(title, (Text(old.words("hand.newer_open")),)), slot.match.id)
            try:
                await self._edit(slot, old, made)
            except NotTaken as error:
                if not is_gone(error):
                    raise
        self._forget(slot, old)
        return not expired

    # ------------------------------------------------------------------------------------ what is kept

    def _save(self, slot: _Slot, hand: OpenHand) -> None:
        """Store what the next process needs of the seat's hand, unless it was dropped meanwhile."""
        if slot.hand is hand:
            self.records.save(_row_to_keep(hand))

    def _take_over(self, hand: OpenHand) -> None:
        """Note that a message shows this hand, so that the one of another match that was there edits it no more."""
        owner, before = (hand.row.match_id, hand.row.seat), self._owners.get(hand.message)
        self._owners[hand.message] = owner
        slot = None if before is None or before == owner else self._slots.get(before)
        if slot is None:
            return
        if slot.hand is not None and slot.hand.message == hand.message:
            self.records.remove(slot.hand.row.key)
            slot.hand = None
        old = slot.old.pop(hand.message, None)
        if old is not None:
            self.records.remove(old.row.key)
        self._tidy(slot)

    def _remove(self, hand: OpenHand) -> None:
        """Delete what is kept of a hand's message."""
        self.records.remove(hand.row.key)
        if self._owners.get(hand.message) == (hand.row.match_id, hand.row.seat):
            del self._owners[hand.message]

    def _drop(self, slot: _Slot, hand: OpenHand) -> None:
        """Drop a hand, unless a press has opened another meanwhile. If Discord never took it, the former one is still
        on the screen, and a press on that one has its picks."""
        if slot.hand is hand:
            self._remove(hand)
            former = slot.hand = hand.former
            if former is not None:
                if former.message == hand.message:
                    former.note_picked(hand.row.window, hand.row.selection)
                former.note_shown(NOTHING)
                self._request_hand(slot)
            self._request_closing(slot)
        self._tidy(slot)

    def _forget(self, slot: _Slot, old: OpenHand) -> None:
        """Forget an old message."""
        if slot.old.get(old.message) is old:
            del slot.old[old.message]
            self._remove(old)
        self._tidy(slot)

    def _tidy(self, slot: _Slot) -> None:
        """Forget a seat that has nothing on its screen or on the way there."""
        key = slot.match.id, slot.seat
        if slot.hand is None and not slot.old and not slot.is_busy and self._slots.get(key) is slot:
            del self._slots[key]

    def _drop_expired(self) -> None:
        """Forget the seats whose hand has expired; those used longest ago come first."""
        while self._slots:
            key, slot = next(iter(self._slots.items()))
            if slot.is_busy or (slot.hand is not None and not slot.hand.is_expired):
                return
            del self._slots[key]
            for hand in (slot.hand, *slot.old.values()):
                if hand is not None and self._owners.get(hand.message) == key:
                    del self._owners[hand.message]


def _put(slot: _Slot, hand: OpenHand) -> OpenHand:
    """Put a hand on a seat's screen. If presses were answered out of order, the later press's hand is the newer.
    Returns the hand that is there now."""
    current = slot.hand
    if current is None or current.press < hand.press:
        slot.hand = hand
        if hand.is_taken:
            _replace(slot, current)
        else:
            hand.former = current
        return hand
    slot.crossed = True  # in one message this hand covers the newer
    if current.is_taken:
        _replace(slot, hand)
    else:
        hand.former, current.former = current.former, hand
    return current


def _row_to_keep(hand: OpenHand) -> HandRow:
    """What the next process gets of a hand. If Discord may not have taken it, that is the token of the one before in
    the same message, which surely edits that, and nobody knows what is shown there."""
    before = hand.former
    while before is not None and not (before.is_taken and before.message == hand.message and not before.is_expired):
        before = before.former
    if hand.is_taken or before is None:
        return hand.row
    return replace(before.row, shown=NOTHING, window=hand.row.window, selection=hand.row.selection)


def _replace(slot: _Slot, older: OpenHand | None) -> None:
    """Note that a hand, and those before it, were replaced by the slot's hand. The token of an answer that Discord may
    not have taken doesn't replace one that edits the same message."""
    while older is not None:
        is_elsewhere = slot.hand is not None and older.message != slot.hand.message
        if is_elsewhere and (older.is_taken or older.message not in slot.old):
            slot.old[older.message] = older
        before, older.former = older.former, None
        older = before


def _moment(match: LiveMatch) -> Moment:
    return match.position.acts, match.window_number, match.suspended, match.failed, match.over


def _made_of(slot: _Slot, reader: Reader) -> MadeOf:
    """What a hand is made of that a reader is shown now."""
    return _moment(slot.match), reader, slot.match.own_acts.shown(slot.seat)


def _shows(slot: _Slot, hand: OpenHand, reader: Reader) -> bool:
    """Whether a hand shows its reader the present state, so that it needs no edit. After the end its last one is always
    made."""
    is_present = hand.made_of == _made_of(slot, reader) and hand.shown != NOTHING
    return is_present and not hand.is_unmarked and not slot.match.over


def _shows_present(slot: _Slot) -> bool:
    """Whether the seat's hand was made at this moment, for any reader."""
    hand = slot.hand
    return hand is not None and hand.made_of is not None and _shows(slot, hand, hand.made_of[1])


def _discords_time() -> float:
    """The loop's time in seconds. Tokens expire at Discord, so this is not the scheduler's."""
    return asyncio.get_running_loop().time()


@dataclass(slots=True, eq=False)
class StyledHands:
    """The open hands of people, as they prefer to read them."""

    preferences: Preferences
    matches: MatchRegistry
    open_hands: OpenHands

    def show(self, user_id: int) -> None:
        """Show somebody's open hands as they prefer to read them now."""
        for match in self.matches.of_player(user_id, None):
            self.open_hands.reader_changed(match, match.seats.index(user_id))

    async def reload(self, user_id: int) -> None:
        """Read again what somebody prefers, because it was deleted, and show their open hands that way."""
        self.preferences.forget(user_id)
        with suppress(StoreError):  # then their next press reads it
            await self.preferences.load((user_id,))
        self.show(user_id)
