"""Cards as text, in sentences and in rows. Each name is set apart so that it reads as one word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Protocol

PICKED, NOT_PICKED = "●", "○"
"""Marks of one width, for what can be picked: a font that has one of these two has both."""


class Named(Protocol):
    """A card of any game."""

    @property
    def name(self) -> str:
        """Its short text form (C-7)."""


def names(cards: Iterable[Named]) -> tuple[str, ...]:
    """The cards' names, for a row of cards."""
    return tuple(card.name for card in cards)


def together(cards: Iterable[str]) -> tuple[str, ...]:
    """Names of cards, equal ones together: `7♠×3`."""
    return tuple(f"{name}×{count}" if count > 1 else name for name, count in Counter(cards).items())


def within(cards: Sequence[str], room: int) -> tuple[str, ...]:
    """As many names of cards as fit into a row of this length; what is left out is counted at its end: `+12`."""
    if _length(cards) <= room:
        return tuple(cards)
    kept = [*cards]
    while kept and _length((*kept, f"+{len(cards)}")) > room:
        kept.pop()
    return (*kept, f"+{len(cards) - len(kept)}")


def _length(cards: Sequence[str]) -> int:
    return sum(len(card) + len("`` ") for card in cards)


def row(cards: Iterable[Named]) -> str:
    """The cards in a sentence, such as `7♠` `10♦`, each in a box of its own."""
    return " ".join(f"`{card.name}`" for card in cards)
