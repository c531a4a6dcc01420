"""Hints for a player: the best acts and what each is worth, by the same numbers as a review.

A hint is made from a `Question`, so it knows no more than the person who asks for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from engines import GAMES
from engines.players.answering import situation_of
from engines.players.player import Expired
from engines.players.question import Question
from engines.players.review.walk import Spot
from engines.players.review.ways import mean, way_of

MOST: Final = 3
"""How many acts a hint names."""
ROLLOUTS: Final = 240
"""The budget, unless the question has another."""
TRIED: Final = 12


@dataclass(frozen=True, slots=True)
class Hint:
    """An act in notation, and the share of the win, from 0 to 1, that it is estimated to bring."""

    act: str
    worth: float


def hint(question: Question, expired: Expired) -> tuple[Hint, ...]:
    """The best few acts, best first. It depends on the question alone, unless `expired` becomes true.

    Raises KeyError for a game without a computer player, or one that is a race.
    """
    way = way_of(question.game)
    situation = situation_of(question)
    acts = list(way.player.candidates(situation))
    if not way.is_exact and len(acts) > TRIED:
        judged = way.player.judge(situation, acts)
        acts = [acts[place] for place in sorted(range(len(acts)), key=lambda place: -judged[place])[:TRIED]]
    spot = Spot(question.seat, question.seats, tuple(range(question.seats)), situation)
    rng = Random(question.luck)
    trials: list[tuple[float, ...]] = []
    for _ in range(1 if way.is_exact else max(1, (question.rollouts or ROLLOUTS) // len(acts))):
        if trials and expired():
            break
        trials.append(tuple([shares[question.seat] for shares in way.trial(spot, acts, rng)]))
    values = mean(trials)
    best = sorted(range(len(acts)), key=lambda place: -values[place])[:MOST]
    game = GAMES[question.game]
    return tuple([Hint(game.write(acts[place]), values[place]) for place in best])
