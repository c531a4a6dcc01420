"""Which acts of Champions of Chance are worth trying: all but those that differ only in a card's copy."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from engines.players.champions.numbering import Numbering


def dice(cards: Numbering, deck: Sequence[int], size: int) -> list[int]:
    """The dice of this size, each a set of cards as bits."""
    kinds = cards.kinds
    found: dict[tuple[int, ...], int] = {}
    for each in combinations(deck, size):
        key = tuple([kinds[card] for card in each])
        if key not in found:
            found[key] = sum([1 << card for card in each])
    return list(found.values())


def exchanges(cards: Numbering, deck: Sequence[int]) -> list[int]:
    """The cards to discard after a tie, one of each kind."""
    kinds = cards.kinds
    return list({kinds[card]: card for card in deck}.values())
