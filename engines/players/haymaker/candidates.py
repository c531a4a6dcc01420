"""Which acts of Haymaker are worth trying: all that differ in more than wasted cards.

Too few would be worse than too many. A player trained without blocks of three cards won 0.82 against players without
them, and 0.49 in the real game.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Final

from engines.players.haymaker.bits import RANK_OF, SUIT, singles

LONGEST_ATTACK: Final = 4
"""Cards of an attack, unless it is all cards of a suit."""


def attacks(hand: int) -> list[int]:
    """The attacks: each set of up to four cards of a suit, and all cards of a suit."""
    return [
        *_of_suit(hand & SUIT),
        *_of_suit(hand & SUIT << 10),
        *_of_suit(hand & SUIT << 20),
        *_of_suit(hand & SUIT << 30),
    ]


@cache  # at most 1,024 sets of each of the four suits
def _of_suit(cards: int) -> tuple[int, ...]:
    each = singles(cards)
    sizes = range(1, min(len(each), LONGEST_ATTACK) + 1)
    found = [sum(group) for size in sizes for group in combinations(each, size)]
    return (*found, cards) if len(each) > LONGEST_ATTACK else tuple(found)


def blocks(hand: int, needed: int) -> list[int]:
    """The blocks without a card too many: those of up to three cards; if there are none, the shortest longer ones.

    A block that is exactly as strong as the attack never has a card too many.
    """
    found, low = [], []
    while hand:
        card = hand & -hand
        hand ^= card
        if RANK_OF[card] >= needed:
            found.append(card)
        else:
            low.append((RANK_OF[card], card))
    count = len(low)
    for first in range(count - 1):
        rank, card = low[first]
        missing = needed - rank
        short = []
        for other, second in low[first + 1 :]:
            if other >= missing:
                found.append(card | second)
            else:
                short.append((other, second))
        if len(short) > 1:
            _add_threes(found, card, missing, needed, short)
    return found or _longer(low, needed)


def _add_threes(found: list[int], card: int, missing: int, needed: int, others: Sequence[tuple[int, int]]) -> None:
    """Add the blocks of this card and two of the others, each of which is too weak with it alone."""
    for place, (rank, second) in enumerate(others):
        for other, third in others[place + 1 :]:
            if rank + other >= missing and rank + other < needed:
                found.append(card | second | third)


def _longer(cards: list[tuple[int, int]], needed: int) -> list[int]:
    """The shortest blocks of four cards or more; none if all cards together are too weak."""
    strongest = sorted(cards, reverse=True)
    total = 0
    for size, (rank, _) in enumerate(strongest, 1):
        total += rank
        if total >= needed:
            return [
                sum([card for _, card in group])
                for group in combinations(cards, size)
                if sum([rank for rank, _ in group]) >= needed
            ]
    return []
