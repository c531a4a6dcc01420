"""The state of a match at one moment: its position, its result, and what may be seen of it.

Nothing in this module waits or writes. `bot.play.live_match` changes a match from one moment to the next.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any, Final, TypeAlias

from bot.games import GAMES
from bot.play.clocks.banks import Banks
from bot.play.computers.stand_ins import HAND_OVERS, SeatHolders, WhoPlays
from bot.play.counting import LEFT, Ending, result_of
from bot.play.deals.sealing import chances_of
from bot.play.facts.last_facts import LastFacts
from bot.play.facts.replayed_log import joined
from bot.play.first_matches import EARLY, LONGER
from bot.play.match_row import MatchOfRow
from bot.play.own_acts import OwnActs
from bot.store.codec import Codec
from bot.store.queries.invitations import StandIn
from bot.store.queries.matches import MatchRow, Obstacle, Record, Result, TimerRow, Unrated
from bot.store.queries.standings import ResultEffects
from bot.store.special_ids import is_computer, level_of
from bot.time_controls import TimeControl, time_control
from engines.chance import Chance
from engines.game import (
    Act,
    AnyGame,
    Choices,
    Event,
    Outcome,
    Pick,
    Private,
    Resign,
    Seat,
    Timer,
    TimeUp,
    Turn,
    Window,
    can_resign,
    fold,
    put_out,
)
from engines.players.levels import RACERS
from engines.players.question import Question, luck_of, question_for
from engines.players.review import PERSON, LoggedAct, ReviewRequest, luck_of_review

Offer: TypeAlias = Act[Any] | Pick[Any]


LATEST: Final = 16
"""How many of the latest acts a race keeps the times of."""


@cache
def codec(key: str) -> Codec:
    """The codec of everything that a game stores."""
    info = GAMES[key].info
    return Codec([*info.actions, *info.events, info.options, TimeUp, Resign, *HAND_OVERS], info.upcasters)


def read_facts(game: str, records: Sequence[Record]) -> tuple[Event, ...] | None:
    """All facts of these records, in their order; None if they can't be read."""
    try:
        return tuple([fact for record in records for fact in codec(game).decode_all(record.events)])
    except Exception:  # noqa: BLE001  an altered log may hold anything
        return None


@lru_cache(maxsize=256)
def read_options(written: Codec, text: str) -> Any:
    """The options of a match from their text. Most matches have the same, and share them. Raises CodecError."""
    return written.decode(text)


@dataclass(frozen=True, slots=True)
class Position:
    """The position of a match, replaced as one value: the state, how many acts led to it, its question and
    deadlines."""

    state: Any
    acts: int
    window: Window | None
    outcome: Outcome | None
    timers: tuple[TimerRow, ...]

    @property
    def window_number(self) -> int:
        """The number of the open question; 0 if there is none."""
        return self.window.number if self.window else 0


