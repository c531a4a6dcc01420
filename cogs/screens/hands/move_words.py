"""A move in words, as the buttons of its player name it."""

from __future__ import annotations

from typing import Any

from cogs.screens.hands.picking import picks_by_cards
from cogs.screens.presenter import Presenter, Reader
from cogs.screens.safe_names import escaped
from engines.game import Act, Choices, Pick, Private


def move_words(action: Any, choices: Choices[Any], own: Private[Any, Any], presenter: Presenter, reader: Reader) -> str:
    """A move as the seat's own buttons name it, for a text: `“Attack” 7♠ 3♠`.

    Raises LookupError for a move that the seat is not offered.
    """
    for offer in choices:
        if isinstance(offer, Act):
            if offer.action == action:
                return _button(offer.verb, own, presenter, reader)
            continue
        picked = picks_by_cards(offer, action)
        if picked is not None and offer.step(picked).unfinished is None:
            return _with_cards(offer, picked, own, presenter, reader)
    raise LookupError("nobody was offered this move")


def _button(verb: str, own: Private[Any, Any], presenter: Presenter, reader: Reader) -> str:
    label = escaped(presenter.label(verb, own, reader))
    emoji = presenter.emoji(verb, own, reader)
    return reader.words("review.pressed", label=label) + (f" {emoji}" if emoji else "")


def _with_cards(
    pick: Pick[Any], picked: tuple[int, ...], own: Private[Any, Any], presenter: Presenter, reader: Reader
) -> str:
    faces = [presenter.item(own, pick.verb, place, reader) for place in picked]
    cards = reader.cards.joined([face.text for face in faces])
    return f"{_button(pick.verb, own, presenter, reader)} {cards}"
