"""Cards as text, in sentences and in rows. Each name is set apart so that it reads as one word."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol


class Named(Protocol):
    """A card of any game."""

    @property
    def name(self) -> str:
        """Its short text form (C-7)."""


def names(cards: Iterable[Named]) -> tuple[str, ...]:
    """The cards' names, for a row of cards."""
    return tuple(card.name for card in cards)


def row(cards: Iterable[Named]) -> str:
    """The cards in a sentence, such as `7♠` `10♦`, each in a box of its own."""
    return " ".join(f"`{card.name}`" for card in cards)
