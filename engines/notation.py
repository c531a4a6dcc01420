"""Converts actions to short texts and back: the parts that all games share.

An action is one line of ASCII without spaces at its ends, such as ``7S+3S``, ``block 4C+3H`` or ``time turn 5``.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.cards import Card
from engines.game import Resign, TimeUp


def write_cards(cards: Sequence[Card]) -> str:
    """The codes of some cards, such as ``7S+3S``."""
    return "+".join(card.code for card in cards)


def read_cards(text: str) -> tuple[Card, ...]:
    """The cards that `write_cards` wrote, at least one. Raises ValueError."""
    return tuple(Card.of(code) for code in text.split("+"))


def write_common(action: TimeUp | Resign) -> str:
    """``resign``, or ``time`` with the timer's name and key and, where it names seats, these: ``time turn 5 0+2``."""
    if isinstance(action, Resign):
        return "resign"
    return " ".join(("time", action.timer, action.key, *(["+".join(map(str, action.seats))] if action.seats else ())))


def read_common(text: str) -> TimeUp | Resign:
    """The action that `write_common` wrote. Raises ValueError."""
    match text.split(" "):
        case ["resign"]:
            return Resign()
        case ["time", timer, key]:
            return TimeUp(timer, key)
        case ["time", timer, key, seats]:
            return TimeUp(timer, key, tuple([int(seat) for seat in seats.split("+")]))
        case _:
            raise ValueError("no action")
