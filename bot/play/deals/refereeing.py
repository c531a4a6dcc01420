"""Judges what a log has beside its facts, as the bot judges it in play: who may act for a seat, hand-overs (C-8), and
time that runs out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from bot.play.clocks.banks import Banks
from bot.play.computers.stand_ins import Holder, SeatHolders, TakenBack, TakenOver, WhoPlays
from bot.scheduler import DAY
from bot.store.queries.invitations import StandIn
from bot.store.queries.matches import MatchRow, Record
from bot.store.special_ids import is_computer
from bot.time_controls import time_control
from engines.chance import Chance
from engines.game import AnyGame, Resign, Seat, Timer, TimeUp, Window, can_resign, put_out

Chances: TypeAlias = Callable[[], Chance]
"""Makes the chance of the game's next act. A rule that is only asked something uses one up."""


class Referee:
    """Follows a match's log record by record. Raises ValueError for a clock that there isn't."""

    def __init__(self, row: MatchRow, game: AnyGame) -> None:
        self._row = row
        self._game = game
        self._clock = time_control(row.clock)
        seats = range(len(row.seats))
        whole = (1000 * self._clock.turn,) * len(seats)
        computers = frozenset(seat for seat in seats if is_computer(row.seats[seat]))
        self._banks = Banks(self._clock, whole, computers, each=game.info.seat_time) if self._clock.bank else None
        self._asked: Window | None = None
        self._at = row.opened_at
        self._holders = SeatHolders((Holder(),) * len(row.seats))
        self._since: dict[tuple[str, str], int] = {}

    def allows(self, state: Any, record: Record, action: Any, chances: Chances) -> bool:
        """Whether the bot would have made a record here, apart from whether the rules take its act.

        `state` is the state before it. Raises what the rules raise.
        """
        playing = self._who_plays(state, chances)
        match action:
            case TakenOver(seats):
                return record.computer is None and action == self._hand_over(state, record, seats, chances)
            case TakenBack():
                return record.computer is None and record.actor is not None and playing.has_stand_in(record.actor)
            case TimeUp():
                timer = self._timer(state, action.timer, action.key)
                if timer is None or bool(action.seats) != self._is_of_seats(timer) or record.computer is not None:
                    return False
                return self._ran_out(timer, record.at, action.seats) and not self._taken(state, action, chances)
        return record.actor is None or self._acts_for(record.actor, record.computer, action, playing)

    def follow(self, after: Any, record: Record, action: Any) -> None:
        """Note a record that led to the state `after`."""
        if action is not None and self._row.stand_in is not StandIn.OFF:
            self._holders = self._holders.after(record.seq, record.actor, action, computer=record.computer is not None)
        window = self._game.window(after)
        if self._banks is not None and self._asked is not None:
            self._banks = self._banks_after(record, action, self._banks, self._asked, window)
        self._asked, self._at = window, record.at
        again = isinstance(action, TakenOver) and record.actor is None  # the question's whole time begins again
        since = {} if again else self._since
        timers = () if window is None else window.timers
        self._since = {(each.name, each.key): since.get((each.name, each.key), record.at) for each in timers}

    def _acts_for(self, actor: Seat, mark: str | None, action: Any, playing: WhoPlays) -> bool:
        """Whether somebody may make an act of a seat: the computer of this mark, or its player where there is none."""
        if mark is not None:
            level, _, version = mark.partition(" ")
            return bool(version) and level == playing.acting_level(actor)
        return not playing.has_computer(actor) or (playing.has_stand_in(actor) and isinstance(action, Resign))

    def _hand_over(self, state: Any, record: Record, seats: tuple[Seat, ...], chances: Chances) -> TakenOver | None:
        """The hand-over of these seats that may be made here; None if none may."""
        playing = self._who_plays(state, chances)
        if record.actor is not None:
            may = seats == (record.actor,) and playing.taken_over(seats) == seats
        else:
            window = self._game.window(state)
            timers = () if window is None else window.timers
            acts = [TimeUp(each.name, each.key, seats if self._is_of_seats(each) else ()) for each in timers if seats]
            late = [act for each, act in zip(timers, acts, strict=False) if self._ran_out(each, record.at, act.seats)]
            may = any(self._taken(state, act, chances) == seats for act in late)
        return playing.hand_over(seats) if may else None

    def _taken(self, state: Any, act: TimeUp, chances: Chances) -> tuple[Seat, ...]:
        """The seats that a computer takes over if time runs out."""
        if self._row.stand_in is StandIn.OFF:
            return ()
        after = self._game.decide(state, None, act, chances()).state
        window = self._game.window(state)
        late = frozenset(act.seats) or (frozenset[Seat]() if window is None else window.awaited)
        plays = partial(can_resign, self._game, after, chances)
        return self._who_plays(state, chances).taken_over(put_out(self._game, after, late, plays))

    def _who_plays(self, state: Any, chances: Chances) -> WhoPlays:
        def is_in(seat: Seat) -> bool:
            return self._game.outcome(state) is None and can_resign(self._game, state, chances, seat)

        return WhoPlays(self._row.seats, self._row.stand_in, self._holders, is_in)

    def _timer(self, state: Any, name: str, key: str) -> Timer | None:
        window = self._game.window(state)
        timers = () if window is None else window.timers
        return next((each for each in timers if (each.name, each.key) == (name, key)), None)

    def _is_of_seats(self, timer: Timer) -> bool:
        """Whether each seat has a time of its own for a timer. Then the clock's act names those whose time is up."""
        return self._banks is not None and self._banks.each and self._clock.runs_bank(timer.length)

    def _ran_out(self, timer: Timer, at: int, seats: tuple[Seat, ...]) -> bool:
        """Whether a timer's whole time has passed at a time (ms UTC), or what these seats had left of theirs."""
        if self._banks is None or self._asked is None or not self._clock.runs_bank(timer.length):
            lasts = 1000 * self._clock.length(timer.length)
        else:
            lasts = max(map(self._banks.of, seats or self._asked.awaited), default=self._banks.whole)
        return at >= self._since[timer.name, timer.key] + lasts

    def _banks_after(self, record: Record, action: Any, banks: Banks, asked: Window, then: Window | None) -> Banks:
        """The banks after a record, as far as its log tells: they may have had more, because a clock can stand."""
        bank = banks.runs(asked.timers)
        used = 0 if bank is None else record.at - self._since[bank.name, bank.key]
        days = record.at // DAY - self._at // DAY
        after = banks.after(asked, then, record.actor, action, used, days)
        match action:
            case TakenOver(seats):
                return replace(after, by_computers=after.by_computers.union(seats))
            case TakenBack():
                return replace(after, by_computers=after.by_computers - {record.actor})
        return after
