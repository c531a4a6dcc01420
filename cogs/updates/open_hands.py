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
class _Place:
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
    _places: Kept[tuple[str, Seat], _Place] = field(default_factory=partial(Kept, "open hands"), init=False)
    _owners: Kept[int, tuple[str, Seat]] = field(default_factory=partial(Kept, "messages of hands"), init=False)
    """Whose hand is in a message: a press there may have opened a hand of another match."""
    _left: dict[str, list[HandRow]] = field(default_factory=dict, init=False)

    def __len__(self) -> int:
        return sum(place.hand is not None for place in self._places.values())

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
        places = []
        for row in self._left.pop(match.id, ()):
            place = self._places.setdefault((match.id, row.seat), _Place(match, row.seat))
            left = (row.expires_at - self.scheduler.now()) / 1000
            opened = _discords_time() - TOKEN_SECONDS + left
            hand = OpenHand(row, 0, opened, translations(row.locale))
            self._owners[row.message] = match.id, row.seat
            former, place.hand = place.hand, hand
            if hand.is_taken:
                _replace(place, former)
            else:
                hand.former = former
            places.append(place)
        for place in dict.fromkeys(places):
            match.note_hand_seen(place.seat)
            self._settle(place)

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
        place = self._places.setdefault(key, _Place(match, seat))
        place.crossed = place.crossed or place.answers > 0
        place.answers += 1
        moment, window, edited = _moment(match), match.window_number, place.edited
        answer = HandAnswer()
        try:
            yield answer
        except asyncio.CancelledError:  # the bot is stopping, and Discord may have taken the answer
            answer.sent(None)
            raise
        finally:
            place.answers -= 1
            if answer.was_sent:
                place.crossed = place.crossed or place.edits > 0 or place.edited != edited
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
                _put(place, hand)
                self._save(place, hand)
                self._places.pop(key)
                self._drop_expired()
                self._places[key] = place  # those used last come last
            if not place.answers:
                self._settle(place)

    def _settle(self, place: _Place) -> None:
        """Once no answer is under way: request what the seat's screen still lacks."""
        hand, match = place.hand, place.match
        if hand is not None:
            if place.crossed:
                hand.note_shown(NOTHING)
                self._save(place, hand)
            if not hand.is_taken:
                asyncio.get_running_loop().call_later(FIRST_RESPONSE_SECONDS, self._request_hand, place)
            elif hand.shown == NOTHING or hand.moment != _moment(match) or hand.is_unmarked:
                self._request_hand(place)
            elif match.over:
                place.hand = None
                self._remove(hand)
            place.old.pop(hand.message, None)
        place.crossed = False
        self._request_closing(place)
        self._tidy(place)

    # ------------------------------------------------------------------------------------ changes of the match

    def match_changed(self, match: LiveMatch) -> None:
        """Request an update of a match's open hands. An act is shown by the answer to its press, so only the others'
        hands have to follow."""
        for seat in range(len(match.seats)):
            place = self._places.get((match.id, seat))
            if place is not None and (self.edits.is_repairing or not _shows_present(place)):
                self._request_hand(place)

    def reader_changed(self, match: LiveMatch, seat: Seat) -> None:
        """Request an update of a seat's hand, because its owner wants to read it in another way."""
        place = self._places.get((match.id, seat))
        if place is not None:
            place.crossed = place.crossed or place.answers > 0  # an answer may have been made for the former reader
            self._request_hand(place)

    def request_soon(self, match: LiveMatch, seat: Seat) -> None:
        """Request an update of a hand whose acts rest, for when they may be pressed (`cogs.screens.hands.hand`)."""
        place = self._places.get((match.id, seat))
        if place is not None:
            self.scheduler.call_later(REST_SECONDS, self._request_hand, place)

    # ------------------------------------------------------------------------------------ edits

    def _request_hand(self, place: _Place) -> None:
        """Request an update of the seat's hand, if there is one."""
        if place.hand is not None:
            self._request(place, place.hand.message)

    def _request_closing(self, place: _Place) -> None:
        """Request that the seat's old messages say that a newer hand is open."""
        for message in place.old:
            self._request(place, message)

    def _request(self, place: _Place, message: int) -> None:
        """Request an update of a message of the seat's. Each message has its own bucket: it has one writer at a time,
        and a hand doesn't wait until a dozen old messages are closed. Discord counts each token separately, but after
        a start many hands may have changed at once, so then they take turns. What happens right after a hand was opened
        does not wait for the edit that only marks it."""
        hand = place.hand
        marks = hand is not None and hand.message == message and hand.is_unmarked
        update, give_up = partial(self._update, place, message), partial(self._give_up, place, message)
        bucket, own = ("hand", place.match.id, place.seat, message), not self.edits.is_repairing
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

    async def _update(self, place: _Place, message: int) -> bool:
        """Bring a message up to date. While a press is being answered that waits: the answer's end asks for it. Raises
        NotTaken."""
        hand, old = place.hand, place.old.get(message)
        if place.answers:
            return False
        if hand is not None and hand.message == message:
            return not hand.is_undecided and await self._refresh(place, hand)
        return old is not None and await self._close(place, old)

    def _give_up(self, place: _Place, message: int) -> None:
        """No further try is made: after the end of a match nothing else would drop the hand."""
        hand, old = place.hand, place.old.get(message)
        if hand is not None and hand.message == message:
            if place.match.over:
                self._drop(place, hand)
        elif old is not None:
            self._forget(place, old)

    async def _refresh(self, place: _Place, hand: OpenHand) -> bool:
        """Bring the seat's hand up to date. Raises NotTaken."""
        if hand.is_expired:
            self._drop(place, hand)
            return False
        match, seat = place.match, place.seat
        moment, is_last = _moment(match), match.over
        if hand.moment != moment:
            hand.moment, hand.note = moment, ""
        if hand.row.window != match.window_number:
            hand.note_picked(match.window_number, "")
        reader = self.readers.on_seat(match, seat, hand.words)
        if _shows(place, hand, reader):
            return False
        presenter, selection = self.presenters[match.game.info.key], hand.row.selection
        hand.made_of = _made_of(place, reader)
        made = sheet(hand_screen(match, seat, presenter, reader, note=hand.note, selection=selection), match.id)
        mark = made.mark()
        changed = mark != hand.shown or hand.is_unmarked
        if changed:
            hand.is_unmarked = False
            hand.note_shown(mark)
            await self._show(place, hand, made)
        if is_last and hand.shown == mark:  # the match may have ended during the edit; then another is requested
            self._drop(place, hand)
        return changed

    async def _show(self, place: _Place, hand: OpenHand, made: Sheet) -> None:
        """Edit the message of a hand. Raises NotTaken if another try may succeed."""
        try:
            await self._edit(place, hand, made)
        except NotTaken as error:
            if is_gone(error):  # dismissed, or its token has expired: the next press opens it again
                self._drop(place, hand)
                return
            _log.warning("a hand in match %s was not taken: %s", place.match.id, error.reason)
            hand.note_shown(NOTHING)
            raise
        hand.is_taken = True
        former, hand.former = hand.former, None
        if former is not None:  # Discord has this hand, so the seat's former ones are out of date
            _replace(place, former)
            self._request_closing(place)
        self._save(place, hand)

    async def _edit(self, place: _Place, hand: OpenHand, made: Sheet) -> None:
        place.edits += 1
        try:
            await self.messages.edit(InteractionToken(hand.row.application_id, hand.row.token), made)
        finally:
            place.edits -= 1
            place.edited += 1

    async def _close(self, place: _Place, old: OpenHand) -> bool:
        """Say in a hand's former message that a newer hand is open: it would stay as it is from now on.

        Raises NotTaken if another try may succeed.
        """
        expired = old.is_expired
        if not expired:
            title = old.words("hand.title", game=place.match.game.info.title)
            made = sheet(Screen(title, (Text(old.words("hand.newer_open")),)), place.match.id)
            try:
                await self._edit(place, old, made)
            except NotTaken as error:
                if not is_gone(error):
                    raise
        self._forget(place, old)
        return not expired

    # ------------------------------------------------------------------------------------ what is kept

    def _save(self, place: _Place, hand: OpenHand) -> None:
        """Store what the next process needs of the seat's hand, unless it was dropped meanwhile."""
        if place.hand is hand:
            self.records.save(hand.row)

    def _take_over(self, hand: OpenHand) -> None:
        """Note that a message shows this hand, so that the one of another match that was there edits it no more."""
        owner, before = (hand.row.match_id, hand.row.seat), self._owners.get(hand.message)
        self._owners[hand.message] = owner
        place = None if before is None or before == owner else self._places.get(before)
        if place is None:
            return
        if place.hand is not None and place.hand.message == hand.message:
            self.records.remove(place.hand.row.key)
            place.hand = None
        old = place.old.pop(hand.message, None)
        if old is not None:
            self.records.remove(old.row.key)
        self._tidy(place)

    def _remove(self, hand: OpenHand) -> None:
        """Delete what is kept of a hand's message."""
        self.records.remove(hand.row.key)
        if self._owners.get(hand.message) == (hand.row.match_id, hand.row.seat):
            del self._owners[hand.message]

    def _drop(self, place: _Place, hand: OpenHand) -> None:
        """Drop a hand, unless a press has opened another meanwhile. If Discord never took it, the former one is still
        on the screen, and a press on that one has its picks."""
        if place.hand is hand:
            self._remove(hand)
            former = place.hand = hand.former
            if former is not None:
                if former.message == hand.message:
                    former.note_picked(hand.row.window, hand.row.selection)
                former.note_shown(NOTHING)
                self._request_hand(place)
        self._tidy(place)

    def _forget(self, place: _Place, old: OpenHand) -> None:
        """Forget an old message."""
        if place.old.get(old.message) is old:
            del place.old[old.message]
            self._remove(old)
        self._tidy(place)

    def _tidy(self, place: _Place) -> None:
        """Forget a seat that has nothing on its screen or on the way there."""
        key = place.match.id, place.seat
        if place.hand is None and not place.old and not place.is_busy and self._places.get(key) is place:
            del self._places[key]

    def _drop_expired(self) -> None:
        """Forget the seats whose hand has expired; those used longest ago come first."""
        while self._places:
            key, place = next(iter(self._places.items()))
            if place.is_busy or (place.hand is not None and not place.hand.is_expired):
                return
            del self._places[key]
            for hand in (place.hand, *place.old.values()):
                if hand is not None and self._owners.get(hand.message) == key:
                    del self._owners[hand.message]


