"""Which form of cards a reader gets."""

from __future__ import annotations

from bot.ui.card_styles import CardStyle
from bot.ui.catalogue import Translations
from cogs.screens.card_text import TEXT_CARDS, CardForm


class CardForms:
    """The forms of the cards of all games."""

    def of(self, game: str, style: CardStyle, words: Translations) -> CardForm:  # noqa: ARG002  all read text so far
        """The form for a reader of a game's cards who wants this style and reads this language."""
        return TEXT_CARDS
