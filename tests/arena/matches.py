"""Matches between computer players on the rules engine, without questions and deadlines: what seats remember is kept,
and not folded anew for every act."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import mean, stdev
from typing import Any, TypeAlias

from engines.game import AnyGame, Event, Seat, seen_by
from engines.players.levels import LEVELS, PLAYERS
from engines.players.player import Situation
from laws.play import Deal, random_act

Chooses: TypeAlias = Callable[[Situation[Any, Any], random.Random], Any]
"""Chooses an act by what its seat knows."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is played: the game, its options, and for how many."""

    game: AnyGame
    options: Any
    seats: int


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was played: the seats' shares of the win, the kind of ending, the players' acts, the questions asked
    one after the other, and the first seat that was asked alone."""

    shares: tuple[float, ...]
    ending: str
    acts: int
    questions: int
    first: Seat


def level(key: str, name: str) -> Chooses:
    """A level as the bot plays it, without a deadline."""
    chosen = LEVELS[key][name]
    return lambda situation, rng: chosen.policy(situation, rng, chosen.rollouts, lambda: False).action


def at_random(situation: Situation[Any, Any], rng: random.Random) -> Any:
    """Any legal act."""
    act = random_act(situation.choices, rng)
    assert act is not None
    return act


def played(deal: Deal, seats: Sequence[Chooses], rng: random.Random) -> Played:
    """Play a match of turns whose game has a player, in which no clock runs out, and tell what became of it."""
    game, player = deal.game, PLAYERS[deal.game.info.key]
    state, opening = deal.open()
    memories = [player.begin(deal.options, deal.seats, seat) for seat in range(deal.seats)]

    def remember(facts: Sequence[Event]) -> None:
        for seat in range(deal.seats):
            for fact in facts:
                seen = seen_by(fact, seat)
                if seen is not None:
                    memories[seat] = player.remember(memories[seat], seen)

    remember(opening)
    chance, acts, windows, first = deal.chances(), 0, set[int](), None
    while (window := game.window(state)) is not None:
        acts += 1
        seat = min(window.awaited)
        windows.add(window.number)
        if first is None and len(window.awaited) == 1:
            first = seat
        situation = Situation(memories[seat], game.observe(state, seat), game.choices(state, seat))
        facts = game.decide(state, seat, seats[seat](situation, rng), chance(acts))
        state = facts.state
        remember(facts)
    return Played(*ended(game, state, deal.seats), acts, len(windows), first or 0)


def ended(game: AnyGame, state: Any, seats: int) -> tuple[tuple[float, ...], str]:
    """The seats' shares of the win and the kind of ending, once a match is over."""
    outcome = game.outcome(state)
    assert outcome is not None
    return tuple(1 / len(outcome.winners) if seat in outcome.winners else 0.0 for seat in range(seats)), outcome.kind


@dataclass(frozen=True, slots=True)
class Result:
    """Somebody's mean share of the win, half the width of its 95 % interval, and over how many matches."""

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
