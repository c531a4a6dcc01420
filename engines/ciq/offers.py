"""What CIQ lets a player pick, and its refusals, which the offers show before an act and the rules after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engines.ciq.cards import ACE, JACK, KING, QUEEN, Card, rank_name
from engines.ciq.facts import Attack, Block, Cards, Defend, Give, Pile
from engines.game import Refusal, Seat, Value
from engines.hands import CardPick, cards_at


def sequence_refusal(cards: Sequence[Card], defense: int, pile: Pile) -> Refusal | None:
    """Why these cards, in this order, are not an attack on this pile against this Defense (Q-3), or None."""
    if not cards:
        return Refusal("Q-2", "ciq.refusal.attack_without_cards")
    for index, card in enumerate(cards):
        if card.is_joker and pile is Pile.DEFENSE:
            return Refusal("Q-3", "ciq.refusal.joker_on_defense")
        if index and cards[index - 1].rank > defense:
            return Refusal("Q-3", "ciq.refusal.attack_card_not_last", {"card": cards[index - 1].name})
        if index and not _linked(cards[index - 1], card):
            return Refusal("Q-3", "ciq.refusal.not_linked", {"card": cards[index - 1].name})
    if len(cards) == 1 and cards[0].rank > defense and pile is Pile.DEFENSE:
        return Refusal("Q-3", "ciq.refusal.attack_card_alone", {"defense": rank_name(defense)})
    return None


def _linked(before: Card, card: Card) -> bool:
    return before.is_joker or card.is_joker or before.suit is card.suit or before.rank == card.rank


def acting_rank(cards: Sequence[Card], index: int, defense: int) -> int:
    """The rank a card of a sequence acts as: its own, but a lone Attack Card acts as the Defense (Q-4)."""
    rank = cards[index].rank
    return defense if len(cards) == 1 and rank > defense else rank


def block_refusal(cards: Sequence[Card], needed: int) -> Refusal | None:
    """Why these cards do not block a last card of the value `needed` (Q-6), or None."""
    if not cards:
        return Refusal("Q-6", "ciq.refusal.block_without_card", {"needed": rank_name(needed)})
    if len(cards) > 1:
        return Refusal("Q-6", "ciq.refusal.block_with_one")
    if cards[0].is_joker:
        return Refusal("Q-6", "ciq.refusal.block_with_joker")
    if cards[0].rank < needed:
        return Refusal("Q-6", "ciq.refusal.block_too_low", {"needed": rank_name(needed)})
    return None


def defend_refusal(cards: Sequence[Card], top: Card) -> Refusal | None:
    """Why these cards cannot replace the Defense Pile with this top card (Q-14), or None."""
    suit = "" if top.suit is None else top.suit.sign
    if not cards:
        return Refusal("Q-14", "ciq.refusal.defend_without_card", {"suit": suit})
    if len(cards) > 1:
        return Refusal("Q-14", "ciq.refusal.defend_with_one")
    if cards[0].suit is not top.suit:
        return Refusal("Q-14", "ciq.refusal.defend_suit", {"suit": suit})
    return None


def give_refusal(cards: Sequence[Card], owed: int) -> Refusal | None:
    """Why giving these cards is not what is owed (Q-9), or None."""
    if len(cards) < owed:
        return Refusal("Q-9", "ciq.refusal.give_more", {"owed": owed, "picked": len(cards)})
    if len(cards) > owed:
        return Refusal("Q-9", "ciq.refusal.give_less", {"owed": owed})
    return None


@dataclass(frozen=True, slots=True)
class Stock:
    """How many cards the attacker has where transfers come from, before the attack is laid."""

    attack: int
    damage: int
    defense: int


@dataclass(frozen=True, slots=True)
class AttackPick(CardPick[Attack, Card]):
    """A sequence against one pile of one opponent; its order matters.

    `worth` has `transfer`, how many cards the attack moves if nothing is blocked; `jack`, 1 if a Jack adds an unknown
    number, which the other numbers leave out; `cut`, 1 if the attack ends early because the Attack Pile runs out (Q-8);
    `wins`, 1 if it empties hand and piles; `needed`, the rank that a block needs ("" if none can); `cards`, the cards
    picked; `top`, the last of them ("" for none).
    """

    hand: Cards
    target: Seat
    pile: Pile
    defense: int
    stock: Stock
    verb: str
    ordered = True

    def action(self, picked: tuple[int, ...]) -> Attack:
        return Attack(self.target, self.pile, cards_at(self.hand, picked))

    def refusal(self, cards: Cards) -> Refusal | None:
        return sequence_refusal(cards, self.defense, self.pile)

    def addition_refusal(self, cards: Cards, unfinished: Refusal | None, card: Card) -> Refusal | None:
        """Why a card cannot be added to these cards. What is wrong within two or more stays wrong; apart from that, the
        card has to follow the last one."""
        if unfinished is not None and len(cards) > 1:
            return unfinished
        return self.refusal((*cards[-1:], card))

    def worth(self, cards: Cards) -> dict[str, Value]:
        needed = block_needed(cards, self.defense, self.pile) if cards else 0
        worth: dict[str, Value] = {
            "transfer": 0,
            "jack": 0,
            "cut": 0,
            "wins": 0,
            "needed": rank_name(needed) if needed else "",
            "cards": " ".join(card.name for card in cards),
            "top": cards[-1].name if cards else "",
        }
        if self.pile is Pile.DEFENSE:
            return worth
        return worth | foretold(cards, self.defense, self.stock, len(self.hand) - len(cards))


def foretold(cards: Sequence[Card], defense: int, stock: Stock, hand: int) -> dict[str, Value]:
    """What these cards would do, worked out to the end, as `transfer`, `jack`, `cut` and `wins` of an `AttackPick`.

    `stock` is what the attacker has in piles, `hand` how many cards are left in their hand.
    """
    count = _Count(stock, hand)
    for index in range(len(cards)):
        count.work_out(acting_rank(cards, index, defense))
    return {"transfer": count.moved, "jack": count.jack, "cut": count.cut, "wins": count.wins}


class _Count:
    """How an attack would end, in numbers of cards only."""

    def __init__(self, stock: Stock, hand: int) -> None:
        self._attack, self._damage = stock.attack, stock.damage
        self._rest = hand + stock.defense
        self.moved = self.jack = self.cut = self.wins = 0

    def work_out(self, rank: int) -> None:
        if self.cut or self.wins:
            return
        if rank == KING:
            self.moved, self._damage = self.moved + self._damage, 0
        elif rank == ACE:
            self.moved, self._attack = self.moved + self._attack, 0
        elif rank == QUEEN:
            self._transfer(self.moved)
        elif rank == JACK:
            self.jack = 1
        else:
            self._transfer(rank)

    def _transfer(self, cards: int) -> None:
        from_pile = min(cards, self._attack)
        self._attack -= from_pile
        self.moved += from_pile
        short = cards - from_pile
        if not short:
            return
        if self._damage:
            self.cut = 1
            return
        given = min(short, self._rest)
        self._rest -= given
        self.moved += given
        self.wins = int(self._rest == 0)


def block_needed(cards: Sequence[Card], defense: int, pile: Pile) -> int:
    """The value that a block of this attack needs; 0 if Q-6 allows none."""
    if pile is Pile.DEFENSE or cards[-1].is_joker:
        return 0
    return acting_rank(cards, len(cards) - 1, defense)


@dataclass(frozen=True, slots=True)
class BlockPick(CardPick[Block, Card]):
    """One card. `worth` has the rank needed."""

    hand: Cards
    needed: int
    verb = "block"
    makes = Block

    def refusal(self, cards: Cards) -> Refusal | None:
        return block_refusal(cards, self.needed)

    def worth(self, cards: Cards) -> dict[str, Value]:  # noqa: ARG002  it is the same for all
        return {"needed": rank_name(self.needed)}


@dataclass(frozen=True, slots=True)
class DefendPick(CardPick[Defend, Card]):
    """One card. `worth` has the Defense now and as it would be (the same with none picked)."""

    hand: Cards
    top: Card
    verb = "defend"
    makes = Defend

    def refusal(self, cards: Cards) -> Refusal | None:
        return defend_refusal(cards, self.top)

    def worth(self, cards: Cards) -> dict[str, Value]:
        return {"now": self.top.name, "new": (cards[0] if cards else self.top).name}


@dataclass(frozen=True, slots=True)
class GivePick(CardPick[Give, Card]):
    """As many cards as are owed. `worth` has picked and owed."""

    hand: Cards
    owed: int
    verb = "give"
    makes = Give

    def refusal(self, cards: Cards) -> Refusal | None:
        return give_refusal(cards, self.owed)

    def addition_refusal(self, cards: Cards, unfinished: Refusal | None, card: Card) -> Refusal | None:  # noqa: ARG002  the number decides
        """Until enough are picked, any card can be added."""
        return self.refusal((*cards, card)) if len(cards) >= self.owed else None

    def worth(self, cards: Cards) -> dict[str, Value]:
        return {"picked": len(cards), "owed": self.owed}
