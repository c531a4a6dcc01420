"""Which acts of Haymaker are worth trying: all that differ in more than wasted cards.

Too few would be worse than too many. A player trained without blocks of three cards won 0.82 against players without
them, and 0.49 in the real game.

An act is a number. To attack or to block it is the set of the cards; 0 is to pass or to take the hit; to keep, it is
the card kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Final

from engines.haymaker.facts import Action, Attack, Block, Keep, Pass, TakeHit
from engines.haymaker.table import Phase
from engines.players.haymaker.bits import RANK_OF, SUIT, bits_of, cards_of, singles

PASS: Final = 0
HIT: Final = 0
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
    for index, (rank, second) in enumerate(others):
        for other, third in others[index + 1 :]:
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


def number_of(action: Action) -> int:
    """The act as a number."""
    match action:
        case Attack(cards) | Block(cards):
            return bits_of(cards)
        case Keep(card):
            return bits_of((card,))
        case Pass() | TakeHit():
            return 0


def action_of(phase: Phase, number: int) -> Action:
    """The act that a number means in a phase."""
    if phase is Phase.KEEP:
        return Keep(cards_of(number)[0])
    if phase is Phase.ATTACK:
        return Attack(cards_of(number)) if number else Pass()
    return Block(cards_of(number)) if number else TakeHit()
