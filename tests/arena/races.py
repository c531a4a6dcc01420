"""`python -m tests.arena.races`: Tiv-Miv's computer players against racers of many kinds, in virtual time.

A match is played on the rules engine, and time jumps from one event to the next. Everybody acts by a look: at the board
as it was last shown, or at what they were answered to their own last act, whichever is newer. A reaction time after the
look they act, whatever has happened since, and the answer is their next look. If there is nothing to do, they wait for
the board.

With *lag* the board is edited at most once a second, each edit is drawn from the state of its moment, and is seen a
fifth of a second later. Without, everybody sees everything at once. The computer gets no more: it is a `Racer` with the
same looks, and its pace is worked out as `engines.players.pace` says.
"""

from __future__ import annotations

import argparse
import heapq
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import exp, sqrt
from random import Random
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from engines.game import Event, IllegalAction, Seat, TimeUp, seen_by
from engines.players.answering import answer
from engines.players.levels import LEVELS, RACERS
from engines.players.pace import Gaps, reaction_ms
from engines.players.player import Situation
from engines.players.question import luck_of, question_for
from engines.players.tivmiv import acts_of
from engines.tivmiv import Draw, Options, Place, State, TivMiv
from laws.play import Deal, seconds_of
from tests.arena.matches import Result, result_of

GAME: Final = TivMiv()
RACER: Final = RACERS["tivmiv"]

Move: TypeAlias = tuple[Any, int]
"""An act, and how many milliseconds after the look it is made."""


class Record(NamedTuple):
    """A record of the log, and the state after it. `at` is in milliseconds."""

    at: int
    actor: Seat | None
    facts: tuple[Event, ...]
    state: State


class Contender(Protocol):
    """Somebody who races, on one seat of one match."""

    def noted(self, race: Race, seat: Seat) -> None:
        """The match has gone on by a record, the last of `race.records`. It isn't shown yet, so this is for the log's
        times and for notes of what will be shown."""

    def looks(self, race: Race, seat: Seat, shown: int) -> Move:
        """Choose an act for the state of `race.records[shown]`, in which something can be done."""


@dataclass(frozen=True, slots=True)
class Board:
    """How the board is edited, in milliseconds: at most once in `spacing`, and `delay` passes until an edit is seen."""

    spacing: int
    delay: int


AT_ONCE: Final = None
WITH_LAG: Final = Board(1_000, 200)


@dataclass
class Race:
    """A match under way. `now` is in milliseconds. Everything is shown at once where there is no `board`."""

    contenders: Sequence[Contender]
    deal: Deal
    board: Board | None
    now: int = 0
    records: list[Record] = field(default_factory=list)
    refused: int = 0
    _queue: list[tuple[int, int, Callable[[], None]]] = field(default_factory=list)
    _events: int = 0
    _due: dict[tuple[str, str], int] = field(default_factory=dict)
    _shown: int = 0
    _drawn_at: int | None = None
    _drawing: bool = False
    _answered: list[int] = field(default_factory=list)
    _acting: list[bool] = field(default_factory=list)

    def run(self) -> State:
        """Play to the end; the last state."""
        self._answered, self._acting = [0] * len(self.contenders), [False] * len(self.contenders)
        self._record(None, *self.deal.open())
        while self.records[-1].state.ended is None:
            self.now, _, happens = heapq.heappop(self._queue)
            happens()
        return self.records[-1].state

    def _at(self, when: int, happens: Callable[[], None]) -> None:
        self._events += 1
        heapq.heappush(self._queue, (when, self._events, happens))

    # ------------------------------------------------------------------------------------ what is done

    def _act(self, seat: Seat, action: Any) -> None:
        try:
            self._make(seat, action)
        except IllegalAction:
            self.refused += 1
        self._acting[seat], self._answered[seat] = False, len(self.records) - 1
        self._look(seat)

    def _make(self, actor: Seat | None, action: Any) -> None:
        facts = GAME.decide(self.records[-1].state, actor, action, self.deal.chance(len(self.records)))
        self._record(actor, facts.state, tuple(facts))

    def _record(self, actor: Seat | None, state: State, facts: tuple[Event, ...]) -> None:
        self.records.append(Record(self.now, actor, facts, state))
        for seat, contender in enumerate(self.contenders):
            contender.noted(self, seat)
        self._start_timers(state)
        if self.board is None:
            self._show(len(self.records) - 1)
        else:
            self._draw(self.board)

    def _start_timers(self, state: State) -> None:
        window = GAME.window(state)
        running, self._due = self._due, {}
        for timer in window.timers if window else ():
            key = timer.name, timer.key
            self._due[key] = running.get(key, self.now + 1000 * seconds_of(timer.length))
            if key not in running:
                self._at(self._due[key], partial(self._ring, key))

    def _ring(self, key: tuple[str, str]) -> None:
        if self._due.get(key) == self.now:
            self._make(None, TimeUp(*key))

    # ------------------------------------------------------------------------------------ what is seen

    def _draw(self, board: Board) -> None:
        if not self._drawing:
            self._drawing = True
            self._at(self.now if self._drawn_at is None else max(self.now, self._drawn_at + board.spacing), self._send)

    def _send(self) -> None:
        assert self.board is not None
        self._drawn_at = self.now
        self._at(self.now + self.board.delay, partial(self._acknowledged, len(self.records) - 1))

    def _acknowledged(self, drawn: int) -> None:
        self._drawing = False
        if self.board is not None and drawn < len(self.records) - 1:
            self._draw(self.board)
        self._show(drawn)

    def _show(self, drawn: int) -> None:
        self._shown = drawn
        for seat, acting in enumerate(self._acting):
            if not acting:
                self._look(seat)

    def _look(self, seat: Seat) -> None:
        shown = max(self._shown, self._answered[seat])
        if GAME.choices(self.records[shown].state, seat).offers:
            self._acting[seat] = True
            action, delay = self.contenders[seat].looks(self, seat, shown)
            self._at(self.now + delay, partial(self._act, seat, action))


