"""Which acts of a match cost their seats most, judged by what each seat knew.

Rollouts are a noisy judge, and the best of many noisy values is too good to be true. So a first look chooses the acts
and the better ones, and a second one, on other tables, says what they are worth. An act is left out unless it cost
twice as much as the second look may err.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from random import Random
from typing import Any, Final

from engines.players.player import Expired
from engines.players.review.walk import Spot
from engines.players.review.ways import Way, mean

MOST: Final = 3
"""How many acts a review names."""
LEAST_COST: Final = 0.02
"""Of the win: what costs less isn't worth a sentence."""
TRIED: Final = 8
"""How many acts are tried at most beside the one that was made: those that the player's own judgement puts first."""
FIRST_TRIALS: Final = range(4, 49)
"""How often each act is tried in the first look: as often as the budget allows."""
SUSPECTS: Final = 8
"""How many acts get a second look."""
SECOND_SHARE: Final = 0.4
"""How much of the budget is left for it."""


@dataclass(frozen=True, slots=True)
class Cost:
    """An act, from 1, that cost its seat this share of the win beside the better one."""

    number: int
    spot: Spot
    better: Any
    cost: float


class CostSearch:
    """Finds the acts that cost most. `rollouts` counts what it played."""

    def __init__(self, way: Way, luck: int, budget: int, expired: Expired) -> None:
        self.rollouts = 0
        self._way = way
        self._luck = luck
        self._budget = budget
        self._expired = expired

    def found(self, spots: Sequence[tuple[int, Spot]]) -> tuple[Cost, ...]:
        """The acts that cost most, of those that these seats made, with their numbers; the costliest first."""
        chosen = self._worth_a_look([each for each in spots if self._others(each[1])])
        trials = self._first_trials(len(chosen))
        first = [self._first_look(*each, trials) for each in chosen if not self._expired()]
        suspects = sorted((each for each in first if each is not None), key=_by_cost)
        if not self._way.is_exact:
            trials = int(self._budget * SECOND_SHARE) // (2 * min(SUSPECTS, len(suspects)) or 1)
            looked = [self._second_look(each, trials) for each in suspects[:SUSPECTS] if not self._expired()]
            suspects = sorted((each for each in looked if each is not None), key=_by_cost)
        return tuple([each for each in suspects if each.cost >= LEAST_COST][:MOST])

    def _worth_a_look(self, spots: Sequence[tuple[int, Spot]]) -> list[tuple[int, Spot]]:
        """Those for which the budget has room: half of them by the player's own judgement, half from all over the
        match."""
        room = self._first_budget // (FIRST_TRIALS[0] * (TRIED + 1))
        if self._way.is_exact or len(spots) <= room:
            return list(spots)
        judged = sorted(spots, key=lambda each: -self._gap(each[1]))
        rest = sorted(judged[room // 2 :], key=lambda each: each[0])
        spread = [rest[place] for place in evenly(len(rest), room - room // 2)]
        return sorted([*judged[: room // 2], *spread], key=lambda each: each[0])

    @property
    def _first_budget(self) -> int:
        return int(self._budget * (1 - SECOND_SHARE))

    def _first_trials(self, looks: int) -> int:
        """How often each act is tried in the first look."""
        if self._way.is_exact or not looks:
            return 1
        return max(FIRST_TRIALS[0], min(FIRST_TRIALS[-1], self._first_budget // (looks * (TRIED + 1))))

    def _gap(self, spot: Spot) -> float:
        """How much the player's own judgement holds against an act."""
        made, *others = self._way.player.judge(spot.situation, [spot.made, *self._others(spot)])
        return max(others, default=made) - made

    def _others(self, spot: Spot) -> list[Any]:
        return [act for act in self._way.player.candidates(spot.situation) if act != spot.made]

    def _tried(self, spot: Spot) -> list[Any]:
        """The acts to try, the one that was made first."""
        others = self._others(spot)
        if not self._way.is_exact and len(others) > TRIED:
            values = self._way.player.judge(spot.situation, others)
            best = sorted(range(len(others)), key=lambda place: -values[place])[:TRIED]
            others = [others[place] for place in best]
        return [spot.made, *others]

    def _trials(self, number: int, look: int, spot: Spot, acts: Sequence[Any], count: int) -> list[list[float]]:
        """The asked seat's shares after each act, trial by trial."""
        rng = Random(f"{self._luck} {number} {look}")
        if not self._way.is_exact:
            self.rollouts += count * len(acts)
        return [[shares[spot.seat] for shares in self._way.trial(spot, acts, rng)] for _ in range(count)]

    def _first_look(self, number: int, spot: Spot, count: int) -> Cost | None:
        acts = self._tried(spot)
        trials = self._trials(number, 1, spot, acts, count)
        values = mean([tuple(each) for each in trials])
        best = max(range(len(acts)), key=values.__getitem__)
        return Cost(number, spot, acts[best], values[best] - values[0]) if best else None

    def _second_look(self, suspect: Cost, count: int) -> Cost | None:
        spot = suspect.spot
        trials = self._trials(suspect.number, 2, spot, (spot.made, suspect.better), max(2, count))
        gains = [better - made for made, better in trials]
        cost = sum(gains) / len(gains)
        return Cost(suspect.number, spot, suspect.better, cost) if cost > 2 * standard_error(gains) else None


def standard_error(values: Sequence[float]) -> float:
    """By how much the mean of some values may err; infinite for a single one, which doesn't tell."""
    if len(values) < 2:
        return inf
    mean_value = sum(values) / len(values)
    return sqrt(sum([(value - mean_value) ** 2 for value in values]) / (len(values) - 1) / len(values))


def _by_cost(cost: Cost) -> tuple[float, int]:
    return -cost.cost, cost.number


def evenly(count: int, most: int) -> list[int]:
    """At most this many of the places 0 to count - 1, the first and the last among them, at equal distances."""
    if count <= most:
        return list(range(count))
    return [round(place * (count - 1) / (most - 1)) for place in range(most)] if most > 1 else [0] * most
