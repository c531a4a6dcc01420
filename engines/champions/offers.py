"""What Champions of Chance lets a player pick, and its refusals, which the offers show before an act and the rules
after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engines.champions.cards import Card, Cards
from engines.champions.facts import Exchange, Select
from engines.game import Refusal, Value
from engines.hands import CardPick


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
class DiePick(CardPick[Select, Card]):
    """The cards of one's die. `worth` has picked and size."""

    hand: Cards
    number: int
    verb = "select"
    makes = Select

    def refusal(self, cards: Cards) -> Refusal | None:
        return die_refusal(cards, self.hand, self.number)

    def addition_refusal(self, cards: Cards, unfinished: Refusal | None, card: Card) -> Refusal | None:
        """Before the die is full, a card is refused only for what it is (K-18)."""
        refusal = self.refusal((*cards, card))
        return refusal if unfinished is None or (refusal is not None and refusal.ruling == "K-18") else None

    def worth(self, cards: Cards) -> dict[str, Value]:
        return {"picked": len(cards), "size": die_size(self.hand, self.number)}


@dataclass(frozen=True, slots=True)
class ExchangePick(CardPick[Exchange, Card]):
    """The card to discard after a tie. `worth` is empty."""

    hand: Cards
    verb = "exchange"
    makes = Exchange

    def refusal(self, cards: Cards) -> Refusal | None:
        return exchange_refusal(len(cards))
