"""A table as values: which cards lie where, as one reader may see them. Pictures and texts are made of it.

It has nothing but what is shown: no seat's hidden cards, no names and no words. So two tables that look the same to a
reader are equal, and so are their pictures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeAlias

from bot.art.images import Family


class Card(Protocol):
    """A card of any game that has pictures."""

    @property
    def code(self) -> str:
        """Its form in the game's notation (`bot.art.images.card_name`)."""

    @property
    def name(self) -> str:
        """Its short text form (C-7)."""


Cards: TypeAlias = tuple[Card | None, ...]
"""Cards that lie beside one another; None is a face-down card."""


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards that lie together.

    `says` is the key of the sentence that says what they are and how many (`n`). `cards` are those that can be told
    apart, the top card last; without any, the pile lies face down. `count` is how many cards there are. `seat` is whose
    they are, in the middle of the table. `sign` tells it apart from others (`bot.art.images.SIGNS`), if it has one.
    """

    says: str
    cards: Cards
    count: int
    seat: int | None = None
    sign: str = ""

    @property
    def open_cards(self) -> tuple[Card, ...]:
        """The cards that lie face up."""
        return tuple([card for card in self.cards if card is not None])


@dataclass(frozen=True, slots=True)
class Strip:
    """What lies before one seat: the hand, then its piles, and whether the seat has won or is awaited."""

    hand: Pile
    piles: tuple[Pile, ...] = ()
    winner: bool = False
    awaited: bool = False


@dataclass(frozen=True, slots=True)
class TableLayout:
    """A table: what lies before each seat, and in the middle stacks, the cards in play, and discards; and what the last
    act laid there, if it is not in play any more."""

    family: Family
    strips: tuple[Strip, ...]
    stacks: tuple[Pile, ...] = ()
    play: tuple[Pile, ...] = ()
    discards: tuple[Pile, ...] = ()
    last: tuple[Pile, ...] = ()

    @property
    def middle(self) -> tuple[Pile, ...]:
        """All that lies in the middle, from left to right."""
        return (*self.stacks, *self.play, *self.discards)


def cards_in_row(says: str, cards: tuple[Card, ...], seat: int | None = None, sign: str = "") -> Pile:
    """Cards that all lie face up."""
    return Pile(says, cards, len(cards), seat, sign)


def backs(says: str, count: int, seat: int | None = None) -> Pile:
    """Cards that lie face down beside one another."""
    return Pile(says, (None,) * count, count, seat)


def stack(says: str, count: int, sign: str = "") -> Pile:
    """Cards that lie face down on one another."""
    return Pile(says, (), count, sign=sign)
