"""What Champions of Chance lets a player pick, and its refusals, which the offers show before an act and the rules
after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engines.champions.cards import Card, Cards
from engines.champions.facts import Exchange, Select
from engines.game import Pick, Refusal, Step
from engines.hands import card_twice, cards_at, picked_cards


def die_size(deck: Sequence[Card], number: int) -> int:
    """How many cards a die has: the number, or all cards if there are fewer."""
    return min(number, len(deck))


def die_refusal(cards: Sequence[Card], deck: Sequence[Card], number: int) -> Refusal | None:
    """Why these cards of a deck are not a die for this number, or None."""
    size = die_size(deck, number)
    if len(cards) > size:
        return Refusal("K-2", "champions.refusal.die_too_large", {"size": size})
    if size == 1 and any(card.special for card in cards) and not all(card.special for card in deck):
        return Refusal("K-18", "champions.refusal.special_alone")
    if len(cards) < size:
        return Refusal("K-2", "champions.refusal.die_too_small", {"size": size, "picked": len(cards)})
    return None


def exchange_refusal(count: int) -> Refusal | None:
    """Why this many cards are not an exchange (K-3), or None."""
    return None if count == 1 else Refusal("K-3", "champions.refusal.exchange_one")


@dataclass(frozen=True, slots=True)
class DiePick(Pick[Select]):
    """The cards of one's die. `worth` has picked and size."""

    deck: Cards
    number: int
    verb = "select"
    ordered = False

    @property
    def items(self) -> int:
        return len(self.deck)

    def step(self, picked: tuple[int, ...]) -> Step:
        cards = picked_cards(self.deck, picked)
        unfinished = die_refusal(cards, self.deck, self.number)
        addable = [self._addable(cards, card, full=unfinished is None) for card in self.deck]
        return Step(tuple(addable), unfinished, {"picked": len(cards), "size": die_size(self.deck, self.number)})

    def _addable(self, cards: Cards, card: Card, *, full: bool) -> Refusal | None:
        if card in cards:
            return card_twice(card)
        refusal = die_refusal((*cards, card), self.deck, self.number)
        return refusal if full or (refusal is not None and refusal.ruling == "K-18") else None

    def action(self, picked: tuple[int, ...]) -> Select:
        return Select(cards_at(self.deck, picked))


@dataclass(frozen=True, slots=True)
class ExchangePick(Pick[Exchange]):
    """The card to discard after a tie. `worth` is empty."""

    deck: Cards
    verb = "exchange"
    ordered = False

    @property
    def items(self) -> int:
        return len(self.deck)

    def step(self, picked: tuple[int, ...]) -> Step:
        cards = picked_cards(self.deck, picked)
        addable = [card_twice(card) if card in cards else exchange_refusal(len(cards) + 1) for card in self.deck]
        return Step(tuple(addable), exchange_refusal(len(cards)), {})

    def action(self, picked: tuple[int, ...]) -> Exchange:
        return Exchange(cards_at(self.deck, picked))
