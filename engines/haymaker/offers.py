"""What Haymaker lets a player pick, and its refusals, which the offers show before an act and the rules after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engines.cards import Card
from engines.game import Refusal, Value
from engines.hands import CardPick
from engines.haymaker.facts import Attack, Block, Cards
from engines.haymaker.table import strength


def attack_refusal(cards: Sequence[Card]) -> Refusal | None:
    """Why these cards are not an attack (H-4), or None."""
    if not cards:
        return Refusal("H-4", "haymaker.refusal.attack_without_cards")
    if any(card.suit is not cards[0].suit for card in cards):
        return Refusal("H-4", "haymaker.refusal.two_suits")
    return None


def block_refusal(cards: Sequence[Card], needed: int) -> Refusal | None:
    """Why these cards do not block an attack of the strength `needed` (H-3), or None."""
    if not cards:
        return Refusal("H-3", "haymaker.refusal.block_without_cards", {"needed": needed})
    if strength(cards) < needed:
        return Refusal("H-3", "haymaker.refusal.block_too_weak", {"strength": strength(cards), "needed": needed})
    return None


def is_reversal(block: int, attack: Cards, attacker_holds: int) -> bool:
    """Whether a valid block is a reversal: it is equal, or it blocks a haymaker or an attacker's last cards."""
    return block == strength(attack) or len(attack) > 1 or attacker_holds == 0


@dataclass(frozen=True, slots=True)
class AttackPick(CardPick[Attack, Card]):
    """Cards of one suit. `worth` has strength, and haymaker as 0 or 1."""

    hand: Cards
    verb = "attack"
    makes = Attack

    def refusal(self, cards: Cards) -> Refusal | None:
        return attack_refusal(cards)

    def worth(self, cards: Cards) -> dict[str, Value]:
        return {"strength": strength(cards), "haymaker": int(len(cards) > 1)}


@dataclass(frozen=True, slots=True)
class BlockPick(CardPick[Block, Card]):
    """Any cards, strong enough together (H-3). `worth` has strength, needed, and reversal as 0 or 1."""

    hand: Cards
    attack: Cards
    attacker_holds: int
    verb = "block"
    makes = Block

    def refusal(self, cards: Cards) -> Refusal | None:
        return block_refusal(cards, strength(self.attack))

    def addition_refusal(self, cards: Cards, unfinished: Refusal | None, card: Card) -> None:
        """Any card can be added to a block."""

    def worth(self, cards: Cards) -> dict[str, Value]:
        needed, have = strength(self.attack), strength(cards)
        reversal = self.refusal(cards) is None and is_reversal(have, self.attack, self.attacker_holds)
        return {"strength": have, "needed": needed, "reversal": int(reversal)}
