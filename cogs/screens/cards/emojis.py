"""Cards as emojis of the application's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.art.images import Family, card_name
from bot.ui.screen import Cards
from cogs.screens.card_text import TEXT_CARDS, Card, CardForm, Face

MOST_TOGETHER = 5
"""Up to this number, cards that were played together have no space between them: they read as one play."""


class EmojiCards(CardForm):
    """Cards as pictures in texts and on buttons. Their names remain the labels of lists and of longer buttons."""

    def __init__(self, family: Family, markups: Mapping[str, str]) -> None:
        """`markups` are a whole family's emojis as they are written in texts, by the names of their images."""
        self._family = family
        self._markups = markups
        self._faces: dict[str, Face] = {}
        self.back = markups[family.value]

    @property
    def shorter(self) -> CardForm:
        return TEXT_CARDS

    def face(self, card: Card) -> Face:
        known = self._faces.get(card.code)
        if known is None:
            name = card_name(self._family, card.code)
            markup = "" if name is None else self._markups[name]
            known = Face(markup, card.name, markup) if markup else TEXT_CARDS.face(card)
            self._faces[card.code] = known
        return known

    def row(self, cards: Iterable[Card]) -> str:
        shown = [self.face(card).text for card in cards]
        return ("" if len(shown) <= MOST_TOGETHER else " ").join(shown)

    def listed(self, label: str, cards: Iterable[Card], *, together: bool = False, room: int | None = None) -> Cards:  # noqa: ARG002  see below
        """A row of cards. None is cut: a message in which emojis have no room is written in text (`shorter`)."""
        return super().listed(label, cards, together=together)

    def laid(self, label: str, cards: Iterable[Card]) -> Cards:
        return Cards(label, (self.row(cards),))
