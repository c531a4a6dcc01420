"""Cards of a hand: as an act names them, which `decide` must check, and as a pick counts them, by their indexes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from engines.game import IllegalAction, Offered_co, Pick, Refusal, Step, Value


class Named(Protocol):
    """The part of a card that a refusal needs."""

    @property
    def name(self) -> str:
        """The card as players read it (C-7)."""


CardT = TypeVar("CardT", bound=Named)


def card_twice(card: Named) -> Refusal:
    """The refusal for a card that is named twice (C-3)."""
    return Refusal("C-3", "refusal.card_twice", {"card": card.name})


def check_holds(hand: Sequence[CardT], card: CardT) -> None:
    """Check that the card is in the hand. Raises IllegalAction (C-3)."""
    if card not in hand:
        raise IllegalAction("C-3", "refusal.card_not_held", card=card.name)


def check_held(hand: Sequence[CardT], cards: Sequence[CardT]) -> None:
    """Check that all these cards are in the hand and each is named once. Raises IllegalAction (C-3)."""
    for index, card in enumerate(cards):
        check_holds(hand, card)
        if card in cards[:index]:
            raise IllegalAction.of(card_twice(card))


def cards_at(hand: Sequence[CardT], indexes: Sequence[int]) -> tuple[CardT, ...]:
    """The cards at these indexes of a hand. Raises IndexError for an index that it does not have."""
    if indexes and min(indexes) < 0:
        raise IndexError("a hand has no index below 0")
    return tuple([hand[index] for index in indexes])


def picked_cards(hand: Sequence[CardT], picked: Sequence[int]) -> tuple[CardT, ...]:
    """The cards of a pick. Raises IndexError for an index that the hand does not have, and for one picked twice."""
    if len(set(picked)) < len(picked):
        raise IndexError("a card was picked twice")
    return cards_at(hand, picked)


class CardPick(Pick[Offered_co], Generic[Offered_co, CardT]):
    """An offer to pick cards of a hand, each once. A subclass has a field `hand`; the cards picked are the one field of
    the act that it `makes`."""

    __slots__ = ()

    hand: tuple[CardT, ...]
    makes: Callable[[Any], Offered_co]
    ordered = False

    @property
    def items(self) -> int:
        """See `Pick`."""
        return len(self.hand)

    def step(self, picked: tuple[int, ...]) -> Step:
        """See `Pick`."""
        cards = picked_cards(self.hand, picked)
        taken, unfinished = set(picked), self.refusal(cards)
        addable = [
            card_twice(card) if index in taken else self.addition_refusal(cards, unfinished, card)
            for index, card in enumerate(self.hand)
        ]
        return Step(tuple(addable), unfinished, self.worth(cards))

    def action(self, picked: tuple[int, ...]) -> Offered_co:
        """See `Pick`."""
        return self.makes(cards_at(self.hand, picked))

    @abstractmethod
    def refusal(self, cards: tuple[CardT, ...]) -> Refusal | None:
        """Why these cards are not an act yet, or None."""

    def addition_refusal(self, cards: tuple[CardT, ...], unfinished: Refusal | None, card: CardT) -> Refusal | None:  # noqa: ARG002  some judge by what is unfinished
        """Why a card cannot be added to these, or None: by what they would be then. `unfinished` is their refusal."""
        return self.refusal((*cards, card))

    def worth(self, cards: tuple[CardT, ...]) -> Mapping[str, Value]:  # noqa: ARG002  there may be none
        """The numbers of `Step` for these cards."""
        return {}
