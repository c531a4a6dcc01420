"""How weaker levels choose: they know what each act is worth to the strong ones, and slip.

With a temperature above 0 an act that is worth little less than the best is chosen nearly as often, and one that is
worth much less hardly ever. So a level errs as people do: slightly and often, badly and rarely.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp
from random import Random
from typing import Any, Generic, TypeAlias

from engines.players.player import Action, Expired, Memory, Situation, Thought

Worths: TypeAlias = Callable[[Situation[Any, Any], Sequence[Any]], Sequence[float]]
"""What each of these acts is worth to their seat, by any measure."""


@dataclass(frozen=True, slots=True)
class Slipping(Generic[Memory, Action]):
    """A `Policy` that draws its act by what all `candidates` are worth, at a temperature above 0."""

    candidates: Callable[[Situation[Memory, Action]], Sequence[Action]]
    worths: Worths
    temperature: float

    def __call__(
        self,
        situation: Situation[Memory, Action],
        rng: Random,
        rollouts: int,  # noqa: ARG002  it plays none
        expired: Expired,  # noqa: ARG002  it is quick
    ) -> Thought[Action]:
        """Choose an act."""
        acts = self.candidates(situation)
        if len(acts) == 1:
            return Thought(acts[0])
        return Thought(acts[drawn(self.worths(situation, acts), self.temperature, rng)])


def drawn(worths: Sequence[float], temperature: float, rng: Random) -> int:
    """The index of one of these worths: the best at temperature 0, and at a higher one any, the better the likelier."""
    best = max(worths)
    if not temperature:
        return [*worths].index(best)
    return rng.choices(range(len(worths)), [exp((worth - best) / temperature) for worth in worths])[0]
