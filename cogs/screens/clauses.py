"""Moves as clauses: how a game says what somebody did, or should do, without its buttons' labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from bot.ui.catalogue import Translations
from engines.game import Value


class Move(NamedTuple):
    """A move as its player is offered it: the offer's verb, the indexes of what is picked for it, and what the rules
    foretell of it (`Step.worth`)."""

    verb: str
    picked: tuple[int, ...] = ()
    worth: Mapping[str, Value] = {}


@dataclass(frozen=True, slots=True)
class Clause:
    """A move in the words of its game.

    `key` stands for two sentences of the catalogue: with `do` in place of `{}` it advises the move, with `did` it tells
    that {player} made it. `values` are texts for both.
    """

    key: str
    values: Mapping[str, str] = field(default_factory=dict)

    def advised(self, words: Translations) -> str:
        """The move as advice, without a full stop: `Attack with 7♠`."""
        return words(self.key.format("do"), **self.values)

    def told(self, words: Translations, player: str) -> str:
        """The move as a sentence about who made it: `Bob attacked with 7♠.`"""
        return words(self.key.format("did"), player=player, **self.values)

    def differs_in(self, other: Clause) -> str | None:
        """The one value in which two clauses differ; None if they differ in anything else, or in nothing."""
        if self.key != other.key:
            return None
        names = [name for name, value in self.values.items() if other.values[name] != value]
        return names[0] if len(names) == 1 else None


@dataclass(frozen=True, slots=True)
class Reason:
    """What is true of a move and speaks for it beside moves of which it isn't: what it saves, opens or denies.

    `key` is a sentence of the catalogue, with these values. With `n` it has a singular. Where the same can be said of
    two moves, it speaks for the one of which it is worth more.
    """

    key: str
    values: Mapping[str, str] = field(default_factory=dict)
    n: int | None = None
    worth: int = 0

    def told(self, words: Translations) -> str:
        """The sentence: `It keeps 2♣ 7♣ together for a haymaker.`"""
        return words(self.key, **self.values) if self.n is None else words.count(self.key, self.n, **self.values)


def reason_for(better: Sequence[Sequence[Reason]], others: Sequence[Sequence[Reason]]) -> Reason | None:
    """The weightiest reason that all of the better moves have and none of the others; None if there is none.

    Each move's reasons begin with the weightiest.
    """
    against: dict[str, int] = {}
    for other in (other for each in others for other in each):
        against[other.key] = max(other.worth, against.get(other.key, other.worth))
    for reason in better[0]:
        outdone = reason.key in against and against[reason.key] >= reason.worth
        if not outdone and all(reason in each for each in better):
            return reason
    return None


def advised_any(clauses: Sequence[Clause], words: Translations) -> str:
    """Moves of which any is as good: one clause if they differ in one value, such as their cards."""
    moves: list[Clause] = []
    for clause in clauses:
        if clause not in moves:
            moves.append(clause)
    first, *others = moves
    differing = {first.differs_in(other) for other in others}
    name = differing.pop() if len(differing) == 1 else None
    if name is None:
        return words("moves.any").join([move.advised(words) for move in moves])
    either = words.any_of([move.values[name] for move in moves])
    return replace(first, values={**first.values, name: either}).advised(words)
