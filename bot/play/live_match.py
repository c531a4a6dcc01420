"""One live match: its value, its queue, and the order in which a move is made.

A move waits in the match's own queue; then it is judged, worked out on a new value, written down in one transaction,
and only then does the new value take the old one's place. *First the ink, then the answer, then the room*: no call to
Discord happens in here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypeVar

from bot import error_numbers
from bot.play.deadlines import GRACE, UNSEEN
from bot.play.refusals import AlreadyMade, MatchFailed, Refused, StaleQuestion, Suspended, translate_errors
from bot.store.codec import Codec
from bot.store.errors import DuplicateInteraction
from bot.store.protocols.matches import MatchStore
from bot.store.rows import MatchRow, Record, Result, Suspension, TimerRow
from bot.telemetry import Telemetry
from bot.time_controls import TimeControl, time_control
from engines import GAMES
from engines.chance import Chance, Sitter, Table, commitment
from engines.game import AnyGame, Choices, Event, IllegalAction, Outcome, Private, Resign, Seat, TimeUp, Window, fold

T = TypeVar("T")

OVERRIDING = frozenset({Suspension.CHANNEL_GONE, Suspension.REMOVED})
"""Reasons to rest that take the place of one told before: what else was wrong does not matter any more."""


class BrokenLog(Exception):  # noqa: N818  says what was found
    """The log of a match has gaps, or has come to an end that is not written down."""


@cache
def codec(key: str) -> Codec:
    """The codec of everything a game writes down."""
    info = GAMES[key].info
    return Codec([*info.actions, *info.events, info.options, TimeUp, Resign], info.upcasters)


@dataclass(frozen=True, slots=True)
class Position:
    """Where a match stands, swapped as one value: the state, how many acts led to it, its facts and deadlines."""

    state: Any
    acts: int
    window: Window | None
    outcome: Outcome | None
    timers: tuple[TimerRow, ...]


@dataclass(frozen=True, slots=True)
class BoardLocation:
    """Where a match is played: its channel, and its board there if there is one."""

    channel_id: int
    board_id: int | None


@dataclass(frozen=True, slots=True)
class AppliedMove:
    """A move that stands: who made it (None: the clock) and the facts that followed."""

    actor: Seat | None
    events: tuple[Event, ...]


class LiveMatch:
    """A match as the house holds it while it is played (and, folded again, when it is looked at afterwards)."""

    def __init__(self, row: MatchRow, store: MatchStore, now: Callable[[], int], telemetry: Telemetry) -> None:
        self.id = row.id
        self.guild_id = row.guild_id
        self.channel_id = row.channel_id
        self.board_id = row.board_id
        self.board_at = row.board_at
        self.seats = row.seats
        self.opened_at = row.opened_at
        self.time_control: TimeControl = time_control(row.clock)
        self.game: AnyGame = GAMES[row.game]
        self.options: Any = codec(row.game).decode(row.options)
        self.commitment = commitment(row.seed)
        self.failed = row.paused
        self.suspended = row.suspended_why
        self.suspended_at = row.suspended_at
        self.result: Result | None = None
        self.agreed: set[Seat] = set(row.agreed)
        self.moved = False
        self.events: list[Event] = []
        self.position: Position
        self._seed = row.seed
        self._pack_id = self.game.pack(self.options, len(row.seats)).pack_id
        self._seating = Table(row.game, row.rules_version, row.id, tuple(Sitter(user) for user in row.seats))
        self._store = store
        self._now = now
        self._telemetry = telemetry
        self._queue = asyncio.Lock()
        self._asked_at = 0
        self._shown: tuple[int, int] | None = None

    # ------------------------------------------------------------------------------------ opening and resuming

    def deal(self) -> tuple[Record, tuple[TimerRow, ...]]:
        """Deal the cards; returns what has to be written down before the match exists for anybody."""
        state = self.game.start(self.options, len(self.seats))
        facts = self.game.deal(state, self._chance(0))
        now = self._now()
        self.events = list(facts)
        self.position = self._position(facts.state, 0, now, ())
        self._asked_at = now
        record = Record(self.id, 0, None, None, None, self._codec.encode_all(facts), now)
        return record, self.position.timers

    def replay(self, records: Sequence[Record], timers: Sequence[TimerRow]) -> None:
        """Take the match up where its records end, with the deadlines that were running.

        Raises BrokenLog for a log with gaps, and whatever codec or rules raise for facts they cannot read.
        """
        if [record.seq for record in records] != list(range(max(1, len(records)))):
            raise BrokenLog("records are missing")
        state = self.game.start(self.options, len(self.seats))
        self.events = [event for record in records for event in self._codec.decode_all(record.events)]
        state = fold(self.game, state, self.events)
        self._asked_at = self._now()
        self.position = self._position(state, records[-1].seq, self._asked_at, timers)
        self.moved = any(record.actor is not None for record in records)

    # ------------------------------------------------------------------------------------ looking

    @property
    def over(self) -> bool:
        """Whether there is a result."""
        return self.result is not None

    @property
    def seed(self) -> bytes:
        """The revealed seed. Raises RuntimeError while the match is played: it is the deck."""
        if not self.over:
            raise RuntimeError("the seed is secret until the match is over")
        return self._seed

    @property
    def inactive(self) -> bool:
        """Whether nothing can be done in it for now: a rule failed, or its place was lost."""
        return self.failed is not None or self.suspended is not None

    @property
    def can_call_off(self) -> bool:
        """Whether no player has made a move yet, so that the match may still be called off (C-6)."""
        return not self.over and not self.moved

    def seat_of(self, user_id: int) -> Seat | None:
        """The user's seat, or None for somebody who does not play."""
        return self.seats.index(user_id) if user_id in self.seats else None

    def public(self) -> Any:
        """What everybody may know."""
        return self.game.observe_public(self.position.state)

    def private(self, seat: Seat) -> Private[Any, Any]:
        """What this seat may know."""
        return self.game.observe(self.position.state, seat)

    def choices(self, seat: Seat) -> Choices[Any]:
        """What this seat may do now; nothing once the match is over or while it rests."""
        if self.over or self.inactive:
            return Choices()
        return self.game.choices(self.position.state, seat)

    @property
    def window_number(self) -> int:
        """The number of the question on the table, 0 when there is none."""
        return self.position.window.number if self.position.window else 0

    @property
    def awaited(self) -> frozenset[Seat]:
        """The seats the match waits for; none once it is over or while it rests."""
        window = self.position.window
        return window.awaited if window and not self.over and not self.inactive else frozenset()

    # ------------------------------------------------------------------------------------ its time

    def mark_shown(self, window: int) -> bool:
        """Note that the question of this number stands on the board; whether that is the first time."""
        if window != self.window_number or (self._shown is not None and self._shown[0] == window):
            return False
        self._shown = (window, self._now())
        return True

    def deadline_with_grace(self, timer: TimerRow) -> int:
        """When the clock acts on a deadline, in ms UTC.

        In a race that is the deadline. A seat that is awaited reads it on the board, and loses no time by what is not
        its own: a press of the last moment may be under way (GRACE), and the question may have been slow to be shown.
        """
        if not self.awaited:
            return timer.deadline
        shown_at = self._shown[1] if self._shown is not None and self._shown[0] == self.window_number else self._now()
        return timer.deadline + GRACE + min(max(0, shown_at - self._asked_at), UNSEEN)

    # ------------------------------------------------------------------------------------ a move

    async def act(
        self, actor: Seat | None, action: Any, *, window: int | None, interaction_id: int | None
    ) -> AppliedMove:
        """Make a move, whole and once.

        `window` is the question the actor saw (None for acts the rules judge by themselves: resigning, the clock's).
        Raises IllegalAction as the rules do, and StaleQuestion, AlreadyMade, Unsaved, Paused or Suspended; nothing has
        changed then. Resigning is possible while a match is suspended: nobody must stay in one.
        """
        return await _to_its_end(self._act(actor, action, window, interaction_id))

    async def _act(
        self, actor: Seat | None, action: Any, window: int | None, interaction_id: int | None
    ) -> AppliedMove:
        async with self._queue:
            await self.check_open(window, interaction_id, leaving=isinstance(action, Resign))
            acts = self.position.acts + 1
            events, state = self._decide(actor, action, acts)
            now = self._now()
            position = self._position(state, acts, now, self.position.timers)
            encode = self._codec.encode
            record = Record(self.id, acts, interaction_id, actor, encode(action), self._codec.encode_all(events), now)
            result = self._result(position, now)
            await self._write(self._store.append(record, position.timers, result))
            asked = self.window_number
            self.position = position
            if self.window_number != asked:
                self._asked_at = now
            self.moved = self.moved or actor is not None
            self.events.extend(events)
            self._set_result(result)
            return AppliedMove(actor, events)

    async def call_off(self, seat: Seat, interaction_id: int) -> bool:
        """Agree to call the match off, or call it off where C-6 lets one player do so.

        Returns whether it is called off now. Raises Refused when a move was made already, and as `act` does.
        """
        async with self._queue:
            await self.check_open(None, interaction_id)
            if not self.can_call_off:
                raise Refused("calloff.moved")
            agreed = self.agreed | {seat}
            now = self._now()
            if len(agreed) < len(self.seats) and not self._half_first_time_passed(now):
                await self._write(self._store.agree_to_call_off(self.id, seat))
                self.agreed = agreed
                return False
            result = Result(self.id, "called_off", (), now, counted=False)
            await self._write(self._store.end_match(result, interaction_id))
            self._set_result(result)
            return True

    async def check_open(self, window: int | None, interaction_id: int | None, *, leaving: bool = False) -> None:
        if self.suspended is not None and not leaving:
            raise Suspended(self.suspended)
        if self.failed is not None:
            raise MatchFailed(self.failed)
        if not self.over and window in (None, self.window_number):
            return
        if interaction_id is not None and await self._store.match_of_interaction(interaction_id) is not None:
            raise AlreadyMade
        raise Refused("match.over") if self.over else StaleQuestion

    def _set_result(self, result: Result | None) -> None:
        self.result = result
        if result is not None:
            self.suspended = self.suspended_at = None

    def _decide(self, actor: Seat | None, action: Any, acts: int) -> tuple[tuple[Event, ...], Any]:
        state = self.position.state
        try:
            facts = self.game.decide(state, actor, action, self._chance(acts))
            return tuple(facts), facts.state
        except IllegalAction:
            raise
        except Exception as error:  # noqa: BLE001  a faulty rule stops its own match and no other
            self.failed = error_numbers.log_error(
                error, f"a rule of {self.game.info.key}", self._telemetry, match_id=self.id
            )
            raise MatchFailed(self.failed) from None

    async def _write(self, writing: Any) -> None:
        try:
            await translate_errors(writing)
        except DuplicateInteraction:
            raise AlreadyMade from None

    # ------------------------------------------------------------------------------------ its place

    async def suspend(self, why: Suspension, channel_id: int | None = None) -> bool:
        """Let the match rest, its clocks stopped; it waits in the queue for a move under way, like a move.

        `channel_id` is the place that was lost, where it matters: the match may be played elsewhere by now. Returns
        whether anything changed. Raises Unsaved; the match goes on then.
        """
        return await _to_its_end(self._suspend(why, channel_id))

    async def _suspend(self, why: Suspension, channel_id: int | None) -> bool:
        async with self._queue:
            if self.over or why is self.suspended or channel_id not in {None, self.channel_id}:
                return False
            if self.suspended is not None and why not in OVERRIDING:
                return False
            now = self._now()
            await translate_errors(self._store.suspend_match(self.id, now, why))
            self.suspended, self.suspended_at = why, self.suspended_at or now
            self.position = replace(self.position, timers=())
            return True

    async def resume(self, channel_id: int) -> BoardLocation | None:
        """Go on in a channel, every clock with its whole length.

        Returns where the match was played before, or None when it does not rest, or goes on already. Raises Unsaved.
        """
        return await _to_its_end(self._resume(channel_id))

    async def _resume(self, channel_id: int) -> BoardLocation | None:
        async with self._queue:
            if self.over or self.suspended is None:
                return None
            now = self._now()
            timers = self._timers(self.position.window, now, ())
            await translate_errors(self._store.resume_match(self.id, channel_id, timers))
            former = BoardLocation(self.channel_id, self.board_id)
            self.suspended = self.suspended_at = None
            self._asked_at, self._shown = now, None
            self.channel_id, self.board_id, self.board_at = channel_id, None, None
            self.position = replace(self.position, timers=timers)
            return former

    async def lapse(self, before: int) -> bool:
        """Call the match off if it has been suspended since a moment (ms UTC) or longer; whether it was.

        No clock runs in it, so nothing else would ever end it. Raises Unsaved.
        """
        return await _to_its_end(self._lapse(before))

    async def _lapse(self, before: int) -> bool:
        async with self._queue:
            if self.over or self.suspended_at is None or self.suspended_at > before:
                return False
            result = Result(self.id, "lapsed", (), self._now(), counted=False)
            await self._write(self._store.end_match(result, None))
            self._set_result(result)
            return True

    # ------------------------------------------------------------------------------------ working out

    @property
    def _codec(self) -> Codec:
        return codec(self.game.info.key)

    def _chance(self, seq: int) -> Chance:
        return Chance(self._seed, self._seating, seq, self._pack_id)

    def _position(self, state: Any, acts: int, now: int, running: Sequence[TimerRow]) -> Position:
        window = self.game.window(state)
        timers = self._timers(window, now, running) if self.suspended is None else ()
        return Position(state, acts, window, self.game.outcome(state), timers)

    def _timers(self, window: Window | None, now: int, running: Sequence[TimerRow]) -> tuple[TimerRow, ...]:
        """The deadlines of a question: those that are running go on, the others begin."""
        kept = {(timer.name, timer.key): timer for timer in running}
        return tuple(
            kept.get((timer.name, timer.key))
            or TimerRow(self.id, timer.name, timer.key, now + 1000 * self.time_control.length(timer.length))
            for timer in (window.timers if window else ())
        )

    def _result(self, position: Position, now: int) -> Result | None:
        outcome = position.outcome
        if outcome is None:
            return None
        if outcome.void:
            return Result(self.id, outcome.kind, (), now, counted=False)
        counted = position.acts >= self.game.info.shortest_counted
        return Result(self.id, outcome.kind, outcome.ranks, now, counted=counted)

    def _half_first_time_passed(self, now: int) -> bool:
        window = self.position.window
        if window is None:
            return False
        lengths = {(timer.name, timer.key): self.time_control.length(timer.length) for timer in window.timers}
        return any(timer.deadline - now <= 500 * lengths[timer.name, timer.key] for timer in self.position.timers)


async def _to_its_end(work: Coroutine[Any, Any, T]) -> T:
    """Do a piece of work whole: a caller that goes away between the ink and the swap must not leave the value behind
    the log."""
    working = asyncio.ensure_future(work)
    working.add_done_callback(_heard)
    return await asyncio.shield(working)


def _heard(working: asyncio.Future[Any]) -> None:
    """Work whose caller went away may have been refused: nobody asks any more, and asyncio would log an error."""
    if not working.cancelled():
        working.exception()
