"""The laws that every computer player keeps. Each raises AssertionError for a position that breaks it.

What a player may know is taken from the Knowledge table of the game's rulings (`laws.knowledge`), not from the engine.
"""

from __future__ import annotations

import itertools
import pickle
import pickletools
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from engines.game import Event, Resign, Seat, Timer, TimeUp, Window, fold, seen_by
from engines.players.answering import answer, fallback
from engines.players.levels import CHOOSERS, LEVELS
from engines.players.player import Chooser, Situation, Table
from engines.players.question import Answer, Question, question_for
from laws.case import GameCase
from laws.knowledge import Relabelling, exchanged, never_seen, relabel
from laws.play import MatchLog, Odds, random_match

IN_A_MATCH = 6
"""How many positions of one match are looked at."""
IN_A_LONG_ONE = 100
"""Of a match with more positions than 6 times this number, one of this number is looked at."""
EACH_STEP = 4
"""How many acts are tried at each step of a match."""

Answering: TypeAlias = Callable[[Question], Answer]


def _in_time() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Position:
    """A seat that is asked after some moves of a match."""

    case: GameCase
    log: MatchLog
    moves: int
    seat: Seat

    @property
    def state(self) -> Any:
        """The state of the match."""
        return self.log.states[self.moves]

    @property
    def events(self) -> tuple[Event, ...]:
        """All facts so far."""
        return self.log.events(self.moves)

    @property
    def pack(self) -> Sequence[Any]:
        """All cards of the match."""
        deal = self.log.deal
        return deal.game.pack(deal.options, deal.seats).cards

    def question(self, level: str, rollouts: int = 0, events: Sequence[Event] | None = None) -> Question:
        """The question that the seat is asked; with other events as if these had led here."""
        deal = self.log.deal
        state = self.state
        if events is not None:
            state = fold(deal.game, deal.game.start(deal.options, deal.seats), events)
        return question_for(
            deal.game,
            state,
            self.events if events is None else events,
            self.seat,
            options=deal.options,
            seats=deal.seats,
            level=level,
            luck=self.moves,
            rollouts=rollouts,
        )

    def situation(self) -> Situation[Any, Any]:
        """What the seat knows."""
        player, question = self.player, self.question("")
        memory = player.begin(question.options, question.seats, self.seat)
        for fact in question.seen:
            memory = player.remember(memory, fact)
        return Situation(memory, question.view, question.choices)

    @property
    def player(self) -> Chooser[Any, Any, Any]:
        """The game's computer player."""
        return CHOOSERS[self.case.key]

    def accepts(self, action: Any) -> None:
        """The rules accept the act here; IllegalAction is raised if they don't."""
        deal = self.log.deal
        assert deal.game.decide(self.state, self.seat, action, deal.chance(self.moves + 1))


