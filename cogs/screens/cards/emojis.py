"""Cards as emojis of the application's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bot.art.images import Family, card_name
from bot.ui.catalogue import Translations
from bot.ui.screen import Cards
from cogs.screens.card_text import TEXT_CARDS, Card, CardForm, Face

MOST_TOGETHER = 5
"""Up to this number, cards that were played together have no space between them: they read as one play."""
MOST_NAMED = 6
"""How many picked cards a line has room for."""
NO_NUMBER = "\u2012"
"""A figure dash, as wide as a digit; an en dash is narrower in some fonts. Beside an emoji a space would be the end of
the label, and Discord may cut it off there."""


class EmojiCards(CardForm):
    """Cards as pictures in texts and on buttons. Their names remain the labels of lists and of longer buttons."""

    pick_lines = 1
    longest_line = 300

    def __init__(self, family: Family, markups: Mapping[str, str], words: Translations) -> None:
        """`markups` are a whole family's emojis as they are written in texts, by the names of their images."""
        self._family = family
        self._markups = markups
        self._words = words
        self._faces: dict[str, Face] = {}
        self.back = markups[family.value]

    @property
    def shorter(self) -> CardForm | None:
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

    def item(self, face: Face, *, picked: bool, number: str = "", figures: int = 0) -> str:
        """The number alone beside an emoji, whose button shows by its colour that it is picked."""
        if not face.emoji:
            return super().item(face, picked=picked, number=number, figures=figures)
        return number.rjust(figures, "0") if number else NO_NUMBER * figures

    def in_hand(self, name: str, count: int | None) -> str:  # noqa: ARG002  its emoji is the name
        return NO_NUMBER if count is None else str(count)

    def picks(self, faces: Sequence[Face]) -> tuple[str, ...]:
        if not faces:
            return (self._words("hand.none_picked"),)
        named = [face.text for face in faces[:MOST_NAMED]]
        more = [f"+{len(faces) - MOST_NAMED}"] if len(faces) > MOST_NAMED else []
        return self._words("hand.picked", cards=" ".join([*named, *more])), self._words.count(
            "hand.many_picked", len(faces)
        )
