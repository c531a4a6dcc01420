"""Hints for a player: the best acts and what each is worth, by the same numbers as a review.

A hint is made from a `Question`, so it knows no more than the person who asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from engines import GAMES
from engines.players.answering import situation_of
from engines.players.player import Expired
from engines.players.question import Question
from engines.players.review.costs import LEAST_COST, standard_error
from engines.players.review.walk import Spot
from engines.players.review.ways import mean, way_of

MOST: Final = 2
"""How many lines a hint has: the best acts, and those that come next."""
MOST_EQUAL: Final = 4
"""How many acts a line names."""
ROLLOUTS: Final = 240
"""The budget, unless the question has another."""
TRIED: Final = 12


@dataclass(frozen=True, slots=True)
class Hint:
    """Acts in notation that are about equally good, the best first, and the share of the win, from 0 to 1, that it is
    estimated to bring."""

    acts: tuple[str, ...]
    worth: float


def hint(question: Question, expired: Expired) -> tuple[Hint, ...]:
    """The best few acts, best first. It depends on the question alone, unless `expired` becomes true.

    Acts are equal if they differ by less than a review would name (`costs`): the smallest cost that it names, or twice
    the standard error if that is more. A judgement that draws nothing doesn't know its error.

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
    left = sorted(range(len(acts)), key=lambda place: -values[place])
    game = GAMES[question.game]
    hints: list[Hint] = []
    while left and len(hints) < MOST:
        best = left[0]
        equal = [place for place in left if _are_equal(trials, best, place, is_exact=way.is_exact)]
        hints.append(Hint(tuple([game.write(acts[place]) for place in equal[:MOST_EQUAL]]), values[best]))
        left = [place for place in left if place not in equal]
    return tuple(hints)


def _are_equal(trials: Sequence[tuple[float, ...]], best: int, other: int, *, is_exact: bool) -> bool:
    """Whether an act is so little worse than another one that the trials can't tell them apart."""
    gains = [values[best] - values[other] for values in trials]
    error = 0.0 if is_exact else standard_error(gains)
    return best == other or sum(gains) / len(gains) < max(LEAST_COST, 2 * error)
