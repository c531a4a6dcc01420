"""Matches between computer players, played and judged on the rules engine."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import mean, stdev
from typing import Any, Final, TypeAlias

from engines.game import AnyGame, Event, Seat
from engines.players.answering import answer
from engines.players.levels import LEVELS, PLAYERS
from engines.players.player import Situation
from engines.players.question import Question, question_for
from laws.play import Clock, Deal, random_act

RANDOM: Final = "random"
"""In tables and on command lines: random acts, instead of a level."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A seat that is asked, with everything on the table. Only a cheater looks at more than a question shows."""

    deal: Deal
    state: Any
    events: Sequence[Event]
    seat: Seat
    luck: int

    def question(self, level: str, rollouts: int = 0) -> Question:
        """The question that the bot would ask the seat."""
        deal = self.deal
        return question_for(
            deal.game,
            self.state,
            self.events,
            self.seat,
            options=deal.options,
            seats=deal.seats,
            level=level,
            luck=self.luck,
            rollouts=rollouts,
        )


Contender: TypeAlias = Callable[[Spot], Any]
"""Chooses an act for a spot."""


def computer(level: str, rollouts: int = 0) -> Contender:
    """A level of the game's computer player, asked by a question as the bot asks it; 0 rollouts are the level's own."""

    def act(spot: Spot) -> Any:
        game = spot.deal.game
        question = spot.question(level, rollouts or LEVELS[game.info.key][level].rollouts)
        return game.read(answer(question, lambda: False).act)

    return act


def at_random(spot: Spot) -> Any:
    """Any legal act, found by picking cards at random."""
    act = random_act(spot.deal.game.choices(spot.state, spot.seat), random.Random(spot.luck))
    assert act is not None
    return act


def contender(name: str, rollouts: int = 0) -> Contender:
    """The contender of a name: a level, or random acts."""
    return at_random if name == RANDOM else computer(name, rollouts)


def situation_at(spot: Spot) -> Situation[Any, Any]:
    """What the asked seat knows, for a contender that isn't a level."""
    question = spot.question("")
    player = PLAYERS[question.game]
    memory = player.begin(question.options, question.seats, question.seat)
    for fact in question.seen:
        memory = player.remember(memory, fact)
    return Situation(memory, question.view, question.choices)


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was played: the seats' shares of the win, the kind of ending, the players' acts, the questions asked
    one after the other, and the first seat that was asked alone."""

    shares: tuple[float, ...]
    ending: str
    acts: int
    questions: int
    first: Seat


def play(deal: Deal, contenders: Sequence[Contender], luck: random.Random) -> tuple[float, ...]:
    """Play a match, a contender for each seat; the seats' shares of the win."""
    return played(deal, contenders, luck).shares


def played(deal: Deal, contenders: Sequence[Contender], luck: random.Random) -> Played:
    """Play a match of turns, a contender for each seat, and tell what became of it."""
    game = deal.game
    state, opening = deal.open()
    events, chance, clock = list(opening), deal.chances(), Clock()
    moves = acts = 0
    windows, first = set[int](), None
    while (window := game.window(state)) is not None:
        moves += 1
        assert moves <= game.info.longest, "the match outlasts its bound"
        clock.look(window)
        if window.awaited:
            seat = min(window.awaited)
            acts += 1
            windows.add(window.number)
            if first is None and len(window.awaited) == 1:
                first = seat
            action = contenders[seat](Spot(deal, state, events, seat, luck.getrandbits(64)))
            facts = game.decide(state, seat, action, chance(moves))
        else:
            facts = game.decide(state, None, clock.ring(), chance(moves))
        events += facts
        state = facts.state
    return Played(*ended(game, state, deal.seats), acts, len(windows), first or 0)


def ended(game: AnyGame, state: Any, seats: int) -> tuple[tuple[float, ...], str]:
    """The seats' shares of the win and the kind of ending, once a match is over."""
    outcome = game.outcome(state)
    assert outcome is not None
    return tuple(1 / len(outcome.winners) if seat in outcome.winners else 0.0 for seat in range(seats)), outcome.kind


@dataclass(frozen=True, slots=True)
class Result:
    """A contender's mean share of the win, half the width of its 95 % interval, and over how many matches."""

    share: float
    interval: float
    matches: int

    def __str__(self) -> str:
        return f"{self.share:.3f} ±{self.interval:.3f} ({self.matches:,})"


def result_of(shares: Sequence[Sequence[float]]) -> Result:
    """The result of the shares of each deal, whose matches depend on each other because they have the same cards."""
    means = [mean(each) for each in shares]
    spread = stdev(means) if len(means) > 1 else math.inf
    return Result(mean(means), 1.96 * spread / math.sqrt(len(means)), sum(map(len, shares)))


@dataclass(frozen=True, slots=True)
class Setting:
    """What is played: the game, its options, and for how many."""

    game: AnyGame
    options: Any
    seats: int


def compare(
    setting: Setting, one: Contender, others: Contender, deals: int, seed: int = 0, *, seconds: float = math.inf
) -> Result:
    """One contender against a table of others: each deal is played once from each seat. After `seconds` of CPU time no
    further deal is begun, except for the second."""
    seats = range(setting.seats)
    rng = random.Random(f"{setting.game.info.key} {setting.seats} {seed}")
    shares: list[list[float]] = []
    begun = time.process_time()
    while len(shares) < deals and (len(shares) < 2 or time.process_time() - begun < seconds):
        deal = Deal(setting.game, setting.options, setting.seats, rng.randbytes(32))
        tables = [[one if seat == mine else others for seat in seats] for mine in seats]
        shares.append([play(deal, table, rng)[mine] for mine, table in enumerate(tables)])
    return result_of(shares)
