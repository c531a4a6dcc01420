"""What speaks for a move of Haymaker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TypeAlias

from cogs.screens.clauses import Move, Reason
from cogs.screens.presenter import Reader
from engines import haymaker
from engines.cards import Card, Suit
from engines.game import Private

Hand: TypeAlias = Private[haymaker.Public, haymaker.Own]


def reasons(move: Move, own: Hand, reader: Reader) -> Iterator[Reason]:
    """The weightiest first."""
    hand = own.own.hand
    left = [card for index, card in enumerate(hand) if index not in move.picked]
    if move.verb.startswith("keep"):
        yield from _of_keeping(own, int(move.verb.removeprefix("keep")), reader)
        return
    if move.verb == "attack":
        yield from _of_attacking(len(move.picked), left, own.public, reader)
    if move.verb == "block" and move.worth["reversal"]:
        yield Reason("haymaker.why.reversal")
    if move.verb == "block":
        yield Reason("haymaker.why.costs", n=len(move.picked), worth=-len(move.picked))
    if move.verb == "hit" and min(2, len(own.public.attack)) < _least_to_block(hand, own.public.strength) <= len(hand):
        yield Reason("haymaker.why.hit")
    if move.verb == "pass" and own.public.draw > 1:
        yield Reason("haymaker.why.pass")
    if move.picked:
        yield from _of_what_is_left(hand, left, reader)


def _of_attacking(cards: int, left: Sequence[Card], public: haymaker.Public, reader: Reader) -> Iterator[Reason]:
    defender = 1 - public.attacker
    cost = 1 if cards == 1 else 2
    if public.hands[defender] < cost:
        yield Reason("haymaker.why.knockout", {"player": reader.names[defender]})
    elif cost > 1:
        yield Reason("haymaker.why.two", {"player": reader.names[defender]})
    elif left:
        yield Reason("haymaker.why.single")


def _of_what_is_left(hand: Sequence[Card], left: Sequence[Card], reader: Reader) -> Iterator[Reason]:
    """What stays together for a haymaker, and the strongest card."""
    together = max([_of_suit(hand, suit) for suit in Suit], key=haymaker.strength)
    if len(together) > 1 and all(card in left for card in together):
        yield Reason("haymaker.why.together", {"cards": reader.cards.row(together)}, worth=haymaker.strength(together))
    strongest = max(hand, key=lambda card: card.rank)
    if strongest in left:
        yield Reason("haymaker.why.strongest", {"card": reader.cards.text(strongest)}, worth=strongest.rank)


def _of_keeping(own: Hand, kept: int, reader: Reader) -> Iterator[Reason]:
    card, other = own.own.drawn[kept], own.own.drawn[1 - kept]
    beside = _of_suit(own.own.hand, card.suit)
    if beside:
        yield Reason("haymaker.why.beside", {"cards": reader.cards.row(beside)}, worth=haymaker.strength(beside))
    if card.rank > other.rank:
        yield Reason("haymaker.why.weaker", {"card": reader.cards.text(other)})


def _least_to_block(hand: Sequence[Card], strength: int) -> int:
    """The fewest cards of a hand that are strong enough together; more than it has if all are too weak."""
    ranks = sorted([card.rank for card in hand], reverse=True)
    sums = accumulate(ranks)
    return next((count for count, reached in enumerate(sums, start=1) if reached >= strength), len(hand) + 1)


def _of_suit(cards: Sequence[Card], suit: Suit) -> list[Card]:
    return [card for card in cards if card.suit is suit]
