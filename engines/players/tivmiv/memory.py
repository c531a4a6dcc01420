"""What a seat of Tiv-Miv remembers: the cards of this phase that everybody has seen."""

from __future__ import annotations

from dataclasses import dataclass

from engines.game import Event
from engines.tivmiv import PACK, BottomTurned, Card, CardPlaced, Cards, CentreTurned, PhaseBegun, Recycled


@dataclass(frozen=True, slots=True)
class Memory:
    """What a seat remembers beyond what it sees: the cards that have been on top of the centre pile in this phase."""

    centre: frozenset[Card] = frozenset()


def remember(memory: Memory, fact: Event) -> Memory:
    """The memory after a fact as the seat sees it."""
    match fact:
        case PhaseBegun():
            return Memory()
        case CentreTurned(card) | CardPlaced(card=card) | BottomTurned(card):
            return Memory(memory.centre | {card})
        case Recycled(cards):
            return Memory(memory.centre.union(cards))
        case _:
            return memory


def unseen(memory: Memory, hand: Cards) -> list[Card]:
    """The cards that the seat hasn't seen in this phase: in other hands, in the decks, or put under the pile."""
    seen = memory.centre.union(hand)
    return [card for card in PACK.cards if card not in seen]