# ---------------------------------------------------------------------------------------------- who races


@dataclass
class Person:
    """A model of a person. `median` is their reaction time in milliseconds, `spread` that of its logarithm.

    They lay any card that fits, or draw. A card that fits is overlooked with the probability `overlooks`. Their speed
    wanders: by the standard deviation `wanders`, slowly. With the probability `pauses` they look away for 5 to 30
    seconds.
    """

    median: int
    luck: Random
    spread: float = 0.3
    overlooks: float = 0.0
    wanders: float = 0.0
    pauses: float = 0.0
    _drift: float = 0.0

    def noted(self, race: Race, seat: Seat) -> None:
        """As `Contender`: a person doesn't count."""

    def looks(self, race: Race, seat: Seat, shown: int) -> Move:
        """As `Contender`."""
        luck = self.luck
        self._drift = STEADY * self._drift + sqrt(1 - STEADY**2) * luck.gauss(0, self.wanders)
        delay = self.median * exp(luck.gauss(self._drift, self.spread))
        if luck.random() < self.pauses:
            delay += luck.uniform(5_000, 30_000)
        return self._choose(acts_of(GAME.choices(race.records[shown].state, seat))), round(delay)

    def _choose(self, acts: Sequence[Any]) -> Any:
        places = [act for act in acts if isinstance(act, Place)]
        others = [act for act in acts if not isinstance(act, Place)]
        if others and not isinstance(others[0], Draw):
            return others[0]
        found = [act for act in places if self.luck.random() >= self.overlooks]
        if found or not others:
            return self.luck.choice(found or places)
        return others[0]


STEADY: Final = 0.98
"""How much of a person's drift is left at the next act."""


