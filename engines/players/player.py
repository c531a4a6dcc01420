"""What the computer player of a game consists of: the parts that are the same for all levels.

A seat's `Situation` is what it knows when it is asked: a memory folded from the facts as it has seen them, its
observation, and its choices. An observation forgets (which cards were given for a hit, in which order a pile was turned
over); the memory doesn't.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar, runtime_checkable

from engines.game import Choices, Event, Private, Seat

Memory = TypeVar("Memory")
Action = TypeVar("Action")
Options_contra = TypeVar("Options_contra", contravariant=True)

Expired: TypeAlias = Callable[[], bool]
"""Says whether the time to think is over. A player asks between rollouts, because it has no clock."""


class Table(Protocol[Action]):
    """A table that is changed in place, for search and training: the same rules as the game's, many times as fast.

    It has all cards. A search makes up the cards that its seat doesn't know.
    """

    def copy(self) -> Self:
        """An equal table that changes independently."""
        ...

    def asked(self) -> Seat | None:
        """Who has to act; None once the match is over."""
        ...

    def candidates(self) -> Sequence[Action]:
        """The acts worth trying, all legal and at least one. The table must not be over."""
        ...

    def play(self, action: Action, rng: Random) -> None:
        """Apply a legal act of the seat that is asked."""
        ...

    def label(self, action: Action, viewer: Seat) -> Hashable:
        """What a seat sees of an act that is about to be played: equal for two acts it can't tell apart."""
        ...

    def share(self, seat: Seat) -> float:
        """The seat's share of the win once the match is over: 1, 1/winners for a shared win, or 0."""
        ...


@dataclass(frozen=True, slots=True)
class Situation(Generic[Memory, Action]):
    """What a seat knows when it is asked."""

    memory: Memory
    view: Private[Any, Any]
    choices: Choices[Action]


class Chooser(Protocol[Memory, Action, Options_contra]):
    """What every level of a game needs. Nobody searches in a race, so it needs no more of this kind.

    Implementations have no state of their own.
    """

    def begin(self, options: Options_contra, seats: int, seat: Seat) -> Memory:
        """The memory of a seat before the first fact."""
        ...

    def remember(self, memory: Memory, fact: Event) -> Memory:
        """The memory after a fact as `seen_by` shows it to the seat."""
        ...

    def candidates(self, situation: Situation[Memory, Action]) -> Sequence[Action]:
        """The acts worth trying, all legal and at least one. A seat that can do nothing isn't asked."""
        ...

    def rule_of_thumb(self, situation: Situation[Memory, Action], rng: Random) -> Action:
        """A sensible act in less than a millisecond for a hand of usual size, and never more than a few."""
        ...

    def visible_choices(self, public: Any) -> int:
        """About how many acts the asked seat has, estimated from what everybody may know."""
        ...


class Player(Chooser[Memory, Action, Options_contra], Protocol[Memory, Action, Options_contra]):
    """A game of turns as its computer player sees it: what hints and reviews need, too."""

    def judge(self, situation: Situation[Memory, Action], actions: Sequence[Action]) -> Sequence[float]:
        """The share of the win, from 0 to 1, that each of these acts is estimated to bring the seat."""
        ...


@runtime_checkable
class Racer(Chooser[Memory, Action, Options_contra], Protocol[Memory, Action, Options_contra]):
    """A race as its computer player sees it: what its pace depends on, too (`engines.players.pace`).

    Both are taken from what everybody may know, so that a computer's pace doesn't give hidden cards away.
    """

    def busy(self, public: Any) -> Collection[Seat]:
        """The seats that surely have something to do."""
        ...

    def ahead(self, public: Any, seat: Seat) -> float:
        """How much slower the seat would have to be for the race to stay even: the logarithm of a factor, negative if
        the seat is behind."""
        ...


@dataclass(frozen=True, slots=True)
class Thought(Generic[Action]):
    """The act that a policy chose, and the rollouts that it played for it."""

    action: Action
    rollouts: int = 0


class Policy(Protocol[Memory, Action]):
    """How a level chooses its act. The same arguments give the same act, unless the time expired."""

    def __call__(
        self, situation: Situation[Memory, Action], rng: Random, rollouts: int, expired: Expired
    ) -> Thought[Action]:
        """Choose an act; `rollouts` is the budget of a policy that searches."""
        ...
