"""A finished match as a list of steps, and what people could see after each of them.

Everything follows from the log. A replay may be gone through in any direction: it keeps a state at every few steps and
folds from there, so no step costs more than a few facts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.games import GAMES
from bot.play.computers.stand_ins import NOBODY_ABSENT, SeatHolders
from bot.play.daily.days import ends_at
from bot.play.facts.replayed_log import BrokenLog
from bot.play.match_state import codec
from bot.play.replays.eyes import Eyes
from bot.store.rows.invitations import StandIn
from bot.store.rows.matches import MatchRow, Record, Result
from engines.game import AnyGame, Choices, Event, Private, Seat, fold

STRIDE: Final = 16
"""A replay keeps the state at each step whose number is a multiple of this."""


@dataclass(frozen=True, slots=True)
class Step:
    """A record of the log. Step 0 is the deal, whose action is None.

    `actor` is the seat that acted, None for the deal and the clock. `at` is in ms UTC. `computer` is the level and
    version of the computer player that acted. `facts` are all that followed, also those that nobody may know: show
    `Seen.facts`. A record by which a computer took a seat over, or its player took it back, has no facts.
    """

    number: int
    actor: Seat | None
    action: Any
    at: int
    computer: str | None
    facts: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """What an observer saw after a step.

    `private` has for each seat what it knew if these eyes see that, otherwise None. `facts` are the step's events as
    these eyes saw them. `awaited` are the seats that the match then waited for, and `held` those that a computer played
    on for their players (C-8): the board showed both.
    """

    step: int
    eyes: Eyes
    public: Any
    private: tuple[Private[Any, Any] | None, ...]
    facts: tuple[Event, ...]
    awaited: frozenset[Seat]
    held: frozenset[Seat]


class Replay:
    """A finished match, step by step.

    Raises RuntimeError for a match that is not over or whose deal of the day is still closed at `now` (ms UTC): what
    its players hold is secret. Raises BrokenLog for a log with gaps, KeyError for a game that is not installed, and
    what the codec raises for facts that it cannot read.
    """

    def __init__(self, row: MatchRow, records: Sequence[Record], result: Result | None, now: int) -> None:
        if result is None or (row.day is not None and now < ends_at(row.day)):
            raise RuntimeError("what players hold is secret until a match is over and its deal is open")
        if [record.seq for record in records] != list(range(max(1, len(records)))):
            raise BrokenLog("records are missing")
        written = codec(row.game)
        self.row = row
        self.result = result
        self.game: AnyGame = GAMES[row.game]
        self.options: Any = written.decode(row.options)
        self.steps: tuple[Step, ...] = tuple(
            [
                Step(
                    record.seq,
                    record.actor,
                    None if record.action is None else written.decode(record.action),
                    record.at,
                    record.computer,
                    written.decode_all(record.events),
                )
                for record in records
            ]
        )
        self._kept: dict[int, Any] = {}
        """States by step. A file may be made in another thread meanwhile, so the keys are copied before a search."""
        self._holders = self._all_holders()

    @property
    def id(self) -> str:
        """The match's id."""
        return self.row.id

    @property
    def seats(self) -> tuple[int, ...]:
        """The users, seat by seat."""
        return self.row.seats

    @property
    def last(self) -> int:
        """The number of the last step."""
        return len(self.steps) - 1

    def facts(self, step: int) -> tuple[Event, ...]:
        """All facts of the match up to and with a step, also those that nobody may know."""
        return tuple([fact for each in self.steps[: step + 1] for fact in each.facts])

    def state(self, step: int) -> Any:
        """The state after a step, with everything that nobody may know: it is for the rules, never for a screen.

        Raises IndexError for a step that the match has not.
        """
        if not 0 <= step <= self.last:
            raise IndexError("no such step")
        base = step // STRIDE * STRIDE
        known = base if base in self._kept else max((each for each in tuple(self._kept) if each < base), default=-1)
        state = self.game.start(self.options, len(self.seats)) if known < 0 else self._kept[known]
        for each in self.steps[known + 1 : step + 1]:
            state = fold(self.game, state, each.facts)
            if each.number % STRIDE == 0:
                self._kept[each.number] = state
        return state

    def see(self, step: int, eyes: Eyes) -> Seen:
        """What an observer with these eyes saw after a step. Raises IndexError for a step that the match has not."""
        state, game = self.state(step), self.game
        seats = range(len(self.seats))
        window = game.window(state)
        seen = [eyes.see(fact) for fact in self.steps[step].facts]
        return Seen(
            step,
            eyes,
            game.observe_public(state),
            tuple([game.observe(state, seat) if seat in eyes.seats else None for seat in seats]),
            tuple([fact for fact in seen if fact is not None]),
            frozenset() if window is None else window.awaited,
            frozenset() if window is None else self._held(step),
        )

    def offered(self, step: int, seat: Seat) -> tuple[Choices[Any], Private[Any, Any]]:
        """What a seat could do after a step, and what it knew. Only who sees through its eyes may be shown that."""
        state = self.state(step)
        return self.game.choices(state, seat), self.game.observe(state, seat)

    def _held(self, step: int) -> frozenset[Seat]:
        holders = self._holders[step] if self._holders else NOBODY_ABSENT
        return frozenset(seat for seat, holder in enumerate(holders.seats) if holder.level is not None)

    def _all_holders(self) -> tuple[SeatHolders, ...]:
        """Who held each seat after each step; empty for a match without a stand-in."""
        if self.row.stand_in is StandIn.OFF:
            return ()
        holders = SeatHolders.of(len(self.seats), (), codec(self.row.game))
        found = []
        for step in self.steps:
            if step.action is not None:
                holders = holders.after(step.number, step.actor, step.action, computer=step.computer is not None)
            found.append(holders)
        return tuple(found)
