"""Cards of the French pack."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from operator import attrgetter

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
"""The letters of the ranks 1 to 13 in a card's code."""


class Suit(Enum):
    """A suit, by its code's letter."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"

    @property
    def sign(self) -> str:
        """The suit's sign, such as ``♠`` (C-7)."""
        return _SIGNS[self]


_SIGNS = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}


@dataclass(frozen=True, order=False)
class Card:
    """A card by rank (1 the ace to 13 the king) and suit."""

    rank: int
    suit: Suit

    @cached_property
    def code(self) -> str:
        """Two ASCII characters, such as ``TH`` for the ten of hearts; the notation's form."""
        return RANKS[self.rank - 1] + self.suit.value

    @cached_property
    def name(self) -> str:
        """Rank then suit as players read it, such as ``10♥`` (C-7)."""
        rank = "10" if self.rank == 10 else RANKS[self.rank - 1]
        return rank + self.suit.sign

    @cached_property
    def place(self) -> int:
        """Its sort key in a hand, as in a new pack: suit by suit, low to high."""
        return _SUITS[self.suit] * len(RANKS) + self.rank

    @classmethod
    def of(cls, code: str) -> Card:
        """The card of a code. Raises ValueError for a text that is not a card's code."""
        if len(code) != 2 or code[0] not in RANKS:
            raise ValueError("not a card")
        return cls(RANKS.index(code[0]) + 1, Suit(code[1]))


_SUITS = {suit: index for index, suit in enumerate(Suit)}
_by_place = attrgetter("place")


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards sorted as in a hand (`Card.place`)."""
    return tuple(sorted(cards, key=_by_place))


def pack(ranks: range) -> tuple[Card, ...]:
    """The cards of these ranks, suit by suit (clubs, diamonds, hearts, spades), low to high."""
    return tuple(Card(rank, suit) for suit in Suit for rank in ranks)
