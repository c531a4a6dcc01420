"""Which acts of a match cost their seats most, judged by what each seat knew.

A judge may be wrong, and the best of many values is too good to be true. So each look has luck of its own: a first one
finds acts that may have cost much and the better ones, a second one plays on from the worst of these, and a third one
from the few that are left. The third says what they cost, less what that is usually too much (`Way.believed`). An act
is named only if the third finds twice as much as it may err.
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
RIVALS: Final = 2
"""How many better acts are looked at twice for each of them."""
SECOND_SHARE: Final = 0.4
"""How much of the budget is left for the second and the third look, if the first one has lines of its own."""
THIRD_SHARE: Final = 0.6
"""How much of that is left for the third."""


@dataclass(frozen=True, slots=True)
class Cost:
    """An act, from 1, that cost its seat this share of the win beside the better one."""

    number: int
    spot: Spot
    better: Any
    cost: float


@dataclass(frozen=True, slots=True)
class Suspect:
    """An act that may have cost its seat this much beside the first of its rivals, the best of other acts."""

    number: int
    spot: Spot
    rivals: tuple[Any, ...]
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
        suspects = [self._first_look(*each, trials) for each in chosen if not self._expired()]
        worst = sorted([each for each in suspects if each.cost >= LEAST_COST], key=_by_cost)[:SUSPECTS]
        if self._way.lines is None or not worst:
            return ()
        lines = self._budget - self._first_budget
        second = int(lines * (1 - THIRD_SHARE)) // sum([1 + len(each.rivals) for each in worst])
        looked = [self._second_look(each, second) for each in worst if not self._expired()]
        costly = sorted([each for each in looked if each.cost >= LEAST_COST], key=_by_cost)[:MOST]
        third = int(lines * THIRD_SHARE) // (2 * len(costly) or 1)
        named = [self._third_look(each, third) for each in costly if not self._expired()]
        return tuple(sorted([each for each in named if each is not None and each.cost >= LEAST_COST], key=_by_cost))

    def _worth_a_look(self, spots: Sequence[tuple[int, Spot]]) -> list[tuple[int, Spot]]:
        """Those for which the budget has room: half of them by the player's own judgement, half from all over the
        match."""
        room = self._first_budget // (FIRST_TRIALS[0] * (TRIED + 1))
        if not self._way.is_drawn or len(spots) <= room:
            return list(spots)
        judged = sorted(spots, key=lambda each: -self._gap(each[1]))
        rest = sorted(judged[room // 2 :], key=lambda each: each[0])
        spread = [rest[index] for index in evenly(len(rest), room - room // 2)]
        return sorted([*judged[: room // 2], *spread], key=lambda each: each[0])

    @property
    def _first_budget(self) -> int:
        return int(self._budget * (1 - SECOND_SHARE)) if self._way.is_drawn else 0

    def _first_trials(self, looks: int) -> int:
        """How often each act is tried in the first look."""
        if not self._way.is_drawn or not looks:
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
        if self._way.is_drawn and len(others) > TRIED:
            values = self._way.player.judge(spot.situation, others)
            best = sorted(range(len(others)), key=lambda index: -values[index])[:TRIED]
            others = [others[index] for index in best]
        return [spot.made, *others]

    def _first_look(self, number: int, spot: Spot, count: int) -> Suspect:
        acts = self._tried(spot)
        rng = self._luck_of(number, 1)
        if self._way.is_drawn:
            self.rollouts += count * len(acts)
        trials = [[shares[spot.seat] for shares in self._way.trial(spot, acts, rng)] for _ in range(count)]
        return _suspect(number, spot, acts, trials)

    def _second_look(self, suspect: Suspect, count: int) -> Suspect:
        acts = [suspect.spot.made, *suspect.rivals]
        return _suspect(suspect.number, suspect.spot, acts, self._lines(suspect, 2, acts, max(2, count)))

    def _third_look(self, suspect: Suspect, count: int) -> Cost | None:
        spot, better = suspect.spot, suspect.rivals[0]
        trials = self._lines(suspect, 3, (spot.made, better), max(2, count))
        gains = [rival - made for made, rival in trials]
        cost = sum(gains) / len(gains)
        said = cost * self._way.believed
        return Cost(suspect.number, spot, better, said) if cost > 2 * standard_error(gains) else None

    def _lines(self, suspect: Suspect, look: int, acts: Sequence[Any], count: int) -> list[list[float]]:
        """The asked seat's shares at the end of lines after each act, trial by trial."""
        lines, spot, rng = self._way.lines, suspect.spot, self._luck_of(suspect.number, look)
        if lines is None:
            raise RuntimeError("nothing confirms what this act cost")
        self.rollouts += count * len(acts)
        return [[shares[spot.seat] for shares in lines.after(spot, acts, rng)] for _ in range(count)]

    def _luck_of(self, number: int, look: int) -> Random:
        return Random(f"{self._luck} {number} {look}")


def _suspect(number: int, spot: Spot, acts: Sequence[Any], trials: Sequence[Sequence[float]]) -> Suspect:
    """What a look found of an act, which is the first of these."""
    made, *others = mean([tuple(each) for each in trials])
    best = sorted(range(len(others)), key=lambda index: -others[index])[:RIVALS]
    return Suspect(number, spot, tuple([acts[1 + index] for index in best]), others[best[0]] - made)


def standard_error(values: Sequence[float]) -> float:
    """By how much the mean of some values may err; infinite for a single one, which doesn't tell."""
    if len(values) < 2:
        return inf
    mean_value = sum(values) / len(values)
    return sqrt(sum([(value - mean_value) ** 2 for value in values]) / (len(values) - 1) / len(values))


def _by_cost(cost: Cost | Suspect) -> tuple[float, int]:
    return -cost.cost, cost.number


def evenly(count: int, most: int) -> list[int]:
    """At most this many of the indexes 0 to count - 1, the first and the last among them, at equal distances."""
    if count <= most:
        return list(range(count))
    return [round(index * (count - 1) / (most - 1)) for index in range(most)] if most > 1 else [0] * most