@dataclass
class Computer:
    """A level of the computer player. `people` are the seats of people."""

    level: str
    people: Sequence[Seat]
    match: str
    asks: bool = False
    """Whether each act is found by asking a `Question`, as the bot does. That folds all facts again, so an arena keeps
    the memory instead; a test compares the two."""
    _gaps: Gaps | None = None
    _memories: list[Any] = field(default_factory=list)

    def noted(self, race: Race, seat: Seat) -> None:
        """As `Contender`: fold the gaps and the memory."""
        record, seats = race.records[-1], race.deal.seats
        before = self._gaps or Gaps.begin(seats)
        self._gaps = before.after(record.at, record.actor, RACER.busy(GAME.observe_public(record.state)))
        memory = self._memories[-1] if self._memories else RACER.begin(race.deal.options, seats, seat)
        for fact in record.facts:
            seen = seen_by(fact, seat)
            memory = memory if seen is None else RACER.remember(memory, seen)
        self._memories.append(memory)

    def looks(self, race: Race, seat: Seat, shown: int) -> Move:
        """As `Contender`: as `engines.players.pace` says."""
        assert self._gaps is not None
        state, luck, level = race.records[shown].state, luck_of(self.match, len(race.records), seat), self.level
        pace = LEVELS["tivmiv"][level].pace
        assert pace is not None
        public = GAME.observe_public(state)
        people = [each for each in self.people if each not in public.out]
        delay = reaction_ms(self._gaps, people, pace, luck, RACER.ahead(public, seat))
        if not self.asks:
            situation = Situation(self._memories[shown], GAME.observe(state, seat), GAME.choices(state, seat))
            return RACER.rule_of_thumb(situation, Random(luck)), delay
        facts = [fact for record in race.records[: shown + 1] for fact in record.facts]
        deal = race.deal
        question = question_for(
            GAME, state, facts, seat, options=deal.options, seats=deal.seats, level=level, luck=luck
        )
        return GAME.read(answer(question, lambda: False).act), delay


# ---------------------------------------------------------------------------------------------- many matches


PEOPLE: Final[Mapping[str, Mapping[str, Any]]] = {
    "0.6 s": {"median": 600},
    "1.2 s": {"median": 1_200},
    "2 s": {"median": 2_000},
    "3 s": {"median": 3_000},
    "1.2 s, spread 0.5": {"median": 1_200, "spread": 0.5},
    "1.2 s, overlooks 30 %": {"median": 1_200, "overlooks": 0.3},
    "1.2 s, speed wanders by 15 %": {"median": 1_200, "wanders": 0.15},
    "1.2 s, looks away at 1 % of acts": {"median": 1_200, "pauses": 0.01},
}
"""Kinds of racers."""


def shares(
    level: str, person: Mapping[str, Any], matches: int, *, seats: int = 2, board: Board | None = None, seed: int = 0
) -> list[float]:
    """The computer's share of the win in each match against people of one kind; it sits on each seat in turn."""
    found = []
    for number in range(matches):
        name = f"{seed} {number} {seats}"
        luck = Random(name)
        mine = number % seats
        people = [seat for seat in range(seats) if seat != mine]
        racers: list[Contender] = [Person(luck=Random(f"{name} {seat}"), **person) for seat in range(seats)]
        racers[mine] = Computer(level, people, name)
        ended = Race(racers, Deal(GAME, Options(), seats, luck.randbytes(32)), board).run()
        outcome = GAME.outcome(ended)
        assert outcome is not None
        found.append(1 / len(outcome.winners) if mine in outcome.winners else 0.0)
    return found


def compare(
    level: str, person: Mapping[str, Any], matches: int, *, seats: int = 2, board: Board | None = None, seed: int = 0
) -> Result:
    """The computer's mean share of the win against people of one kind."""
    return result_of([(share,) for share in shares(level, person, matches, seats=seats, board=board, seed=seed)])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.arena.races", description=__doc__)
    parser.add_argument("--matches", type=int, default=200, help="matches of each line (200)")
    parser.add_argument("--level", choices=list(LEVELS["tivmiv"]), action="append", help="this level only")
    parser.add_argument("--person", choices=list(PEOPLE), action="append", help="this kind of racer only")
    parser.add_argument("--seats", type=int, default=2, help="racers, one of them the computer (2)")
    parser.add_argument("--seed", type=int, default=0, help="another seed, other matches (0)")
    asked = parser.parse_args()
    for level in asked.level or LEVELS["tivmiv"]:
        for person in asked.person or PEOPLE:
            for words, board in (("at once", AT_ONCE), ("with lag", WITH_LAG)):
                begun = time.process_time()
                result = compare(level, PEOPLE[person], asked.matches, seats=asked.seats, board=board, seed=asked.seed)
                seconds = time.process_time() - begun
                line = f"{level} against {asked.seats - 1} of {person}, board {words}: {result}, {seconds:.0f} CPU s"
                sys.stdout.write(f"{line}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