class MatchState(MatchOfRow):
    """A match's row, position, facts and result. All times are in ms UTC."""

    __slots__ = (
        "_came",
        "_chain",
        "_effects",
        "_events",
        "_hands_seen",
        "_holders",
        "_last_facts",
        "_latest_acts",
        "_moved",
        "_moves",
        "_pack_id",
        "_position",
        "_result",
        "_sat_early",
        "game",
        "options",
        "own_acts",
        "time_control",
    )

    def __init__(self, row: MatchRow) -> None:
        super().__init__(row)
        self.game: AnyGame = GAMES[row.game]
        self.options = read_options(codec(row.game), row.options)
        self.time_control: TimeControl = time_control(row.clock)
        self._position: Position
        self._last_facts = LastFacts(len(row.seats))
        self._events: tuple[Event, ...] = ()
        self._chain = b""
        self._result: Result | None = None
        self._effects: ResultEffects | None = None
        self._latest_acts: tuple[tuple[int, Seat | None, int], ...] = ()
        self._moved = False
        self._moves = 0
        self._holders = SeatHolders.of(row, (), codec(row.game))
        self.own_acts = OwnActs(len(row.seats))
        self._hands_seen: tuple[Seat, ...] = ()
        self._came: tuple[Seat, ...] = ()
        self._sat_early: Collection[Seat] | None = None
        self._pack_id = self.game.pack(self.options, len(row.seats)).pack_id

    # ------------------------------------------------------------------------------------ where it is

    @property
    def secret(self) -> bool:
        """Whether nobody may be shown what others hold or held."""
        return not self.over

    @property
    def chain(self) -> str:
        """The last value of the log's hash chain (`bot.store.verification`), as 64 hexadecimal digits."""
        return self._chain.hex()

    @property
    def position(self) -> Position:
        """The current position."""
        return self._position

    @property
    def latest_acts(self) -> Sequence[tuple[int, Seat | None, int]]:
        """The last few acts that this process has made, oldest first: their number, actor and time (ms UTC).

        There are none but in a race with computers.
        """
        return self._latest_acts

    @property
    def events(self) -> Sequence[Event]:
        """All facts, oldest first, of a match that is over.

        Raises RuntimeError while it is played: then they are read from the store (`LiveMatch.read_events`).
        """
        if not self.over:
            raise RuntimeError("a match that is played does not keep its log")
        return self._events

    def last_facts(self, *, before_question: bool = False) -> Sequence[Event]:
        """The last facts, oldest first: those that somebody's lines need. If asked for, only of those that came before
        the open question."""
        return self._last_facts.before_question if before_question else self._last_facts.all

    @property
    def result(self) -> Result | None:
        """How it ended; None while it is played."""
        return self._result

    @property
    def effects(self) -> ResultEffects | None:
        """What its counted result did; None if it does not count, and if that was not read again (`note_effects`)."""
        return self._effects

    def note_effects(self, effects: ResultEffects | None) -> None:
        """Record what the result of a match that was read again had done."""
        self._effects = effects

    @property
    def over(self) -> bool:
        """Whether there is a result."""
        return self._result is not None

    @property
    def moves(self) -> int:
        """How many moves its players have made: acts that are no preparations, without leaving and the clock's."""
        return self._moves

    @property
    def can_call_off(self) -> bool:
        """Whether no player has made a move yet, so that the match may still be called off (C-6)."""
        return not self.over and not self._moved and self.has_clock

    def others_are_awaited(self, seat: Seat) -> bool:
        """Whether the match waits for somebody, and not for this seat: only then may its player call it off alone
        (C-6). If the player to move could, they could throw away a bad hand."""
        return bool(self.awaited) and seat not in self.awaited

    @property
    def holders(self) -> SeatHolders:
        """Who plays each seat, in a match with a stand-in."""
        return self._holders

    @property
    def who_plays(self) -> WhoPlays:
        """Who plays at its table, and who may be taken over."""
        return WhoPlays(self.seats, self.stand_in, self.holders, self.is_in)

    def has_stand_in(self, seat: Seat) -> bool:
        """Whether a computer plays a person's seat on (C-8)."""
        return self.who_plays.has_stand_in(seat)

    def has_computer(self, seat: Seat) -> bool:
        """Whether a computer plays a seat: as its own, or on for a person."""
        return self.who_plays.has_computer(seat)

    def acting_level(self, seat: Seat) -> str | None:
        """The level of the computer that acts for a seat (`WhoPlays.acting_level`); None if none does, or if nobody
        may act for a person now."""
        return None if self.inactive and self.has_stand_in(seat) else self.who_plays.acting_level(seat)

    @property
    def left_to_computers(self) -> bool:
        """Whether all who are still in are computers with seats of their own: the last person has left."""
        return all(is_computer(user) for seat, user in enumerate(self.seats) if self.is_in(seat))

    def can_have_stand_in(self, seat: Seat) -> bool:
        """Whether a computer may take a seat over now: somebody else must be left who plays (C-8)."""
        return bool(self.who_plays.taken_over((seat,)))

    def stand_ins_after(self, timer: TimerRow) -> tuple[Seat, ...]:
        """The seats that a computer plays on if this deadline runs out now. If there are none, C-5 applies."""
        return () if self.stand_in is StandIn.OFF else self.who_plays.taken_over(self.losers_by(timer))

    def is_in(self, seat: Seat) -> bool:
        """Whether a seat still plays: it has neither resigned nor been put out, and the match is not over."""
        return not self.over and self._can_resign(self._position.state, seat)

    def losers_by(self, timer: TimerRow) -> frozenset[Seat]:
        """The seats that lose if this deadline runs out now: not those for whom a default is played (C-5)."""
        act = self.time_up(timer)
        try:
            _, state = self._judged(None, act)
        except Exception:  # noqa: BLE001  the act itself will say what is wrong
            return frozenset()
        return put_out(self.game, state, frozenset(act.seats) or self.awaited, partial(self._can_resign, state))

    def time_up(self, timer: TimerRow) -> TimeUp:
        """The clock's act if this deadline runs out now: for the seats whose banks are empty then, or for all."""
        window, banks = self._position.window, self.banks
        bank = None if window is None or banks is None else banks.runs(window.timers)
        if window is None or banks is None or bank is None or (bank.name, bank.key) != (timer.name, timer.key):
            return TimeUp(timer.name, timer.key)
        return TimeUp(timer.name, timer.key, banks.late(window.awaited))

    def hardly_begun(self, timer: TimerRow) -> Unrated | None:
        """Why the match does not count if this deadline runs out now and a newcomer loses by it who has hardly begun
        (C-13); None if none does."""
        new = sorted(seat for seat in self.losers_by(timer) if seat in self.newcomers)
        early = [seat for seat in new if self.own_acts.count(seat) < EARLY]
        return Unrated(early[0], Obstacle.FIRST_MATCH) if early else None

    def _can_resign(self, state: Any, seat: Seat) -> bool:
        """Whether the rules let a seat resign: they do as long as it is in (C-4)."""
        try:
            return can_resign(self.game, state, lambda: self._chance(1 + self._own_acts_of(self._position)), seat)
        except Exception:  # noqa: BLE001  a rule that fails says nothing of the seat, and the act itself will say so
            return True

    @property
    def banks(self) -> Banks | None:
        """What the seats had left of their time when the open question began (C-15); None on a clock without banks."""
        return self._banks_of(self._row.bank_left, self.holders)

    def _banks_of(self, left: Sequence[int | None], holders: SeatHolders) -> Banks | None:
        clock = self.time_control
        if clock.bank is None or not self.has_clock:
            return None
        longer = () if clock.slow else self.newcomers  # C-13
        whole = [1000 * (clock.turn + (LONGER if seat in longer else 0)) for seat in range(len(self.seats))]
        rests = [full if rest is None else rest for full, rest in zip(whole, left or whole, strict=True)]
        computers = {seat for seat, user in enumerate(self.seats) if is_computer(user)}
        played_on = {seat for seat, holder in enumerate(holders.seats) if holder.level is not None}
        return Banks(clock, tuple(rests), frozenset(computers | played_on), each=self.game.info.seat_time)

    @property
    def first_seat(self) -> Seat | None:
        """The seat that acted first; None in a race."""
        return self._chance(0).first_seat(len(self.seats)) if self.game.info.turn_clock else None

    @property
    def window_number(self) -> int:
        """The number of the open question; 0 if there is none."""
        return self._position.window_number

    @property
    def awaited(self) -> frozenset[Seat]:
        """The seats that the match waits for; none if it is over or on hold."""
        window = self._position.window
        return window.awaited if window and not self.over and not self.inactive else frozenset()

    def public(self) -> Any:
        """What the public may know."""
        return self.game.observe_public(self._position.state)

    def private(self, seat: Seat) -> Private[Any, Any]:
        """What this seat may know."""
        return self.game.observe(self._position.state, seat)

    def earlier(self, facts: int, seat: Seat) -> tuple[Choices[Any], Private[Any, Any]]:
        """What a seat could do, and what it knew, after this many of the match's first facts.

        Raises RuntimeError while it is `secret`: only after that everything is open.
        """
        if self.secret:
            raise RuntimeError("what players held is secret until the match is over")
        state = fold(self.game, self.game.start(self.options, len(self.seats)), self._events[:facts])
        return self.game.choices(state, seat), self.game.observe(state, seat)

    def choices(self, seat: Seat) -> Choices[Any]:
        """What this seat may do now; nothing if the match is over or on hold."""
        if self.over or self.inactive:
            return Choices()
        return self.game.choices(self._position.state, seat)

    def offer(self, seat: Seat, verb: str) -> Offer | None:
        """A seat's offer with a verb: an open one, or a closed one that may still be tried."""
        choices = self.choices(seat)
        closed = choices.find_closed(verb)
        return choices.find(verb) if closed is None else closed.act

    def question(
        self, seat: Seat, level: str, rollouts: int, events: Iterable[Event], position: Position | None = None
    ) -> Question:
        """What a computer player of this level is asked that plays a seat: with no more than the seat may know.

        It is asked about the present position, or about an earlier one. `events` are all facts that led to it. Its luck
        comes from the match's id; in a deal of the day from the deal's, so that equal play meets equal play in all
        attempts.
        """
        position = self._position if position is None else position
        return question_for(
            self.game,
            position.state,
            events,
            seat,
            options=self.options,
            seats=len(self.seats),
            level=level,
            luck=luck_of(self.id if self.day is None else self.deal_id, 1 + self._own_acts_of(position), seat),
            rollouts=rollouts,
        )

    def review_request(self, records: Sequence[Record]) -> ReviewRequest:
        """What is asked of a review of this match, from its whole log.

        Raises RuntimeError while it is `secret`: what moves are worth gives hands away.
        """
        if self.secret:
            raise RuntimeError("what moves were worth is secret until the match is over")
        opening, *rest = records
        acts = [
            LoggedAct(
                record.actor,
                self.game.write(self._codec.decode(record.action or "")),
                self._codec.decode_all(record.events),
            )
            for record in rest
        ]
        return ReviewRequest(
            self.game.info.key,
            self.options,
            len(self.seats),
            self._codec.decode_all(opening.events),
            tuple(acts),
            luck_of_review(self.id),
            players=tuple([level_of(user) if is_computer(user) else PERSON for user in self.seats]),
        )

    # ------------------------------------------------------------------------------------ working out

    def _facts_of(self, records: Iterable[Record]) -> tuple[Event, ...]:
        """The facts of these records. Raises CodecError."""
        return joined([self._codec.decode_all(record.events) for record in records])

    def _note_act(self, acts: int, actor: Seat | None, now: int) -> None:
        """Record when an act was made, if computers race with people here."""
        if self.game.info.key in RACERS and any(map(is_computer, self.seats)):
            self._latest_acts = (*self._latest_acts[1 - LATEST :], (acts, actor, now))

    def _judged(self, actor: Seat | None, action: Any) -> tuple[tuple[Event, ...], Any]:
        """The facts that follow from an act, and the state after them. Raises what the rules raise."""
        state = self._position.state
        facts = self.game.decide(state, actor, action, self._chance(1 + self._own_acts_of(self._position)))
        return tuple(facts), facts.state

    def _position_of(  # noqa: PLR0917  what an act leads to
        self,
        state: Any,
        acts: int,
        now: int,
        running: Sequence[TimerRow],
        actor: Seat | None = None,
        banks: Banks | None = None,
    ) -> Position:
        """The position that acts have led to, of which `actor` made the last one. `banks` are those after it."""
        window = self.game.window(state)
        timers = self._timers(window, now, running, actor, banks) if self.suspended is None else ()
        return Position(state, acts, window, self.game.outcome(state), timers)

    def first_turns(self, window: Window | None, actor: Seat | None = None) -> tuple[Seat, ...]:
        """The newcomers for whom a question is the first, so that its turn is longer (C-13): none in slow play. `actor`
        is who has just acted."""
        if window is None or self.time_control.slow:
            return ()
        new = (seat for seat in self.newcomers if seat in window.awaited and seat != actor)
        return tuple([seat for seat in new if not self.own_acts.count(seat)])

    def _length(self, timer: Timer, window: Window, actor: Seat | None = None, banks: Banks | None = None) -> int:
        """How long a timer of a question runs in all, in ms."""
        banks = self.banks if banks is None else banks
        if banks is not None and timer == banks.runs(window.timers):
            return banks.lasts(window.awaited)
        longer = LONGER if isinstance(timer.length, Turn) and self.first_turns(window, actor) else 0
        return 1000 * (self.time_control.length(timer.length) + longer)

    def _timers(
        self,
        window: Window | None,
        now: int,
        running: Sequence[TimerRow],
        actor: Seat | None = None,
        banks: Banks | None = None,
    ) -> tuple[TimerRow, ...]:
        """The deadlines of a question: running ones continue, new ones begin. Without a clock there are none. `actor`
        is who has just acted."""
        if not self.has_clock or window is None:
            return ()
        kept = {(timer.name, timer.key): timer for timer in running}
        return tuple(
            kept.get((timer.name, timer.key))
            or TimerRow(self.id, timer.name, timer.key, now + self._length(timer, window, actor, banks))
            for timer in window.timers
        )

    def _result_of(self, row: MatchRow, position: Position, now: int, holders: SeatHolders) -> Result | None:
        outcome = position.outcome
        if outcome is None:
            return None
        knowing = {seat for seat in range(len(self.seats)) if seat in self._hands_seen or self.own_acts.count(seat)}
        acts = position.acts if self.stand_in is StandIn.OFF else holders.acts
        ranks, counted = result_of(row, self.game.info, Ending(outcome, holders, acts, frozenset(knowing)))
        return Result(self.id, outcome.kind, ranks, now, counted=counted)

    def note_sat_early(self, seats: Collection[Seat]) -> None:
        """Record which seats' players sat down some time before it began. A restart takes all for such."""
        self._sat_early = seats

    def note_came(self, seat: Seat) -> None:
        """Record that a seat's player has pressed something in the match."""
        if seat not in self._came:
            self._came += (seat,)

    def _unaware(self, actor: Seat | None) -> tuple[Seat, ...]:
        """The seats whose players sat down some time before it began and never came; `actor` acts just now."""
        early = range(len(self.seats)) if self._sat_early is None else self._sat_early
        came = {*self._came, *self._hands_seen, actor}
        return tuple(seat for seat in early if seat not in came and not self.own_acts.count(seat))

    def note_hand_seen(self, seat: Seat) -> None:
        """Record that a seat's player is shown their hand. A restart knows it of hands that are still open, and their
        first act says it too."""
        if seat not in self._hands_seen:
            self._hands_seen += (seat,)

    @property
    def counts_though_short(self) -> bool:
        """Whether it counts only because somebody left who had acted or seen their hand (C-10)."""
        result = self._result
        short = self._position.acts < self.game.info.shortest_counted
        return short and result is not None and result.counted and result.kind in LEFT

    @property
    def _codec(self) -> Codec:
        return codec(self.game.info.key)

    def _own_acts_of(self, position: Position) -> int:
        """How many of the game's own acts led to a position. Draws and luck go by their number, which no hand-over
        moves: otherwise one could be made until the next draw pleases somebody."""
        handed_over = 0 if self.stand_in is StandIn.OFF else self._position.acts - self._holders.acts
        return position.acts - handed_over

    def _chance(self, act: int) -> Chance:
        return chances_of(self._row, self._pack_id)(act)
