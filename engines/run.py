"""Works out an act: `decide` adds facts one by one, and reads the state that they have made so far."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Self, TypeVar

from engines.chance import Chance
from engines.game import Event, Facts

EventT = TypeVar("EventT", bound=Event)
State = TypeVar("State")


class Run(Generic[EventT, State]):
    """The facts of an act so far, the state after them, and the chance that the act may use.

    A game adds methods for what follows: the next turn, the end.
    """

    def __init__(self, evolve: Callable[[State, EventT], State], state: State, chance: Chance) -> None:
        self.state = state
        self.chance = chance
        self._evolve = evolve
        self._facts: list[EventT] = []

    def add(self, *facts: EventT) -> Self:
        """Add these facts, one after the other."""
        state = self.state
        for fact in facts:
            state = self._evolve(state, fact)
        self.state = state
        self._facts += facts
        return self

    @property
    def facts(self) -> Facts[EventT, State]:
        """All facts and the state after them, which `decide` returns."""
        return Facts(self._facts, self.state)
