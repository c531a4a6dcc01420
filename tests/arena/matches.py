"""Matches between computer players, played and judged on the rules engine."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import mean, stdev
from typing import Any, TypeAlias

from engines.game import AnyGame, Event, Seat
from engines.players.answering import answer
from engines.players.levels import LEVELS
from engines.players.question import question_for
from laws.play import Deal, random_act


@dataclass(frozen=True, slots=True)
class Spot:
    """A seat that is asked, with everything on the table. Only a cheater looks at more than a question shows."""

    deal: Deal
    state: Any
    events: Sequence[Event]
    seat: Seat
    luck: int


Contender: TypeAlias = Callable[[Spot], Any]
"""Chooses an act for a spot."""


def computer(level: str, rollouts: int = 0) -> Contender:
    """A level of the game's computer player, asked by a question as the bot asks it; 0 rollouts are the level's own."""

    def act(spot: Spot) -> Any:
        deal = spot.deal
        question = question_for(
            deal.game,
            spot.state,
            spot.events,
            spot.seat,
            options=deal.options,
            seats=deal.seats,
            level=level,
            luck=spot.luck,
            rollouts=rollouts or LEVELS[deal.game.info.key][level].rollouts,
        )
        return deal.game.read(answer(question, lambda: False).act)

    return act


def at_random(spot: Spot) -> Any:
    """Any legal act, found by picking cards at random."""
    act = random_act(spot.deal.game.choices(spot.state, spot.seat), random.Random(spot.luck))
    assert act is not None
    return act


def play(deal: Deal, contenders: Sequence[Contender], luck: random.Random) -> tuple[float, ...]:
    """Play a match, a contender for each seat; the seats' shares of the win."""
    game = deal.game
    state, opening = deal.open()
    events, chance = list(opening), deal.chances()
    acts = 0
    while (window := game.window(state)) is not None:
        acts += 1
        assert acts <= game.info.longest, "the match outlasts its bound"
        seat = min(window.awaited)
        action = contenders[seat](Spot(deal, state, events, seat, luck.getrandbits(64)))
        facts = game.decide(state, seat, action, chance(acts))
        events += facts
        state = facts.state
    outcome = game.outcome(state)
    assert outcome is not None
    return tuple(1 / len(outcome.winners) if seat in outcome.winners else 0.0 for seat in range(deal.seats))


@dataclass(frozen=True, slots=True)
class Result:
    """A contender's mean share of the win, half the width of its 95 % interval, and over how many matches."""

    share: float
    interval: float
    matches: int

    def __str__(self) -> str:
        return f"{self.share:.3f} +-{self.interval:.3f} ({self.matches})"


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


def compare(setting: Setting, one: Contender, others: Contender, deals: int, seed: int = 0) -> Result:
    """One contender against a table of others: each deal is played once from each seat."""
    seats = range(setting.seats)
    rng = random.Random(f"{setting.game.info.key} {setting.seats} {seed}")
    shares = []
    for _ in range(deals):
        deal = Deal(setting.game, setting.options, setting.seats, rng.randbytes(32))
        tables = [[one if seat == mine else others for seat in seats] for mine in seats]
        shares.append([play(deal, table, rng)[mine] for mine, table in enumerate(tables)])
    return result_of(shares)
