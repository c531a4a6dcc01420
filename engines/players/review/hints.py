"""Hints for a player: the best acts and what each is worth, by the same numbers as a review.

A hint is made from a `Question`, so it knows no more than the person who asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from engines import GAMES
from engines.players.answering import situation_of
from engines.players.player import Expired
from engines.players.question import Question
from engines.players.review.costs import LEAST_COST, standard_error
from engines.players.review.walk import Spot
from engines.players.review.ways import Way, mean, way_of

MOST: Final = 2
"""How many lines a hint has: the best acts, and those that come next."""
MOST_EQUAL: Final = 4
"""How many acts a line names."""
TRIED: Final = 12
"""How many acts are tried at most, if a first sight draws luck."""
PLAYED_ON: Final = 6
"""From how many acts lines are played on otherwise: from those that look best at first sight."""


@dataclass(frozen=True, slots=True)
class Hint:
    """Acts in notation that are about equally good, the best first, and the share of the win, from 0 to 1, that it is
    estimated to bring."""

    acts: tuple[str, ...]
    worth: float


def hint(question: Question, expired: Expired) -> tuple[Hint, ...]:
    """The best few acts, best first. It depends on the question alone, unless `expired` becomes true.

    Acts are equal if they differ by less than a review would name (`costs`): the smallest cost that it names, or twice
    the standard error of lines that are played on, if that is more. An act is worth what its first sight and its lines
    say, on average; where a first sight is lines, what these say.

    Raises KeyError for a game without a computer player, or one that is a race.
    """
    way, situation, game = way_of(question.game), situation_of(question), GAMES[question.game]
    spot = Spot(question.seat, question.seats, tuple(range(question.seats)), situation)
    acts, seen = _at_first_sight(way, spot)
    trials = _played_on(way, spot, acts, question, expired)
    values = mean([*([seen] if seen else []), *([mean(trials)] if trials else [])])
    left = sorted(range(len(acts)), key=lambda index: -values[index])
    hints: list[Hint] = []
    while left and len(hints) < MOST:
        best = left[0]
        equal = [each for each in left if each == best or values[best] - values[each] < _sure(trials, best, each)]
        hints.append(Hint(tuple([game.write(acts[index]) for index in equal[:MOST_EQUAL]]), values[best]))
        left = [index for index in left if index not in equal]
    return tuple(hints)


def _at_first_sight(way: Way, spot: Spot) -> tuple[list[Any], tuple[float, ...]]:
    """The acts to look at, and what they are worth at first sight; nothing if that draws luck, as lines do."""
    acts = list(way.player.candidates(spot.situation))
    if way.is_drawn:
        if len(acts) > TRIED:
            acts = _best(acts, way.player.judge(spot.situation, acts))[:TRIED]
        return acts, ()
    seen = [shares[spot.seat] for shares in way.trial(spot, acts, Random(0))]
    return _best(acts, seen)[:PLAYED_ON], tuple(sorted(seen, reverse=True)[:PLAYED_ON])


def _best(acts: Sequence[Any], values: Sequence[float]) -> list[Any]:
    """The acts, the best by these values first."""
    return [acts[index] for index in sorted(range(len(acts)), key=lambda index: -values[index])]


def _played_on(
    way: Way, spot: Spot, acts: Sequence[Any], question: Question, expired: Expired
) -> Sequence[tuple[float, ...]]:
    """What the acts brought in lines, trial by trial: at least one, if the way has lines."""
    if way.lines is None:
        return ()
    rng, trials = Random(question.luck), list[tuple[float, ...]]()
    for _ in range(max(1, (question.rollouts or way.for_a_hint) // len(acts))):
        if trials and expired():
            break
        trials.append(tuple([shares[spot.seat] for shares in way.lines.after(spot, acts, rng)]))
    return trials


def _sure(trials: Sequence[tuple[float, ...]], best: int, other: int) -> float:
    """From which difference on two acts are not equal, as far as the lines can tell."""
    if not trials:
        return LEAST_COST
    return max(LEAST_COST, 2 * standard_error([values[best] - values[other] for values in trials]))
