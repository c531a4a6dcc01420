"""Tiv-Miv's computer player, for all levels.

A race has no turns, so nobody is awaited: a seat is asked whenever it has looked and has something to do.
`engines.players.pace` says when that is, and how long it takes to act.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random
from typing import Final, TypeAlias

from engines.game import Event, Seat
from engines.players.player import Racer, Situation
from engines.players.tivmiv.memory import Memory, remember
from engines.players.tivmiv.rules_of_thumb import acts_of, by_rule_of_thumb
from engines.players.tivmiv.standing import ahead, busy
from engines.tivmiv import Action, Options, Public, Stage

TivMivSituation: TypeAlias = Situation[Memory, Action]

USUAL_CHOICES: Final = 4
"""Drawing, and two or three cards that fit."""


class TivMivPlayer(Racer[Memory, Action, Options]):
    """As `Racer`."""

    def begin(self, options: Options, seats: int, seat: Seat) -> Memory:  # noqa: ARG002  the same for all
        return Memory()

    def remember(self, memory: Memory, fact: Event) -> Memory:
        return remember(memory, fact)

    def candidates(self, situation: TivMivSituation) -> Sequence[Action]:
        return acts_of(situation.choices)

    def rule_of_thumb(self, situation: TivMivSituation, rng: Random) -> Action:  # noqa: ARG002  it needs no luck
        return by_rule_of_thumb(situation.memory, situation.view, situation.choices)

    def visible_choices(self, public: Public) -> int:
        return USUAL_CHOICES if public.stage is Stage.RACE else 1

    def busy(self, public: Public) -> Collection[Seat]:
        return busy(public)

    def ahead(self, public: Public, seat: Seat) -> float:
        return ahead(public, seat)


PLAYER: Final = TivMivPlayer()
