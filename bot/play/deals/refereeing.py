"""Judges what a log has beside its facts, as the bot judges it in play: who may act for a seat, hand-overs (C-8), and
time that runs out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from bot.play.computers.stand_ins import Holder, SeatHolders, TakenBack, TakenOver, WhoPlays
from bot.play.match_state import can_resign, put_out
from bot.store.queries.invitations import StandIn
from bot.store.queries.matches import MatchRow, Record
from bot.time_controls import time_control
from engines.chance import Chance
from engines.game import AnyGame, Resign, Seat, Timer, TimeUp

Chances: TypeAlias = Callable[[], Chance]
"""Makes the chance of the game's next act. A rule that is only asked something uses one up."""


class Referee:
    """Follows a match's log record by record. Raises ValueError for a clock that there isn't."""

    def __init__(self, row: MatchRow, game: AnyGame) -> None:
        self._row = row
        self._game = game
        self._clock = time_control(row.clock)
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
            case TimeUp(name, key):
                timer = self._timer(state, name, key)
                ran_out = timer is not None and self._ran_out(timer, record.at)
                return record.computer is None and ran_out and not self._taken(state, name, key, chances)
        return record.actor is None or self._acts_for(record.actor, record.computer, action, playing)

    def follow(self, after: Any, record: Record, action: Any) -> None:
        """Note a record that led to the state `after`."""
        if action is not None and self._row.stand_in is not StandIn.OFF:
            self._holders = self._holders.after(record.seq, record.actor, action, computer=record.computer is not None)
        window = self._game.window(after)
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
            late = [] if window is None else [each for each in window.timers if self._ran_out(each, record.at)]
            may = any(seats and self._taken(state, each.name, each.key, chances) == seats for each in late)
        return playing.hand_over(seats) if may else None

    def _taken(self, state: Any, name: str, key: str, chances: Chances) -> tuple[Seat, ...]:
        """The seats that a computer takes over if a timer runs out."""
        if self._row.stand_in is StandIn.OFF:
            return ()
        after = self._game.decide(state, None, TimeUp(name, key), chances()).state
        window = self._game.window(state)
        late = frozenset[Seat]() if window is None else window.awaited
        plays = partial(can_resign, self._game, after, chances())
        return self._who_plays(state, chances).taken_over(put_out(self._game, after, late, plays))

    def _who_plays(self, state: Any, chances: Chances) -> WhoPlays:
        def is_in(seat: Seat) -> bool:
            return self._game.outcome(state) is None and can_resign(self._game, state, chances(), seat)

        return WhoPlays(self._row.seats, self._row.stand_in, self._holders, is_in)

    def _timer(self, state: Any, name: str, key: str) -> Timer | None:
        window = self._game.window(state)
        timers = () if window is None else window.timers
        return next((each for each in timers if (each.name, each.key) == (name, key)), None)

    def _ran_out(self, timer: Timer, at: int) -> bool:
        """Whether a timer's whole length has passed at a time (ms UTC)."""
        return at >= self._since[timer.name, timer.key] + 1000 * self._clock.length(timer.length)
