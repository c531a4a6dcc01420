"""CIQ's cards: packs of fifty-four, jokers included, shuffled together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Final

from engines.cards import Suit

JOKER: Final = 0
JACK: Final = 11
QUEEN: Final = 12
KING: Final = 13
ACE: Final = 14
EIGHT: Final = 8

RANKS: Final = range(2, ACE + 1)
JOKERS_IN_A_PACK: Final = 2
CARDS_IN_A_PACK: Final = len(RANKS) * len(Suit) + JOKERS_IN_A_PACK

_LETTERS: Final = {10: "T", JACK: "J", QUEEN: "Q", KING: "K", ACE: "A"}
_RANKS: Final = {_LETTERS.get(rank, str(rank)): rank for rank in RANKS}
_JOKER_LETTER: Final = "X"


@dataclass(frozen=True, order=False)
class Card:
    """A card by rank (2 to 14, the ace; a joker has 0 and no suit).

    `copy` tells equal cards of several packs apart. Only the rules use it; no name shows it.
    """

    rank: int
    suit: Suit | None
    copy: int = 0

    @property
    def is_joker(self) -> bool:
        """Whether it is a joker, which has no value, rank or suit."""
        return self.rank == JOKER

    @cached_property
    def code(self) -> str:
        """The notation's form, which names the copy: ``TH0`` for a ten of hearts, ``X3`` for a joker."""
        if self.suit is None:
            return f"{_JOKER_LETTER}{self.copy}"
        return f"{_LETTERS.get(self.rank, str(self.rank))}{self.suit.value}{self.copy}"

    @cached_property
    def name(self) -> str:
        """The card as players read it, such as ``10♥`` or ``🃏`` (C-7)."""
        return "🃏" if self.suit is None else rank_name(self.rank) + self.suit.sign

    @cached_property
    def place(self) -> tuple[int, int, int]:
        """Its sort key in a hand: suit by suit, low to high, jokers last."""
        return (len(_SUITS) if self.suit is None else _SUITS[self.suit], self.rank, self.copy)

    @classmethod
    def of(cls, code: str) -> Card:
        """The card of a code. Raises ValueError for a text that is not a card's code."""
        if code[:1] == _JOKER_LETTER and code[1:].isdecimal():
            return cls(JOKER, None, int(code[1:]))
        if len(code) < 3 or code[0] not in _RANKS or not code[2:].isdecimal():
            raise ValueError("not a card")
        return cls(_RANKS[code[0]], Suit(code[1]), int(code[2:]))


_SUITS: Final = {suit: index for index, suit in enumerate(Suit)}


_by_place: Final = attrgetter("place")


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards sorted as in a hand (`Card.place`)."""
    return tuple(sorted(cards, key=_by_place))


def rank_name(rank: int) -> str:
    """A rank as players read it: ``2`` to ``10``, ``J``, ``Q``, ``K``, ``A``."""
    return str(rank) if rank <= 10 else _LETTERS[rank]


def packs(count: int) -> tuple[Card, ...]:
    """Several packs, one after the other: suit by suit (clubs, diamonds, hearts, spades), low to high, the jokers."""
    return tuple(
        card
        for copy in range(count)
        for card in (
            *(Card(rank, suit, copy) for suit in Suit for rank in RANKS),
            *(Card(JOKER, None, JOKERS_IN_A_PACK * copy + joker) for joker in range(JOKERS_IN_A_PACK)),
        )
    )


def write_cards(cards: tuple[Card, ...]) -> str:
    """The codes of some cards, such as ``7S0+X1``."""
    return "+".join(card.code for card in cards)


def read_cards(text: str) -> tuple[Card, ...]:
    """The cards that `write_cards` wrote, at least one. Raises ValueError."""
    return tuple(Card.of(code) for code in text.split("+"))
