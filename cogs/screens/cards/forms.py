"""Which form of cards a reader gets."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.art.images import FAMILIES, Family
from bot.ui.card_styles import CardStyle
from bot.ui.catalogue import Translations
from cogs.screens.card_text import TEXT_CARDS, CardForm
from cogs.screens.cards.emojis import EmojiCards
from cogs.screens.cards.words import WordCards


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
