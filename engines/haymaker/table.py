"""Haymaker's table: the state, and what the players and the public may know of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from engines.cards import Card, in_order, pack
from engines.game import Pack, Seat
from engines.haymaker.facts import Cards, Ended
from engines.values import put_of_two

Two: TypeAlias = tuple[Cards, Cards]
"""The cards of each seat."""

PACK: Final = Pack("haymaker40", pack(range(1, 11)))


def strength(cards: Sequence[Card]) -> int:
    """The strength of an attack or a block: the sum of its ranks, with the ace as one."""
    return sum([card.rank for card in cards])


class Phase(Enum):
    """What the match waits for."""

    ATTACK = "attack"
    REPLY = "reply"
    KEEP = "keep"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class LastTurn:
    """The turn before this one, as all saw it. `reply` is block, reversal, hit or pass."""

    attacker: Seat
    attack: Cards
    reply: str
    block: Cards


@dataclass(frozen=True, slots=True)
class State:
    """Everything, hidden cards included. Hands are sorted by suit and rank; the draw pile's top is first."""

    dealer: Seat = 0
    turn: int = 0
    window: int = 0
    phase: Phase = Phase.ATTACK
    attacker: Seat = 0
    may_pass: bool = False
    hands: Two = ((), ())
    discards: Two = ((), ())
    draw: Cards = ()
    burned: Cards = ()
    attack: Cards = ()
    block: Cards = ()
    drawn: Cards = ()
    last: LastTurn | None = None
    ended: Ended | None = None

    @property
    def asked(self) -> Seat:
        """Who has to answer; nobody once the match is over."""
        return 1 - self.attacker if self.phase is Phase.REPLY else self.attacker

    def with_cards(self, seat: Seat, cards: Cards) -> Two:
        """The hands with these cards added to one."""
        return put_of_two(self.hands, seat, in_order((*self.hands[seat], *cards)))

    def without_cards(self, seat: Seat, cards: Cards) -> Two:
        """The hands with these cards taken from one."""
        places = {card.place for card in cards}  # numbers are compared faster than cards
        return put_of_two(self.hands, seat, tuple([card for card in self.hands[seat] if card.place not in places]))

    def turn_so_far(self, reply: str, block: Cards = ()) -> LastTurn:
        """This turn with its reply, as everybody saw it."""
        return LastTurn(self.attacker, self.attack, reply, block)


@dataclass(frozen=True, slots=True)
class Public:
    """What everybody may know. Cards lie face up in `attack`, `block` and `discards`; the rest are counts.

    `asked` is None once the match is over. After a knockout the attack still lies on the table.
    """

    dealer: Seat
    turn: int
    phase: Phase
    attacker: Seat
    asked: Seat | None
    may_pass: bool
    attack: Cards
    strength: int
    block: Cards
    hands: tuple[int, ...]
    discards: tuple[Cards, ...]
    draw: int
    burned: int
    drawn: int
    last: LastTurn | None


@dataclass(frozen=True, slots=True)
class Own:
    """A seat's hand and, while it chooses in a pass, the two cards drawn, the first one first."""

    hand: Cards
    drawn: Cards
