"""Unbreakable's cards as numbers from 0 to 51, in the order of the pack, and their values; sets of cards are bits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from engines.cards import Card, Suit
from engines.unbreakable import PACK, target_value, weapon

CARDS: Final[tuple[Card, ...]] = PACK.cards
NUMBER: Final = {card: number for number, card in enumerate(CARDS)}
ALL: Final = (1 << len(CARDS)) - 1

WEAPON: Final = tuple([weapon(card) for card in CARDS])
"""Each card's value in a weapon hand."""
TARGET: Final = tuple([target_value(card) for card in CARDS])
"""Each card's value as chooser or attacker."""


_SUITS: Final = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)
ORDER: Final = tuple([4 * card.rank + _SUITS.index(card.suit) for card in CARDS])
"""Lower is put away first in swift play where two pairs are as close. All below 64."""
AT_ORDER: Final = {order: number for number, order in enumerate(ORDER)}


def bits_of(cards: Iterable[Card]) -> int:
    """The set of these cards."""
    return sum([1 << NUMBER[card] for card in cards])


def cards_of(bits: int) -> tuple[Card, ...]:
    """The cards of a set, in the order of a hand."""
    return tuple([CARDS[number] for number in numbers_of(bits)])


def numbers_of(bits: int) -> list[int]:
    """The cards of a set as numbers, lowest first."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found


def put_away(weapons: Sequence[int], target: int) -> int:
    """The card of three that swift play puts away: the closest pair is kept (`swift_discard`)."""
    first, second, third = weapons
    value, one, two, three = TARGET[target], WEAPON[first], WEAPON[second], WEAPON[third]
    return AT_ORDER[
        min(
            abs(two + three - value) * 64 + ORDER[first],
            abs(one + three - value) * 64 + ORDER[second],
            abs(one + two - value) * 64 + ORDER[third],
        )
        & 63
    ]