def positions(case: GameCase, count: int, seed: int = 0) -> Iterator[Position]:
    """Positions of random matches with all setups of a game, as many as asked for."""
    rng = random.Random(f"players {case.key} {seed}")
    found = 0
    while True:
        for setting, seats in case.setups:
            odds = rng.choice((None, Odds(time=0.01, resign=0.01)))
            log = random_match(case.deal(setting, seats, rng), rng, odds)
            asked = [(moves, seat) for moves, state in enumerate(log.states) for seat in _asked(log, state)]
            most = max(IN_A_MATCH, len(asked) // IN_A_LONG_ONE)
            for moves, seat in rng.sample(asked, min(len(asked), most)):
                if found == count:
                    return
                if not log.deal.game.choices(log.states[moves], seat).offers:
                    continue
                found += 1
                yield Position(case, log, moves, seat)


def _asked(log: MatchLog, state: Any) -> list[Seat]:
    """The seats that the match waits for. In a race it waits for nobody, and all may act who have something to do."""
    window = log.deal.game.window(state)
    return sorted(window.awaited or window.may_act) if window else []


# ---------------------------------------------------------------------------------------------- secrecy


def it_does_not_peek(
    position: Position,
    level: str,
    rng: random.Random,
    rollouts: int = 0,
    answering_in: Callable[[Any], Answering] | None = None,
) -> None:
    """With other cards where the seat has seen none, the question and the answer are the same.

    `answering_in` makes the answering of a state, so that a test can plant a player that peeks.
    """
    deal = position.log.deal
    others = exchanged(position.case, position.pack, position.events, position.seat, rng)
    state = fold(deal.game, deal.game.start(deal.options, deal.seats), others)
    mine, theirs = position.question(level, rollouts), position.question(level, rollouts, others)
    assert mine == theirs, "a question tells what its seat may not know"
    planted = answering_in or (lambda _: lambda question: answer(question, _in_time))
    assert planted(position.state)(mine) == planted(state)(theirs), f"{level} plays by what its seat may not know"


def a_question_holds_no_state(question: Question, position: Position) -> None:
    """Pickled and read again, as a worker gets it, a question has no state in it, no card the seat never saw, and no
    timer, because a timer that isn't shown tells what nobody may know (T-7a)."""
    pickled = pickle.dumps(question)
    assert pickle.loads(pickled) == question  # noqa: S301  it was pickled the line above
    kind = type(position.state)
    named = {str(value) for _, value, _ in pickletools.genops(pickled) if isinstance(value, str)}
    assert kind.__name__ not in named, "a question contains a state"
    assert not {Window.__name__, Timer.__name__} & named, "a question contains a timer"
    unseen = never_seen(position.case, position.pack, position.events, position.seat)
    other: Relabelling = dict.fromkeys(unseen, _Unseen())
    assert relabel(question, other) == question, "a question contains a card that its seat never saw"


@dataclass(frozen=True, slots=True)
class _Unseen:
    """Stands in for every card that a seat never saw."""


# ---------------------------------------------------------------------------------------------- legality


def candidates_are_legal(position: Position) -> None:
    """The rules accept every candidate; there is at least one, and none twice."""
    found = position.player.candidates(position.situation())
    assert found, "there is nothing to do"
    assert len(set(found)) == len(found)
    for action in found:
        position.accepts(action)


def answers_are_legal(position: Position, rollouts: int = 0) -> None:
    """Every level's answer and the fallback are acts that the rules accept, and the same when asked again."""
    game = position.log.deal.game
    for level in LEVELS[position.case.key]:
        question = position.question(level, rollouts)
        found = answer(question, _in_time)
        assert found == answer(question, _in_time), f"{level} answers the same question in two ways"
        late = answer(question, lambda: True)
        for each in (found, late, fallback(question)):
            position.accepts(game.read(each.act))


# ---------------------------------------------------------------------------------------------- tables


@dataclass(frozen=True, slots=True)
class Places:
    """Where all cards of the pack lie: those whose order means nothing, and those in an order."""

    sets: tuple[frozenset[Any], ...]
    piles: tuple[tuple[Any, ...], ...]


class Layout(Protocol):
    """Says what lies where on a game's tables for search."""

    def sample(self, situation: Situation[Any, Any], rng: random.Random) -> Table[Any]:
        """A table that is consistent with everything the seat knows, all such tables equally likely."""
        ...

    def table_of(self, state: Any) -> Table[Any]:
        """The table of a state."""
        ...

    def places(self, table: Any) -> Places:
        """Where all cards lie."""
        ...

    def others(self, table: Any) -> Any:
        """All else that the rules depend on: whose turn it is, what is asked."""
        ...


class Twin(Layout, Protocol):
    """Compares a game's fast table with its rules."""

    def act_of(self, action: Any) -> Any:
        """The rules' act as the fast table writes it."""
        ...

    def action_of(self, table: Any, act: Any) -> Any:
        """The fast table's act as the rules write it."""
        ...

    def chance_of(self, table: Any, facts: Sequence[Event]) -> random.Random:
        """Chance by which the fast table comes to the same cards as these facts."""
        ...


def fast_tables_equal_the_rules(twin: Twin, log: MatchLog, rng: random.Random) -> None:
    """Over a whole match by random acts: a seat is asked that the rules await, candidates are legal, labels are equal
    if the seen facts are, every act leads to the same table, and the win is shared as the outcome says.
    """
    game, chance = log.deal.game, log.deal.chances()
    table = twin.table_of(log.states[0])
    for seq, move in enumerate(log.moves, start=1):
        state = log.states[seq - 1]
        window = game.window(state)
        assert window is not None
        seat = table.asked()
        assert seat in window.awaited
        assert seat is not None
        found = table.candidates()
        assert found
        acts = rng.sample(found, min(len(found), EACH_STEP))
        tried = [(act, tuple(game.decide(state, seat, twin.action_of(table, act), chance(seq)))) for act in acts]
        for viewer in range(log.deal.seats):
            _labels_fit(table, tried, viewer)
        if isinstance(move.action, (TimeUp, Resign)):  # no table for search knows them
            return
        before = table.copy()
        table.play(twin.act_of(move.action), twin.chance_of(table, move.events))
        now = twin.table_of(log.states[seq])
        assert twin.places(table) == twin.places(now)
        assert twin.others(table) == twin.others(now)
        assert twin.places(before) == twin.places(twin.table_of(state)), "a copy changed with the table"
    assert table.asked() is None
    outcome = game.outcome(log.states[-1])
    assert outcome is not None
    for seat in range(log.deal.seats):
        assert table.share(seat) == (1 / len(outcome.winners) if seat in outcome.winners else 0)


def _labels_fit(table: Table[Any], tried: Sequence[tuple[Any, tuple[Event, ...]]], viewer: Seat) -> None:
    """Labels are for acts, and a fact shows chance too; so only acts of one table, with the same chance, compare, and
    only up to a shuffle that nobody sees."""
    for act, facts in tried:
        for other, others in tried:
            same = _seen_of(facts, viewer) == _seen_of(others, viewer)
            assert (table.label(act, viewer) == table.label(other, viewer)) == same


def _seen_of(facts: Sequence[Event], viewer: Seat) -> list[Event | None]:
    known = itertools.takewhile(lambda fact: fact.audience() != frozenset(), facts)
    return [seen_by(fact, viewer) for fact in known]


def samples_are_consistent(layout: Layout, position: Position, rng: random.Random) -> None:
    """The match could have come to a sampled table with the seat seeing the same: its cards laid over the true ones
    exchange no card that the seat has seen, and the rules lead with them to the same observation and choices."""
    deal, game = position.log.deal, position.log.deal.game
    situation = position.situation()
    sample = layout.sample(situation, rng)
    true = layout.table_of(position.state)
    assert layout.others(sample) == layout.others(true)
    exchange = _exchange(layout.places(true), layout.places(sample))
    unseen = set(never_seen(position.case, position.pack, position.events, position.seat))
    assert set(exchange) <= unseen, "a sample moves a card that the seat has seen"
    events = relabel(position.events, exchange)
    seen = [[seen_by(fact, position.seat) for fact in facts] for facts in (events, position.events)]
    assert seen[0] == seen[1]
    state = fold(game, game.start(deal.options, deal.seats), events)
    assert game.observe(state, position.seat) == situation.view
    assert game.choices(state, position.seat) == situation.choices
    assert layout.places(layout.table_of(state)) == layout.places(sample)


def _exchange(true: Places, sample: Places) -> dict[Any, Any]:
    """For each card whose place another one takes, that other one."""
    found: dict[Any, Any] = {}
    for pile, other in zip(true.piles, sample.piles, strict=True):
        found |= zip(pile, other, strict=True)
    for cards, others in zip(true.sets, sample.sets, strict=True):
        found |= zip(_in_order(cards - others), _in_order(others - cards), strict=True)
    return {card: other for card, other in found.items() if card != other}


def _in_order(cards: frozenset[Any]) -> list[Any]:
    return sorted(cards, key=repr)