def _put(place: _Place, hand: OpenHand) -> None:
    """Put a hand on a seat's screen. If presses were answered out of order, the later press's hand is the newer."""
    current = place.hand
    if current is None or current.press < hand.press:
        place.hand = hand
        if hand.is_taken:
            _replace(place, current)
        else:
            hand.former = current
        return
    place.crossed = True  # in one message this hand covers the newer
    if current.is_taken:
        _replace(place, hand)
    else:
        hand.former, current.former = current.former, hand


def _replace(place: _Place, older: OpenHand | None) -> None:
    """Note that a hand, and those before it, were replaced by the place's hand."""
    while older is not None:
        if place.hand is not None and older.message != place.hand.message:
            place.old[older.message] = older
        before, older.former = older.former, None
        older = before


def _moment(match: LiveMatch) -> Moment:
    return match.position.acts, match.window_number, match.suspended, match.failed, match.over


def _made_of(place: _Place, reader: Reader) -> MadeOf:
    """What a hand is made of that a reader is shown now."""
    return _moment(place.match), reader, place.match.own_acts.shown(place.seat)


def _shows(place: _Place, hand: OpenHand, reader: Reader) -> bool:
    """Whether a hand shows its reader the present state, so that it needs no edit. After the end its last one is always
    made."""
    is_present = hand.made_of == _made_of(place, reader) and hand.shown != NOTHING
    return is_present and not hand.is_unmarked and not place.match.over


def _shows_present(place: _Place) -> bool:
    """Whether the seat's hand was made at this moment, for any reader."""
    hand = place.hand
    return hand is not None and hand.made_of is not None and _shows(place, hand, hand.made_of[1])


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
