"""Finished matches, step by step: what people could see after each act, through everybody's eyes or one player's.

Everything follows from the log, and nothing is stored. A replay may be gone through in any direction: it keeps a state
at every few steps and folds from there, so no step costs more than a few facts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self, TypeAlias

from bot.games import GAMES
from bot.kept import Kept
from bot.play.computers.stand_ins import NOBODY_ABSENT, SeatHolders
from bot.play.facts.replayed_log import BrokenLog
from bot.play.live_match import LiveMatch
from bot.play.match_registry import MatchRegistry
from bot.play.match_state import codec
from bot.play.refusals import NotInstalled, Refused
from bot.scheduler import ends_at
from bot.store.queries.finished_matches import FinishedMatch
from bot.store.queries.invitations import StandIn
from bot.store.queries.matches import MatchRow, Record, Result
from bot.store.store import Store
from engines.game import AnyGame, Choices, Event, Private, Seat, fold

_SEAT: Final = re.compile(r"0|[1-9][0-9]?")

STRIDE: Final = 16
"""A replay keeps the state at each step whose number is a multiple of this."""
REMEMBERED: Final = 16
"""How many replays are kept in memory."""


@dataclass(frozen=True, slots=True)
class Eyes:
    """The seats whose private view is shown beside what everybody saw; none shows the board alone."""

    seats: frozenset[Seat] = frozenset()

    @classmethod
    def of(cls, seat: Seat) -> Self:
        """One player's eyes."""
        return cls(frozenset({seat}))

    @classmethod
    def all_hands(cls, seats: int) -> Self:
        """The eyes of all players of a match with this many seats."""
        return cls(frozenset(range(seats)))

    @property
    def only(self) -> Seat | None:
        """The seat, if these are one player's eyes."""
        return next(iter(self.seats)) if len(self.seats) == 1 else None

    @property
    def name(self) -> str:
        """These eyes in a custom id: the seat's number, `a` for all hands, `b` for the board alone."""
        if not self.seats:
            return "b"
        return "a" if self.only is None else str(self.only)

    def see(self, event: Event) -> Event | None:
        """An event as these eyes saw it: itself, its public face, or nothing."""
        audience = event.audience()
        return event if audience is None or audience & self.seats else event.face()


def read_eyes(name: str, seats: int) -> Eyes:
    """The eyes with this name, in a match of this many seats. Raises ValueError for any other name."""
    if name == "b":
        return Eyes()
    if name == "a":
        return Eyes.all_hands(seats)
    if _SEAT.fullmatch(name) is None or int(name) >= seats:
        raise ValueError("nobody's eyes")
    return Eyes.of(int(name))


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
    these eyes saw them. `awaited` are the seats that the match then waited for, and `stand_ins` those that a
    computer played on for their players (C-8): the board showed both.
    """

    step: int
    eyes: Eyes
    public: Any
    private: tuple[Private[Any, Any] | None, ...]
    facts: tuple[Event, ...]
    awaited: frozenset[Seat]
    stand_ins: frozenset[Seat]


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
            frozenset() if window is None else self._stand_ins(step),
        )

    def offered(self, step: int, seat: Seat) -> tuple[Choices[Any], Private[Any, Any]]:
        """What a seat could do after a step, and what it knew. Only who sees through its eyes may be shown that."""
        state = self.state(step)
        return self.game.choices(state, seat), self.game.observe(state, seat)

    def _stand_ins(self, step: int) -> frozenset[Seat]:
        holders = self._holders[step] if self._holders else NOBODY_ABSENT
        return frozenset(seat for seat, holder in enumerate(holders.seats) if holder.level is not None)

    def _all_holders(self) -> tuple[SeatHolders, ...]:
        """Who held each seat after each step; empty for a match without a stand-in."""
        if self.row.stand_in is StandIn.OFF:
            return ()
        holders = SeatHolders.of(self.row, (), codec(self.row.game))
        found = []
        for step in self.steps:
            if step.action is not None:
                holders = holders.after(step.number, step.actor, step.action, computer=step.computer is not None)
            found.append(holders)
        return tuple(found)


Opened: TypeAlias = tuple[Replay, LiveMatch]


class OpenReplays:
    """The replays that were opened last, by the match."""

    def __init__(self, store: Store, matches: MatchRegistry, closed_from: Callable[[], int]) -> None:
        """`closed_from` is the moment (ms UTC) from which on deals of the day are closed: when today began."""
        self._store = store
        self._matches = matches
        self._closed_from = closed_from
        self._open: Kept[str, Opened] = Kept("replays", REMEMBERED)

    async def open(self, finished: FinishedMatch) -> Opened:
        """The replay of a match that somebody may see.

        Raises NotInstalled, and what `MatchRegistry.find` raises for a log that was altered or can't be read.
        """
        row = finished.row
        if row.game not in GAMES:
            raise NotInstalled(row.game)
        known = self._open.get(row.id)
        if known is None or known[0].row != row:
            known = self._open[row.id] = await self._read(finished)
        self._open.touch((row.id,))
        return known

    async def _read(self, finished: FinishedMatch) -> Opened:
        row = finished.row
        match = await self._matches.find(row.id)
        if match is None or not match.over:
            raise Refused("replay.unknown")
        records = await self._store.records(row.id)
        return Replay(row, records, finished.result, self._closed_from()), match
