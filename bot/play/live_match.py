"""One live match: its queue, and the order in which a move is made.

A move waits in the match's own queue. Then it is judged, worked out on a new value, and committed in one transaction.
Only then does the new value replace the old one. The order is *save, answer, show*; nothing in this module calls
Discord.

Row, position, last facts and result are values. Only the methods of this class and of its bases replace them, and only
inside the queue, which protects nothing outside it. (Before a match is in play, `deal` and `replay` need no queue,
because nobody else has the match yet.)
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from bot import logs
from bot.play import refusals
from bot.play.access import check_all_can_play
from bot.play.clocks.banks import Banks
from bot.play.clocks.deadlines import GRACE
from bot.play.clocks.stoppable_match import StoppableMatch, later
from bot.play.clocks.timed_match import to_its_end
from bot.play.computers.stand_ins import HAND_OVERS, SeatHolders, TakenBack
from bot.play.facts.replayed_log import is_move, replay
from bot.play.first_matches import READING
from bot.play.match_row import MOST_LOSSES, NO_LOSSES
from bot.play.match_state import Offer
from bot.play.own_acts import MadeAct, OwnActs, SeenQuestion, made_acts
from bot.play.reliability import attendances
from bot.scheduler import DAY, ends_at
from bot.store import verification
from bot.store.codec import CodecError
from bot.store.errors import DuplicateInteraction
from bot.store.queries import matches
from bot.store.queries.attendances import Attendance
from bot.store.queries.invitations import StandIn
from bot.store.special_ids import people
from bot.store.store import Store
from bot.telemetry import Telemetry
from bot.time_controls import resume_grace
from engines.game import Act, Event, IllegalAction, Resign, Seat, fold

T = TypeVar("T")

OVERRIDING = frozenset({matches.Suspension.CHANNEL_GONE, matches.Suspension.REMOVED, matches.Suspension.MODERATED})
"""Reasons for a suspension that replace an earlier one, which no longer matters then."""


@dataclass(frozen=True, slots=True)
class BoardLocation:
    """Where a match is played: its channel, and its board there if there is one."""

    channel_id: int
    board_id: int | None


class LiveMatch(StoppableMatch):
    """A match being played, or a finished one, folded again to be looked at."""

    __slots__ = ("_agreed_to_resume", "_telemetry")

    def __init__(self, row: matches.MatchRow, store: Store, now: Callable[[], int], telemetry: Telemetry) -> None:
        super().__init__(row, store, now)
        self._telemetry = telemetry
        self._agreed_to_resume: dict[int, set[Seat]] | None = None

    @property
    def secret(self) -> bool:
        """Whether nobody may be shown what others hold or held: while it is played and, if it tries a deal of the day,
        until that day ends."""
        return not self.over or (self.day is not None and self._now() < ends_at(self.day))

    # ------------------------------------------------------------------------------------ opening and resuming

    def deal(self, opening: Sequence[Event] | None = None) -> tuple[matches.Record, tuple[matches.TimerRow, ...]]:
        """Deal the cards, or begin where an `opening` ends. Returns what must be saved before anyone can see the match.

        Raises OptionRefused if the options do not fit the players.
        """
        self._asked_at = self._now()
        self._ahead = max(0, self._logged_at - self._asked_at)
        now = self._logged_now()
        self._sat_early = ()
        state = self.game.start(self.options, len(self.seats))
        if opening is None:
            facts = self.game.deal(state, self._chance(0))
            opening, state = tuple(facts), facts.state
        else:
            state = fold(self.game, state, opening)
        self._position = self._position_of(state, 0, self._asked_at, ())
        self._last_facts.add(opening, asks=True)
        record = matches.Record(self.id, 0, None, None, None, self._codec.encode_all(opening), now)
        self._logged_at = now
        self._chain = verification.link_of(verification.first_link(self.id), record)
        return record, self._position.timers

    def replay(
        self,
        records: Sequence[matches.Record],
        timers: Sequence[matches.TimerRow],
        result: matches.Result | None = None,
        own_acts: OwnActs | None = None,
    ) -> None:
        """Restore the match from its records, with the deadlines that were running, or with its result.

        `own_acts` are those of its records, if more is known of them than the records say. If it raises, the match
        stays as it is: BrokenLog for a log with gaps, and whatever codec or rules raise for facts they cannot read.
        """
        log = replay(self._row, records, self.game, self.options, self._codec, with_events=result is not None)
        self._asked_at = self._now() if self.has_clock else records[-1].at
        self._last_facts, self._holders = log.last_facts, log.holders
        self.own_acts = log.own_acts if own_acts is None else own_acts
        self._result, self._events, self._chain = result, log.events, log.chain
        self._position = self._position_of(log.state, log.acts, self._asked_at, timers)
        self._moved, self._moves = log.moved, log.moves
        self._continue_time(records[-1].at)

    async def read_events(self, acts: int | None = None) -> tuple[Event, ...]:
        """All facts so far, or those up to a number of acts, from the store. Raises StoreError, and CodecError for a
        log that cannot be read."""
        records = await self._store.records(self.id)
        return self._facts_of(records if acts is None else records[: acts + 1])

    async def read_acts(self, first: int) -> list[tuple[Event, ...]]:
        """The facts of each record from this number on, from the store. Raises as `read_events`."""
        records = await self._store.records(self.id, first)
        return [self._codec.decode_all(record.events) for record in records]

    # ------------------------------------------------------------------------------------ a move

    @to_its_end
    async def act(
        self,
        actor: Seat | None,
        action: Any,
        *,
        window: int | None = None,
        interaction_id: int | None = None,
        computer: str | None = None,
    ) -> int:
        """Make a move, completely and once. Returns its number among the actor's own acts; 0 for the clock's.

        `window` is the question that the actor saw. It is None for acts that answer no question: resigning, and the
        clock's. `computer` is the level and version of the computer player that acts; if its seat was taken back
        meanwhile, its act is stale. Raises IllegalAction as the rules
        do, and StaleQuestion, AlreadyMade, Unsaved, MatchFailed or Suspended; then nothing has changed, except that a
        rule may have failed. Players can resign from a suspended match, so that nobody is trapped in it.
        """
        async with self._queue:
            try:
                await self.check_open(window, interaction_id, leaving=isinstance(action, Resign))
                if computer is not None and (actor is None or self.acting_level(actor) is None):
                    raise refusals.StaleQuestion
                return await self._make(actor, action, interaction_id, computer=computer)
            except (refusals.Refused, IllegalAction) as refused:
                if actor is not None and isinstance(action, Resign) and not _on_hold(refused):
                    await self._refuse_repeated(actor, lambda made: made.action == action)
                raise

    @to_its_end
    async def answer(
        self,
        seat: Seat,
        verb: str,
        seen: SeenQuestion,
        meant: Callable[[Offer | None], Awaitable[Any]],
        interaction_id: int | None,
    ) -> int:
        """Make the move of the seat's offer with this verb, when its turn in the queue comes. Returns its number among
        the seat's own acts.

        `seen` is the question that the player saw; an offer that outlasts its question may be taken later. `meant`
        makes the action from the offer: an open one, a closed one that may still be tried, or None. Raises AlreadyMade
        with what was made if the press repeats an unconfirmed act (decision 19), StandInPlays while a computer plays
        the seat on, what `meant` raises, and as `act` does.
        """
        async with self._queue:
            if self.has_stand_in(seat):
                raise refusals.StandInPlays
            offer = self.offer(seat, verb)
            lasting = isinstance(offer, Act) and offer.lasting
            counted = seen.acts is not None
            if seen.acts is not None:
                self.own_acts.saw(seat, seen.acts)
            try:
                await self.check_open(None if lasting else seen.window, interaction_id)
                action = await meant(offer)
            except refusals.Refused as refused:
                if not _on_hold(refused):
                    await self._refuse_repeated(
                        seat, lambda made: made.verb == verb if counted else made.window == seen.window
                    )
                raise
            if counted:
                await self._refuse_repeated(seat, lambda made: made.action == action)
            else:
                await self._refuse_last_repeated(seat, self.window_number, action)
            return await self._make(seat, action, interaction_id)

    @to_its_end
    async def run_out(self, timer: matches.TimerRow, *could_not: matches.Unrated) -> bool:
        """Let the time of a deadline run out, unless the deadline is no longer the match's.

        Where the match has a stand-in, a computer takes over the seats that would lose by it (C-8). `could_not` says
        who could not act: the first who loses by it now is why the match does not count. Returns whether the time ran
        out. Raises as `act`.
        """
        async with self._queue:
            if timer not in self._position.timers:
                return False
            await self.check_open(None, None)
            losers = self.losers_by(timer) if could_not else ()
            unrated = next((each for each in could_not if each.seat in losers), None)
            held = self.stand_ins_after(timer)
            if held:
                again = self._with_stops(self._timers(self._position.window, self._now(), ()))
                whole = {(each.name, each.key): each for each in again}
                timers = tuple(
                    whole.get((each.name, each.key), each) if each == timer else each for each in self._position.timers
                )
                await self._make(None, self.who_plays.hand_over(held), None, unrated=unrated, timers=timers)
            else:
                unrated = unrated or self.hardly_begun(timer)
                await self._make(None, self.time_up(timer), None, unrated=unrated)
            return True

    # ------------------------------------------------------------------------------------ newcomers who read

    @to_its_end
    async def begin_reading(self, seat: Seat) -> bool:
        """Have the clock of a newcomer wait, who reads and whom the match waits for: once a match (C-13). Returns
        whether it waits because of this. Raises Unsaved and StoreError."""
        async with self._queue:
            own = self._question_timer()
            if own is None or seat not in self.newcomers or seat not in self.awaited or self.reads_until(seat):
                return False
            await self._read(seat, self._now() + 1000 * READING, own[0], 1000 * READING)
            return True

    @to_its_end
    async def end_reading(self, seat: Seat) -> bool:
        """Have the clock of a newcomer go on with what was left of it. Returns whether it waited. Raises Unsaved and
        StoreError."""
        async with self._queue:
            now, own = self._now(), self._question_timer()
            left = (self.reads_until(seat) or now) - now
            if self.over or left <= 0:
                return False
            await self._read(seat, now, own[0] if own is not None and seat in self.awaited else None, -left)
            return True

    async def _read(self, seat: Seat, until: int, own: matches.TimerRow | None, longer: int) -> None:
        """Record until when a newcomer reads, and move the deadline that waits for them by `longer` (ms)."""
        timers = tuple(
            replace(timer, deadline=timer.deadline + longer) if timer == own else timer
            for timer in self._position.timers
        )
        await refusals.translate_errors(self._store.set_reading(self.id, seat, until, timers))
        each = zip(self.newcomers, self._row.reads_until, strict=True)
        self._row = replace(self._row, reads_until=tuple([until if new == seat else read for new, read in each]))
        self._position = replace(self._position, timers=timers)

    # ------------------------------------------------------------------------------------ seats held by computers

    @to_its_end
    async def let_play(self, seat: Seat, interaction_id: int) -> bool:
        """Let a computer play a seat on, because its player asked for it (C-8). Returns False if one does already.

        Raises Refused if the match has no stand-in, the seat is out or was just taken back, or nobody else would be
        left who plays; and as `act` does.
        """
        async with self._queue:
            await self.check_open(None, interaction_id)
            if self.has_stand_in(seat):
                return False
            if self.stand_in is StandIn.OFF or not self.is_in(seat):
                raise refusals.Refused("press.not_offered")
            if not self.holders.may_be_taken_over(seat):
                raise refusals.Refused("stand_in.just_back")
            if not self.can_have_stand_in(seat):
                raise refusals.Refused("stand_in.nobody_left")
            await self._make(seat, self.who_plays.hand_over((seat,)), interaction_id)
            return True

    @to_its_end
    async def take_back(self, seat: Seat, interaction_id: int) -> bool:
        """Give a seat back to its player, who asked for it (C-8). Returns False if no computer plays it.

        Raises as `act` does.
        """
        async with self._queue:
            await self.check_open(None, interaction_id)
            if not self.has_stand_in(seat):
                return False
            await self._make(seat, TakenBack(), interaction_id)
            return True

    async def _refuse_last_repeated(self, seat: Seat, window: int, action: Any) -> None:
        """Raise AlreadyMade if the seat's last act is unconfirmed, answered this question, and is the same."""
        last = self.own_acts.count(seat)
        if last in self.own_acts.unconfirmed(seat):
            known = self.own_acts.last_action(seat)
            if known is not None and (not known or self._codec.decode(known) != action):
                return  # it repeats nothing, and the log need not be read and folded to find that out
            same = (last, window, action)
            await self._refuse_repeated(seat, lambda made: (made.number, made.window, made.action) == same)

    async def _refuse_repeated(self, seat: Seat, same: Callable[[MadeAct], bool]) -> None:
        """Raise AlreadyMade if an unconfirmed act of a seat is the same as what was pressed."""
        unconfirmed = self.own_acts.unconfirmed(seat)
        if not unconfirmed:
            return
        records = await self._records()
        start = self.game.start(self.options, len(self.seats))
        wanted = unconfirmed.__contains__
        made = tuple(filter(same, made_acts(self.game, start, self._codec, records, seat=seat, wanted=wanted)))
        if made:
            raise refusals.AlreadyMade(made)

    async def _make(
        self,
        actor: Seat | None,
        action: Any,
        interaction_id: int | None,
        *,
        unrated: matches.Unrated | None = None,
        computer: str | None = None,
        timers: tuple[matches.TimerRow, ...] | None = None,
    ) -> int:
        """Make a move in order: judge it, commit it, then replace the old value by the new one. `timers` are the
        deadlines that run, if they are others than before."""
        events, state = await self._decide(actor, action)
        now, at, acts, holders = self._now(), self._logged_now(), self._position.acts + 1, self.holders
        if self.stand_in is not StandIn.OFF:
            holders = holders.after(acts, actor, action, computer=computer is not None)
        running = later(self._position.timers if timers is None else timers, -self._stands(self._position.window, now))
        banks = self._banks_after(actor, action, state, holders, now, at)
        if banks is not None:
            running = self._lasting(running, self.game.window(state), banks)
        position = self._position_of(state, acts, now, running, actor, banks)
        position = replace(position, timers=later(position.timers, self._stands(position.window, now)))
        encoded = self._codec.encode(action), self._codec.encode_all(events)
        record = matches.Record(self.id, acts, interaction_id, actor, *encoded, at, computer=computer)
        row = replace(self._row, unrated=self._row.unrated or unrated)
        if banks is not None:
            row = replace(row, bank_left=banks.left)
        result = self._result_of(row, position, at, holders)
        whole = [*await self._records(), record] if result is not None else []
        if result is not None:
            result = replace(result, unaware=self._unaware(actor))
            result = replace(result, attendances=self._attendances(row, whole, result))
        changed = {} if banks is None or self.banks is None else banks.differing(self.banks)
        effects = await self._write(self._store.append(record, position.timers, result, unrated, changed))
        self._row = row
        asks = position.window_number != self.window_number
        self._position, self._holders = position, holders
        self._note_act(position.acts, actor, now)
        if actor is not None:
            kind: type = type(action)
            moved = is_move(kind, self.game.info.preparations)
            self._moved = self._moved or moved
            self._moves += moved and not isinstance(action, Resign)
        self._last_facts.add(events, asks=asks)
        if asks:
            self._asked_at = now
        self._logged_at = at
        self._chain = verification.link_of(self._chain, record)
        if result is not None:
            self._set_result(result, whole)
        self._effects = effects
        if actor is None:
            return 0
        return self.own_acts.add(actor, confirmed=computer is not None or isinstance(action, HAND_OVERS))

    def _banks_after(  # noqa: PLR0917  an act, and what it leads to
        self, actor: Seat | None, action: Any, state: Any, holders: SeatHolders, now: int, at: int
    ) -> Banks | None:
        """The banks after an act, which is logged at a time (ms UTC); None on a clock without banks."""
        banks, asked = self.banks, self._position.window
        if banks is None or asked is None:
            return banks
        days = at // DAY - self._logged_at // DAY
        after = banks.after(asked, self.game.window(state), actor, action, self._used(now), days)
        return self._banks_of(after.left, holders)

    def _attendances(
        self, row: matches.MatchRow, records: Sequence[matches.Record], result: matches.Result
    ) -> tuple[Attendance, ...]:
        """How the players attended the match, which ended with these records.

        If a rule fails at that, nothing is kept, and the match ends all the same.
        """
        try:
            return attendances(row, records, result)
        except Exception as error:  # noqa: BLE001  whatever it is, no match may fail to end for it
            logs.log_error(error, "finding who stayed to the end", self._telemetry, match_id=self.id)
            return ()

    async def _records(self) -> list[matches.Record]:
        """The log so far. Raises Unsaved."""
        return await refusals.translate_errors(self._store.records(self.id))

    @to_its_end
    async def call_off(self, seat: Seat, interaction_id: int) -> bool:
        """Agree to call the match off, or call it off if C-6 lets one player do so.

        One player may if the match waits for others and half of their first time has passed. Computers agree to it.
        Returns whether it is now called off. Raises Refused if somebody has already moved, and as `act` does.
        """
        async with self._queue:
            await self.check_open(None, interaction_id)
            if not self.has_clock:
                raise refusals.Refused("daily.no_calloff" if self.day is not None else "practice.no_calloff")
            if not self.can_call_off:
                raise refusals.Refused("calloff.moved")
            agreed = {*self.agreed, seat}
            now = self._now()
            alone = self.others_are_awaited(seat) and self._half_first_time_passed(now)
            if len(agreed) < len(people(self.seats)) and not alone:
                await self._write(self._store.agree_to_call_off(self.id, seat))
                self._row = replace(self._row, agreed=tuple(sorted(agreed)))
                return False
            await self._end("called_off", now, interaction_id)
            return True

    @to_its_end
    async def end_held(self) -> bool:
        """Call the match off, if a moderator holds it. Returns whether this did it. Raises Unsaved."""
        async with self._queue:
            if self.over or self.suspended is not matches.Suspension.MODERATED:
                return False
            await self._end("moderated", self._now())
            return True

    @to_its_end
    async def end_alone(self, asked_at: int) -> bool:
        """End a match without a clock without a winner: an attempt at a deal of the day because its day is over,
        another one because nothing has happened since the question that was asked at `asked_at`.

        Returns whether this did it. Raises Unsaved.
        """
        async with self._queue:
            if self.over or self.has_clock or (self.day is None and self.asked_at != asked_at):
                return False
            await self._end("idle" if self.day is None else "day_over", self._now())
            return True

    @to_its_end
    async def show(self, channel_id: int, interaction_id: int) -> bool:
        """Have practice on a board in a channel from now on, so that everybody there may follow it. Returns whether
        this did it. Raises Refused if it is no practice or is over, and Unsaved."""
        async with self._queue:
            await self.check_open(None, interaction_id)
            if not self._row.is_practice:
                raise refusals.Refused("press.not_offered")
            if self.has_board:
                return False
            await refusals.translate_errors(self._store.show_match(self.id, channel_id))
            self._row = replace(self._row, on_board=True, channel_id=channel_id)
            self._position = replace(self._position)  # hands are remembered with their position
            return True

    async def check_open(self, window: int | None, interaction_id: int | None, *, leaving: bool = False) -> None:
        """Raise the reason why a press on this question (None: any) cannot be applied: Suspended, MatchFailed,
        StaleQuestion, AlreadyMade, or Refused if the match is over."""
        if self.suspended is not None and not leaving:
            raise refusals.Suspended(self.suspended)
        if self.failed is not None:
            raise refusals.MatchFailed(self.failed)
        if not self.over and interaction_id is not None and self._day_is_over():
            raise refusals.Refused("daily.over")
        if not self.over and window in (None, self.window_number):
            return
        if interaction_id is not None and await self._store.match_of_interaction(interaction_id) is not None:
            raise refusals.AlreadyMade
        raise refusals.Refused("refusal.match_over") if self.over else refusals.StaleQuestion

    def _day_is_over(self) -> bool:
        """Whether others may see the cards by now, though nobody could end the match yet."""
        return self.day is not None and self._now() >= ends_at(self.day) + GRACE

    async def _end(self, kind: str, at: int, interaction_id: int | None = None) -> None:
        """End the match without a winner, and without a move. Raises AlreadyMade and Unsaved."""
        at = max(at, self._logged_at)
        result, records = matches.Result(self.id, kind, (), at, counted=False), await self._records()
        await self._write(self._store.end_match(result, interaction_id))
        self._set_result(result, records)

    def _set_result(self, result: matches.Result, records: Sequence[matches.Record]) -> None:
        """End with a result, and with the whole log, which the result's screens need."""
        try:
            self._events = self._facts_of(records)
        except CodecError as error:  # a match must not fail to end for it
            logs.log_error(error, "reading the log of an ended match", self._telemetry, match_id=self.id)
        self._result = result
        self._row = replace(self._row, suspended_why=None, suspended_at=None)

    async def _decide(self, actor: Seat | None, action: Any) -> tuple[tuple[Event, ...], Any]:
        if isinstance(action, HAND_OVERS):  # nothing at the table changes (C-8)
            return (), self._position.state
        try:
            return self._judged(actor, action)
        except IllegalAction:
            raise
        except Exception as error:  # noqa: BLE001  a faulty rule stops only its own match
            number = logs.log_error(error, f"a rule of {self.game.info.key}", self._telemetry, match_id=self.id)
        await refusals.translate_errors(self._store.set_paused(self.id, number))  # or the next act fails again
        self._row = replace(self._row, paused=number)
        raise refusals.MatchFailed(number)

    async def try_again(self) -> None:
        """Continue a match in which a rule failed, because the rule may have been fixed since. Raises StoreError."""
        async with self._queue:
            self._row = replace(self._row, paused=None)
            await self._store.set_paused(self.id, None)

    async def _write(self, writing: Awaitable[T]) -> T:
        try:
            return await refusals.translate_errors(writing)
        except DuplicateInteraction:
            raise refusals.AlreadyMade from None

    # ------------------------------------------------------------------------------------ its venue

    @to_its_end
    async def place_board(self, channel_id: int, board_id: int) -> bool:
        """Record that a board was posted in a channel. Returns False if the match has meanwhile moved to another.

        Raises StoreError if it could not be saved. The board exists anyway, so it is recorded here in any case.
        """
        async with self._queue:
            if channel_id != self.channel_id:
                return False
            now = self._now()
            self._row = replace(self._row, board_id=board_id, board_at=now)
            await self._store.set_board(self.id, channel_id, board_id, now)
            return True

    @to_its_end
    async def suspend(
        self,
        why: matches.Suspension,
        channel_id: int | None = None,
        stopped_at: Callable[[], int] | None = None,
    ) -> bool:
        """Suspend the match and stop its clocks. Like a move, this waits in the queue for a move under way.

        A match that loses its venue by the same cause more than `MOST_LOSSES` times during one question is called off
        instead, unless it gave its place to others. One that a moderator holds stays held, whatever becomes of its
        venue. `channel_id` is the lost venue, because the match may be elsewhere by now; None if that does not matter.
        `stopped_at` says when its clocks stopped; None for now. Returns whether anything changed. Raises Unsaved; the
        match then continues.
        """
        async with self._queue:
            known = why in {self.suspended, self.held_up}
            if self.over or known or channel_id not in {None, self.channel_id}:
                return False
            if self.suspended is not None and why not in OVERRIDING:
                return False
            now = self._now()
            lost = self._lost_again(why, now if stopped_at is None else stopped_at())
            if why not in NO_LOSSES and lost.causes.count(why) > MOST_LOSSES:
                await self._end("lost_place", now)
                return True
            held = matches.Suspension.MODERATED in {why, self.suspended}
            suspended_at = now if why is matches.Suspension.MODERATED else self._row.suspended_at or now
            why = matches.Suspension.MODERATED if held else why
            await refusals.translate_errors(self._store.suspend_match(self.id, now, why, lost))
            self._row = replace(self._row, suspended_why=why, suspended_at=suspended_at, lost_places=lost)
            self._position = replace(self._position, timers=())
            self._agreed_to_resume = None
            return True

    def _lost_again(self, why: matches.Suspension, at: int) -> matches.LostVenues:
        """What is known of the question's lost venues once this one is counted. The clocks stopped at `at`."""
        lost, window = self._row.lost_places, self.window_number
        if self.suspended is not None and why is matches.Suspension.MODERATED:
            return lost
        if self.suspended is not None:  # still the same loss, with another cause
            return replace(lost, causes=(*lost.causes[:-1], why))
        causes, stands = lost.causes if lost.window == window else (), self._stands(self._position.window, at)
        left = tuple(
            matches.TimeLeft(timer.name, timer.key, max(0, timer.deadline + self._unseen() - at - stands))
            for timer in self._position.timers
        )
        return matches.LostVenues(window, (*causes, why), left)

    @to_its_end
    async def resume(
        self, channel_id: int, seat: Seat, obstacles: Mapping[Seat, matches.Obstacle]
    ) -> BoardLocation | None:
        """Continue in a channel, because the player on a seat pressed there. `obstacles` is what keeps seats from
        playing there.

        Each clock goes on with what was left of it and a grace (`resume_grace`), but never more than its whole length.
        Returns where the match was played before, or None if it is not (or no longer) suspended. Raises Suspended if a
        moderator holds it, NotAllCanPlay and Unsaved; then the match stays suspended.
        """
        async with self._queue:
            if self.over or self.suspended is None:
                return None
            if self.suspended is matches.Suspension.MODERATED:
                raise refusals.Suspended(self.suspended)
            self._agreed_to_resume = self._agreed_to_resume or {}
            agreed = self._agreed_to_resume.setdefault(channel_id, set())
            agreed.add(seat)
            check_all_can_play(agreed, {other: what for other, what in obstacles.items() if self.is_in(other)})
            now = self._now()
            timers = self._resumed_timers(now)
            await refusals.translate_errors(self._store.resume_match(self.id, channel_id, timers))
            gone = self.suspended is matches.Suspension.CHANNEL_GONE  # and the board with its channel
            former = BoardLocation(self.channel_id, None if gone else self.board_id)
            there = replace(self._row, channel_id=channel_id, board_id=None, board_at=None)
            self._row = replace(there, suspended_why=None, suspended_at=None)
            self._asked_at, self._shown = now, None
            self._position = replace(self._position, timers=timers)
            self._agreed_to_resume = None
            return former

    @to_its_end
    async def release(self) -> bool:
        """Have the match go on that a moderator holds: where it was, with its clocks as after `resume`, or on hold as
        it would be without that. Returns whether it was held. Raises Unsaved; then it still is.
        """
        async with self._queue:
            if self.over or self.suspended is not matches.Suspension.MODERATED:
                return False
            now, lost = self._now(), self._row.lost_places
            if self.held_up is not None:
                await refusals.translate_errors(self._store.suspend_match(self.id, now, self.held_up, lost))
                self._row = replace(self._row, suspended_why=self.held_up)
                return True
            timers, lost = self._resumed_timers(now), replace(lost, causes=lost.causes[:-1])
            await refusals.translate_errors(self._store.release_match(self.id, timers, lost))
            self._row = replace(self._row, suspended_why=None, suspended_at=None, lost_places=lost)
            self._asked_at, self._shown = now, None
            self._position = replace(self._position, timers=timers)
            return True

    def _resumed_timers(self, now: int) -> tuple[matches.TimerRow, ...]:
        lost = self._row.lost_places
        left = {(each.name, each.key): each.left for each in lost.left} if lost.window == self.window_number else {}
        whole = {(timer.name, timer.key): timer for timer in self._timers(self._position.window, now, ())}
        for key in whole.keys() & left.keys():
            length = whole[key].deadline - now
            grace = 1000 * resume_grace(length // 1000)
            whole[key] = replace(whole[key], deadline=now + min(length, left[key] + grace))
        return self._with_stops(whole.values())

    @to_its_end
    async def lapse(self, before: int) -> bool:
        """Call the match off if it was suspended at `before` or earlier. Returns whether it was.

        It has no running clock, so nothing else would ever end it. Raises Unsaved.
        """
        async with self._queue:
            if self.over or self._row.suspended_at is None or self._row.suspended_at > before:
                return False
            await self._end("lapsed", self._now())
            return True


def _on_hold(refused: refusals.Refused | IllegalAction) -> bool:
    """Whether a press was refused because of the match's state, whatever was pressed, or because of the store."""
    return isinstance(refused, refusals.Suspended | refusals.MatchFailed | refusals.Unsaved | refusals.AlreadyMade)
