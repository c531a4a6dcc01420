"""Haymaker's cards as bits: a set of cards is a number below 2^40, its lowest bit the ace of clubs.

Bit ``10 * suit + rank - 1``, so the order of the bits is the order of a hand (`Card.place`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engines.cards import Card
from engines.haymaker import PACK

RANKS: Final = 10
SUIT: Final = (1 << RANKS) - 1
"""All cards of the first suit."""
ALL: Final = (1 << 40) - 1

CARDS: Final[tuple[Card, ...]] = PACK.cards
_BITS: Final = {card.place: 1 << index for index, card in enumerate(CARDS)}
"""By a card's order in a hand, because a card's hash takes ten times as long."""

RANK_OF: Final = {1 << index: card.rank for index, card in enumerate(CARDS)}
"""The rank of a single card."""
OF_RANK: Final = tuple([sum([bit for bit, rank in RANK_OF.items() if rank == wanted]) for wanted in range(RANKS + 1)])
"""All cards of a rank; nothing at index 0."""
STRENGTHS: Final = tuple(
    [sum([rank for rank in range(1, RANKS + 1) if suit >> (rank - 1) & 1]) for suit in range(1024)]
)


def bits_of(cards: Iterable[Card]) -> int:
    """The set of these cards."""
    return sum([_BITS[card.place] for card in cards])


def cards_of(bits: int) -> tuple[Card, ...]:
    """The cards of a set, in the order of a hand."""
    return tuple([card for index, card in enumerate(CARDS) if bits >> index & 1])


def singles(bits: int) -> list[int]:
    """The cards of a set, each as a set of its own, in the order of a hand."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low)
        bits ^= low
    return found


def suits_of(bits: int) -> tuple[int, int, int, int]:
    """The four suits of a set, each as a set of cards of the first suit."""
    return bits & SUIT, bits >> 10 & SUIT, bits >> 20 & SUIT, bits >> 30


def strength(bits: int) -> int:
    """The sum of the ranks."""
    return STRENGTHS[bits & SUIT] + STRENGTHS[bits >> 10 & SUIT] + STRENGTHS[bits >> 20 & SUIT] + STRENGTHS[bits >> 30]
