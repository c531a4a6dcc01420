"""Makes the readers of a match: everybody in its server, the player on a seat, the person who pressed."""

from __future__ import annotations

from bot.play.live_match import LiveMatch
from bot.play.server_settings import BoardCards, KnownServerSettings
from bot.ui.card_styles import CardStyle
from bot.ui.catalogue import Translations
from bot.ui.display_names import DisplayNames
from bot.ui.preferences import Preferences
from cogs.interactions.responses import Interaction, translations_for
from cogs.screens.cards.forms import CardForms
from cogs.screens.presenter import Reader
from cogs.wording import Wording
from engines.game import Seat


class Readers:
    """Makes readers: in which language, with which names, and in which form of cards each reads."""

    def __init__(
        self,
        wording: Wording,
        display_names: DisplayNames,
        preferences: Preferences,
        server_settings: KnownServerSettings,
        card_forms: CardForms,
    ) -> None:
        self._wording = wording
        self._display_names = display_names
        self._preferences = preferences
        self._server_settings = server_settings
        self._card_forms = card_forms

    def public(self, match: LiveMatch) -> Reader:
        """Everybody in the match's server, as a reader without a seat. The players' names must be loaded."""
        as_text = self._server_settings.of(match.guild_id).board_cards is BoardCards.TEXT
        style = CardStyle.TEXT if as_text else CardStyle.EMOJIS
        return self._reader(match, None, style, self._wording.of_server(match.guild_id))

    def on_seat(self, match: LiveMatch, seat: Seat, words: Translations) -> Reader:
        """The player on a seat, who reads this language. Their preferences and the players' names must be loaded."""
        return self._reader(match, seat, self._preferences.card_style(match.seats[seat]), words)

    async def pressing(self, interaction: Interaction, match: LiveMatch, seat: Seat | None) -> Reader:
        """The person who pressed, as the reader on their seat (None: no seat). Raises StoreError."""
        await self._display_names.load(match.guild_id, match.seats)
        await self._preferences.load((interaction.user.id,))
        style = self._preferences.card_style(interaction.user.id)
        return self._reader(match, seat, style, translations_for(interaction))

    def _reader(self, match: LiveMatch, seat: Seat | None, style: CardStyle, words: Translations) -> Reader:
        cards = self._card_forms.of(match.game.info.key, style, words)
        return Reader(words, self._wording.names(match.guild_id, match.seats, words), seat, cards)
