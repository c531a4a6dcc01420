"""Which form of cards a reader gets, and cards as emojis of the application's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from bot.art.images import FAMILIES, SEATS, Family, card_name
from bot.ui.catalogue import Translations
from bot.ui.preferences import CardStyle
from bot.ui.screen import Cards
from cogs.screens.card_text import DISCS, TEXT_CARDS, Card, CardForm, Face
from cogs.screens.cards.words import WordCards

MOST_TOGETHER = 5
"""Up to this number, cards that were played together have no space between them: they read as one play."""
MOST_NAMED = 6
"""How many picked cards a line has room for."""
NO_NUMBER = "\u2012"
"""A figure dash, as wide as a digit; an en dash is narrower in some fonts. Beside an emoji a space would be the end of
the label, and Discord may cut it off there."""


def _no_emojis(_: Family) -> Mapping[str, str] | None:
    return None


class CardForms:
    """The forms of the cards of all games."""

    def __init__(self, emojis: Callable[[Family], Mapping[str, str] | None] = _no_emojis) -> None:
        """`emojis` gives a whole family's emojis as they are written in texts, by the names of their images; None as
        long as it has none that can be used."""
        self._emojis = emojis
        self._in_emojis: dict[tuple[Family, str], tuple[Mapping[str, str], EmojiCards]] = {}
        self._in_words: dict[str, WordCards] = {}

    def of(self, game: str, style: CardStyle, words: Translations) -> CardForm:
        """The form for a reader of a game's cards who wants this style and reads this language."""
        match style:
            case CardStyle.EMOJIS:
                return self._of_emojis(game, words)
            case CardStyle.WORDS:
                if words.language not in self._in_words:
                    self._in_words[words.language] = WordCards(words)
                return self._in_words[words.language]
        return TEXT_CARDS

    def discs(self, style: CardStyle) -> tuple[str, ...]:
        """What seats have before their names below a picture: the badges that it has, or text."""
        badges = self._emojis(Family.DISCS) if style is CardStyle.EMOJIS else None
        return DISCS if badges is None else tuple(badges[f"seat_{number}"] for number in range(1, SEATS + 1))

    def _of_emojis(self, game: str, words: Translations) -> CardForm:
        """Emojis, or text for a game without pictures and as long as Discord lacks one of them."""
        family = FAMILIES.get(game)
        markups = None if family is None else self._emojis(family)
        if family is None or markups is None:
            return TEXT_CARDS
        made = self._in_emojis.get((family, words.language))
        if made is None or made[0] is not markups:
            made = self._in_emojis[family, words.language] = (markups, EmojiCards(family, markups, words))
        return made[1]


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
        named = [face.text for face in faces[:MOST_NAMED]]
        more = [f"+{len(faces) - MOST_NAMED}"] if len(faces) > MOST_NAMED else []
        return self._words("hand.picked", cards=" ".join([*named, *more])), self._words.count(
            "hand.many_picked", len(faces)
        )
