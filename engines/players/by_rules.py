"""The levels that play by a game's rules of thumb, with or without errors."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Generic

from engines.players.player import Action, Chooser, Expired, Memory, Situation, Thought


@dataclass(frozen=True, slots=True)
class ByRules(Generic[Memory, Action]):
    """A `Policy` that chooses by rule of thumb. `errs` is the share of acts, from 0 to 1, that it makes at random."""

    player: Chooser[Memory, Action, Any]
    errs: float = 0.0

    def __call__(
        self,
        situation: Situation[Memory, Action],
        rng: Random,
        rollouts: int,  # noqa: ARG002  it plays none
        expired: Expired,  # noqa: ARG002  it is quick
    ) -> Thought[Action]:
        """Choose an act."""
        if self.errs and rng.random() < self.errs:
            return Thought(rng.choice(self.player.candidates(situation)))
        return Thought(self.player.rule_of_thumb(situation, rng))
