"""Cards in texts and on buttons, in the form that their reader chose (`bot.ui.card_styles`)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from bot.ui.screen import Cards

PICKED, NOT_PICKED = "●", "○"
"""Marks of one width, for what can be picked: a font that has one of these two has both."""
NO_NUMBER = "\u2012"
"""A figure dash, as wide as a digit; an en dash is narrower in some fonts. Beside an emoji a space would be the end of
the label, and Discord may cut it off there."""


class Card(Protocol):
    """A card of any game."""

    @property
    def name(self) -> str:
        """Its short text form (C-7)."""

    @property
    def code(self) -> str:
        """Its form in the game's notation, which may also tell equal cards apart."""


@dataclass(frozen=True, slots=True)
class Face:
    """What a reader sees of a card: `text` with markup in a text, `label` without markup on a button or in a list.

    A button that can show `emoji` needs no label.
    """

    text: str
    label: str
    emoji: str = ""


class CardForm(ABC):
    """How one reader sees the cards of one game."""

    separator: str = " "
    """What parts cards in a sentence."""
    row_separator: str = " "
    """What parts cards in a row of their own."""
    back: str = ""
    """The emoji of a face-down card; empty if cards are not emojis."""

    @property
    def shorter(self) -> CardForm:
        """The form for a text in which this one needs too much room: itself, if there is none."""
        return self

    @abstractmethod
    def face(self, card: Card) -> Face:
        """What the reader sees of a card."""

    def text(self, card: Card) -> str:
        """A card in a sentence."""
        return self.face(card).text

    def label(self, card: Card) -> str:
        """A card in the text of a button."""
        return self.face(card).label

    def heading(self, card: Card) -> str:
        """A card that is a heading of its own."""
        face = self.face(card)
        return face.emoji or face.label

    def row(self, cards: Iterable[Card]) -> str:
        """Cards in a sentence."""
        return self.separator.join([self.face(card).text for card in cards])

    def listed(self, label: str, cards: Iterable[Card], *, together: bool = False, room: int | None = None) -> Cards:
        """A row of cards with a label before it. `together` counts equal cards: `7♠×3`.

        A row longer than `room` characters is cut, and what is left out is counted at its end: `+12`.
        """
        shown = [self.face(card).text for card in cards]
        if together:
            shown = [f"{text}×{count}" if count > 1 else text for text, count in Counter(shown).items()]
        return Cards(label, tuple(shown if room is None else _within(shown, room)), self.row_separator)

    def laid(self, label: str, cards: Iterable[Card]) -> Cards:
        """Cards that were played together, with a label before them."""
        return self.listed(label, cards)

    def hand(self, label: str, cards: Iterable[Card], *, together: bool = False) -> Cards:
        """The cards of a hand that can be picked, with a label before them; see `Cards.is_hand`."""
        return replace(self.listed(label, cards, together=together), is_hand=True)


class TextCards(CardForm):
    """Cards as short names such as `7♠`, each in a box of its own, so that it reads as one word."""

    def face(self, card: Card) -> Face:
        return Face(f"`{card.name}`", card.name)


TEXT_CARDS = TextCards()


def _within(shown: Sequence[str], room: int) -> Sequence[str]:
    """As many of these texts as fit into a row of this length."""
    if _length(shown) <= room:
        return shown
    kept = [*shown]
    while kept and _length((*kept, f"+{len(shown)}")) > room:
        kept.pop()
    return (*kept, f"+{len(shown) - len(kept)}")


def _length(shown: Sequence[str]) -> int:
    return sum(len(text) + 1 for text in shown)
