"""Open hands: the private messages that are kept up to date while their interaction's token is valid.

A hand has one writer at a time. While a press is being answered with a hand, nothing else edits it. Something else may
reach Discord in the meantime: an edit under way, an answer to another press, a move that the answer does not show yet.
Then the hand is edited once more, through its newest token. So whatever the delays, the last thing on the screen is the
present state. A dropped hand is shown again by its owner's next press.

Open hands are stored with their tokens (`cogs.updates.shown_records`), so the next process keeps them up to date.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import TypeAlias

from bot.play.live_match import LiveMatch
from bot.scheduler import Scheduler
from bot.store.queries.screens import HandRow
from bot.ui.catalogue import Translations, translations
from bot.ui.screen import Screen, Text
from cogs.interactions.responses import Interaction
from cogs.screens.hands.hand import hand_screen
from cogs.screens.presenter import Presenter, Reader
from cogs.screens.renderer import Sheet, sheet
from cogs.updates.channel_messages import NotTaken
from cogs.updates.edit_queue import EditQueue, SendEdit
from cogs.updates.shown_records import HandRecords
from cogs.updates.token_edits import TOKEN_SECONDS, InteractionToken, TokenEdits, is_gone, message_of, token_of
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
    """A hand on somebody's screen: the token it can be edited through, and what it shows.

    `message` is its message, as `message_of` names it; `number` counts the presses that were answered with hands. It
    was `opened` at the loop's time in seconds and `expires_at` is in ms UTC.
    `is_taken` says whether Discord is known to have taken it. Until then `former` is the seat's hand before this one.
    `made_of` is all that what it shows was made of, besides picks and note; None if that is not known.
    """

    token: InteractionToken
    message: int
    number: int
    opened: float
    expires_at: int
    locale: str
    words: Translations
    shown: bytes
    moment: Moment
    window: int
    selection: str
    note: str = ""
    is_taken: bool = True
    former: OpenHand | None = None
    made_of: MadeOf | None = None

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
    """What is on a seat's screen, and what is on its way there.

    `old` are the messages whose hand is open elsewhere now, by message. `answers` and `edits` are under way, `edited`
    counts the edits that have ended, and `crossed` says that answers under way may have overtaken each other.
    """

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

    def __init__(self, match: LiveMatch, number: int, edited: int) -> None:
        self.moment = _moment(match)
        self.window = match.window_number
        self.number = number
        self.edited = edited
        self.mark = NOTHING
        self.was_sent = False

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
    _places: dict[tuple[str, Seat], _Place] = field(default_factory=dict, init=False)
    _numbers: Iterator[int] = field(default_factory=lambda: count(1), init=False)
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
        rows = self._left.pop(match.id, ())
        for row in rows:
            place = self._places.setdefault((match.id, row.seat), _Place())
            former, place.hand = place.hand, self._restored(row)
            if place.hand.is_taken:
                _replace(place, former)
            else:
                place.hand.former = former
        for seat in dict.fromkeys(row.seat for row in rows):
            match.note_hand_seen(seat)
            self._settle(match, seat, self._places[match.id, seat])

    def _restored(self, row: HandRow) -> OpenHand:
        left = (row.expires_at - self.scheduler.now()) / 1000
        return OpenHand(
            InteractionToken(row.application_id, row.token),
            row.message,
            next(self._numbers),
            _discords_time() - TOKEN_SECONDS + left,
            row.expires_at,
            row.locale,
            translations(row.locale),
            row.shown,
            (),
            row.window,
            row.selection,
            is_taken=row.shown != NOTHING,
        )

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
        place = self._places.setdefault(key, _Place())
        place.crossed = place.crossed or place.answers > 0
        place.answers += 1
        answer = HandAnswer(match, next(self._numbers), place.edited)
        try:
            yield answer
        except asyncio.CancelledError:  # the bot is stopping, and Discord may have taken the answer
            answer.sent(None)
            raise
        finally:
            place.answers -= 1
            if answer.was_sent:
                place.crossed = place.crossed or place.edits > 0 or place.edited != answer.edited
                hand = OpenHand(
                    token_of(interaction),
                    message_of(interaction),
                    answer.number,
                    _discords_time(),
                    self.scheduler.now() + int(TOKEN_SECONDS * 1000),
                    str(interaction.locale),
                    reader.words,
                    answer.mark,
                    answer.moment,
                    answer.window,
                    selection,
                    note,
                    is_taken=answer.mark != NOTHING,
                    made_of=None if resting else (answer.moment, reader, match.own_acts.shown(seat)),
                )
                self._put(place, hand)
                self._save(match, seat, hand)
                self._places.pop(key)
                self._drop_expired()
                self._places[key] = place  # those used last come last
            if not place.answers:
                self._settle(match, seat, place)

    def _put(self, place: _Place, hand: OpenHand) -> None:
        """Put a hand on a seat's screen. If presses were answered out of order, the later press's hand is the newer."""
        current = place.hand
        if current is None:
            place.hand = hand
            return
        older, newer = (current, hand) if current.number < hand.number else (hand, current)
        place.hand = newer
        if newer is hand and not hand.is_taken:
            hand.former = older
        else:
            _replace(place, older)

    def _settle(self, match: LiveMatch, seat: Seat, place: _Place) -> None:
        """Once no answer is under way: request what the seat's screen still lacks."""
        hand = place.hand
        if hand is not None:
            if place.crossed:
                hand.shown = NOTHING
                self._save(match, seat, hand)
            if not hand.is_taken:
                loop = asyncio.get_running_loop()
                loop.call_later(FIRST_RESPONSE_SECONDS, self._request, match, seat)
            elif hand.shown == NOTHING or hand.moment != _moment(match):
                self._request(match, seat)
            elif match.over:
                place.hand = None
                self.records.remove((match.id, seat, hand.message))
            place.old.pop(hand.message, None)
        place.crossed = False
        for old in place.old.values():
            self._request_closing(match, seat, old)
        self._tidy(match, seat)

    # ------------------------------------------------------------------------------------ changes of the match

    def match_changed(self, match: LiveMatch) -> None:
        """Request an update of a match's open hands. An act is shown by the answer to its press, so only the others'
        hands have to follow."""
        for seat in range(len(match.seats)):
            if self.edits.is_repairing or not self._shows_present(match, seat):
                self._request(match, seat)

    def _shows_present(self, match: LiveMatch, seat: Seat) -> bool:
        """Whether the seat's hand was made at this moment, for any reader."""
        place = self._places.get((match.id, seat))
        hand = None if place is None else place.hand
        if hand is None or hand.made_of is None:
            return False
        _, reader, _ = hand.made_of
        return _shows(hand, match, _made_of(match, seat, reader))

    def reader_changed(self, match: LiveMatch, seat: Seat) -> None:
        """Request an update of a seat's hand, because its owner wants to read it in another way."""
        place = self._places.get((match.id, seat))
        if place is not None and place.answers:
            place.crossed = True  # the answer under way may have been made for the reader as they were
        self._request(match, seat)

    def request_soon(self, match: LiveMatch, seat: Seat) -> None:
        """Request an update of a hand whose acts rest, for when they may be pressed (`cogs.screens.hands.hand`)."""
        self.scheduler.call_later(REST_SECONDS, self._request, match, seat)

    def _request(self, match: LiveMatch, seat: Seat) -> None:
        """Request an update of the seat's hand, if there is one."""
        place = self._places.get((match.id, seat))
        if place is not None and place.hand is not None:
            message = place.hand.message
            refresh = partial(self._refresh, match, seat, message)
            self._request_edit(match, (seat, message), "hand", refresh, partial(self._give_up, match, seat, message))

    def _request_edit(
        self, match: LiveMatch, place: tuple[Seat, int], key: str, send: SendEdit, given_up: Callable[[], None]
    ) -> None:
        """Request an edit of a message of the seat's. Each message has its own bucket: it has one writer at a time,
        and a hand doesn't wait until a dozen old messages are closed. Discord counts each token separately, but after
        a start many hands may have changed at once, so then they take turns."""
        own = not self.edits.is_repairing
        bucket = "hand", match.id, *place
        self.edits.request_edit(bucket, key, send, own_bucket=own, measured=False, insist=True, given_up=given_up)

    def _give_up(self, match: LiveMatch, seat: Seat, message: int) -> None:
        """No further try is made: after the end of a match nothing else would drop the hand."""
        place = self._places.get((match.id, seat))
        hand = None if place is None else place.hand
        if hand is not None and hand.message == message and match.over:
            self._drop(match, seat, hand)

    async def _refresh(self, match: LiveMatch, seat: Seat, message: int) -> bool:
        """Bring a hand up to date, if it is still in this message. While a press is being answered that waits: the
        answer's end asks for it. Raises NotTaken."""
        place = self._places.get((match.id, seat))
        if place is None or place.hand is None or place.answers or place.hand.is_undecided:
            return False
        hand = place.hand
        if hand.message != message:
            return False
        if hand.is_expired:
            self._drop(match, seat, hand)
            return False
        moment = _moment(match)
        if hand.moment != moment:
            hand.moment, hand.note = moment, ""
        if hand.window != match.window_number:
            hand.window, hand.selection = match.window_number, ""
        reader = self.readers.on_seat(match, seat, hand.words)
        made_of = _made_of(match, seat, reader)
        if _shows(hand, match, made_of):
            return False
        presenter = self.presenters[match.game.info.key]
        made = sheet(hand_screen(match, seat, presenter, reader, note=hand.note, selection=hand.selection), match.id)
        hand.made_of = made_of
        changed = made.mark() != hand.shown
        if changed:
            hand.shown = made.mark()
            await self._show(match, seat, hand, made)
        if match.over and hand.shown == made.mark():
            self._drop(match, seat, hand)
        return changed

    async def _show(self, match: LiveMatch, seat: Seat, hand: OpenHand, made: Sheet) -> None:
        """Edit the message of a hand. Raises NotTaken if another try may succeed."""
        try:
            await self._edit(match, seat, hand, made)
        except NotTaken as error:
            if is_gone(error):  # dismissed, or its token has expired: the next press opens it again
                self._drop(match, seat, hand)
                return
            _log.warning("a hand in match %s was not taken: %s", match.id, error.reason)
            hand.shown = NOTHING
            raise
        else:
            self._confirm(match, seat, hand)
            self._save(match, seat, hand)

    async def _edit(self, match: LiveMatch, seat: Seat, hand: OpenHand, made: Sheet) -> None:
        place = self._places[match.id, seat]
        place.edits += 1
        try:
            await self.messages.edit(hand.token, made)
        finally:
            place.edits -= 1
            place.edited += 1

    def _confirm(self, match: LiveMatch, seat: Seat, hand: OpenHand) -> None:
        """Discord has this hand, so the seat's former ones are out of date."""
        hand.is_taken = True
        place = self._places.get((match.id, seat))
        former, hand.former = hand.former, None
        if place is not None and former is not None:
            _replace(place, former)
            for old in place.old.values():
                self._request_closing(match, seat, old)

    def _drop(self, match: LiveMatch, seat: Seat, hand: OpenHand) -> None:
        """Drop a hand, unless a press has opened another meanwhile. If Discord never took it, the former one is still
        on the screen, and a press on that one has its picks."""
        place = self._places.get((match.id, seat))
        if place is not None and place.hand is hand:
            self.records.remove((match.id, seat, hand.message))
            former = place.hand = hand.former
            if former is not None:
                if former.message == hand.message:
                    former.window, former.selection = hand.window, hand.selection
                former.shown = NOTHING
                self._request(match, seat)
        self._tidy(match, seat)

    def _save(self, match: LiveMatch, seat: Seat, hand: OpenHand) -> None:
        """Store what the next process needs of the seat's hand, unless it was dropped meanwhile."""
        place = self._places.get((match.id, seat))
        if place is None or place.hand is not hand:
            return
        self.records.save(
            HandRow(
                match.id,
                seat,
                hand.message,
                hand.token.application_id,
                hand.token.token,
                hand.locale,
                hand.window,
                hand.selection,
                hand.shown,
                hand.expires_at,
            )
        )

    # ------------------------------------------------------------------------------------ old messages

    def _request_closing(self, match: LiveMatch, seat: Seat, old: OpenHand) -> None:
        close, give_up = partial(self._close, match, seat, old), partial(self._forget, match, seat, old)
        self._request_edit(match, (seat, old.message), "old", close, give_up)

    async def _close(self, match: LiveMatch, seat: Seat, old: OpenHand) -> bool:
        """Say in a hand's former message that a newer hand is open: it would stay as it is from now on.

        Raises NotTaken if another try may succeed.
        """
        place = self._places.get((match.id, seat))
        if place is None or place.old.get(old.message) is not old or place.answers:
            return False
        if old.is_expired:
            self._forget(match, seat, old)
            return False
        title = old.words("hand.title", game=match.game.info.title)
        made = sheet(Screen(title, (Text(old.words("hand.newer_open")),)), match.id)
        try:
            await self._edit(match, seat, old, made)
        except NotTaken as error:
            if not is_gone(error):
                raise
        self._forget(match, seat, old)
        return True

    def _forget(self, match: LiveMatch, seat: Seat, old: OpenHand) -> None:
        place = self._places.get((match.id, seat))
        if place is not None and place.old.get(old.message) is old:
            del place.old[old.message]
            self.records.remove((match.id, seat, old.message))
        self._tidy(match, seat)

    # ------------------------------------------------------------------------------------ tidying

    def _tidy(self, match: LiveMatch, seat: Seat) -> None:
        """Forget a seat that has nothing on its screen or on the way there."""
        place = self._places.get((match.id, seat))
        if place is not None and place.hand is None and not place.old and not place.is_busy:
            del self._places[match.id, seat]

    def _drop_expired(self) -> None:
        """Forget the seats whose hand has expired; those used longest ago come first."""
        while self._places:
            key, place = next(iter(self._places.items()))
            if place.is_busy or (place.hand is not None and not place.hand.is_expired):
                return
            del self._places[key]


def _replace(place: _Place, older: OpenHand | None) -> None:
    """Note that a hand, and those before it, were replaced by the place's hand."""
    while older is not None:
        if place.hand is not None and older.message != place.hand.message:
            place.old[older.message] = older
        before, older.former = older.former, None
        older = before


def _moment(match: LiveMatch) -> Moment:
    return match.position.acts, match.window_number, match.suspended, match.failed, match.over


def _made_of(match: LiveMatch, seat: Seat, reader: Reader) -> MadeOf:
    """What a hand is made of that a reader is shown now."""
    return _moment(match), reader, match.own_acts.shown(seat)


def _shows(hand: OpenHand, match: LiveMatch, made_of: MadeOf) -> bool:
    """Whether a hand shows just this, so that it needs no edit. After the end its last one is always made."""
    return hand.made_of == made_of and hand.shown != NOTHING and not match.over


def _discords_time() -> float:
    """The loop's time in seconds. Tokens expire at Discord, so this is not the scheduler's."""
    return asyncio.get_running_loop().time()
