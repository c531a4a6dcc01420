"""A table for search on the rules engine itself, for a game where looking a few acts ahead is enough."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from random import Random
from typing import Any, Generic, Self, TypeVar

from engines.game import AnyGame, Seat

State = TypeVar("State")
Action = TypeVar("Action")
T = TypeVar("T")


class RandomStream:
    """As `engines.chance.Stream`, from a search's own luck."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def below(self, n: int) -> int:
        """As `Stream.below`."""
        return self._rng.randrange(n)

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """As `Stream.shuffled`."""
        return tuple(self._rng.sample(items, len(items)))


class RandomChance:
    """As `engines.chance.Chance`, from a search's own luck."""

    rules_version = None

    def __init__(self, rng: Random) -> None:
        self._stream = RandomStream(rng)

    def deck(self, pack: Sequence[T], deal: int = 1, pack_id: str | None = None) -> tuple[T, ...]:  # noqa: ARG002  every deal is new
        """As `Chance.deck`."""
        return self._stream.shuffled(pack)

    def use(self, name: str) -> RandomStream:  # noqa: ARG002  every use goes on with the same luck
        """As `Chance.use`."""
        return self._stream

    def first_seat(self, seats: int) -> int:
        """As `Chance.first_seat`."""
        return self._stream.below(seats)


class RulesTable(ABC, Generic[State, Action]):
    """As `engines.players.player.Table`. A subclass names the game and the candidates."""

    game: AnyGame

    def __init__(self, state: State) -> None:
        self.state = state

    def copy(self) -> Self:
        """As `Table.copy`. States never change, so they needn't be copied."""
        return type(self)(self.state)

    def asked(self) -> Seat | None:
        """As `Table.asked`, where one seat at a time is asked."""
        window = self.game.window(self.state)
        return None if window is None else next(iter(window.awaited))

    @abstractmethod
    def candidates(self) -> Sequence[Action]:
        """As `Table.candidates`."""

    def play(self, action: Action, rng: Random) -> None:
        """As `Table.play`."""
        facts = self.game.decide(self.state, self.asked(), action, RandomChance(rng))
        self.state = facts.state

    @abstractmethod
    def label(self, action: Action, viewer: Seat) -> Hashable:
        """As `Table.label`."""

    def share(self, seat: Seat) -> float:
        """As `Table.share`."""
        outcome = self.game.outcome(self.state)
        winners: Any = () if outcome is None else outcome.winners
        return 1 / len(winners) if seat in winners else 0.0
