"""What people and servers are called on screens, in which language they read them, and who reads a match:
everybody in its server, the player on a seat, the person who pressed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import discord

from bot.play.closed_deals import ClosedDeals
from bot.play.live_match import LiveMatch
from bot.play.server_settings import BoardForm, KnownServerSettings
from bot.store.errors import StoreError
from bot.store.queries.invitations import Invitation
from bot.store.special_ids import is_computer, level_of
from bot.ui.catalogue import Translations, prepare, translations
from bot.ui.display_names import DisplayNames
from bot.ui.preferences import CardStyle, Preferences
from cogs.interactions.responses import Interaction, translations_for
from cogs.interactions.venues import venues_of
from cogs.interactions.whose_rows import check_may_store
from cogs.screens.additions import Additions
from cogs.screens.cards.forms import CardForms
from cogs.screens.presenter import Reader
from cogs.screens.safe_names import safe_name, safe_names
from engines.game import Seat


@dataclass(eq=False)
class Wording:
    """Names, safe to show, and the translations for everybody in a server."""

    client: discord.Client
    display_names: DisplayNames
    preferences: Preferences
    server_settings: KnownServerSettings
    language: str
    """What is read in a server that is not known."""

    def of_server(self, guild_id: int) -> Translations:
        """The translations for everybody in a server: for what its settings say, or else Discord."""
        return translations(self._locale_of_server(guild_id))

    def _locale_of_server(self, guild_id: int) -> str:
        if chosen := self.server_settings.of(guild_id).language:
            return chosen
        guild = self.client.get_guild(guild_id)
        return str(guild.preferred_locale) if guild else self.language

    async def of_person(self, guild_id: int, user_id: int) -> Translations:
        """The translations for a notice to somebody, outside of an interaction: for the language in which they last
        used the bot, or else the server's."""
        with suppress(StoreError):
            await self.preferences.load((user_id,))
        locale = self.preferences.language(user_id) or self._locale_of_server(guild_id)
        await prepare(locale)
        return translations(locale)

    async def prepare(self, interaction: Interaction) -> None:
        """Have the languages ready that an interaction is answered and shown in."""
        guild_id = interaction.guild_id
        await prepare(str(interaction.locale), *(() if guild_id is None else (self._locale_of_server(guild_id),)))

    def note_locale(self, interaction: Interaction) -> None:
        """Note the language of the person of an interaction, for notices that they get later. Raises NotTheirs if it
        may make no rows of theirs (`Whose`)."""
        check_may_store(interaction)
        self.preferences.note_locale(interaction.user.id, str(interaction.locale))

    def server_name(self, guild_id: int) -> str:
        """What a server is called, as its owner wrote it; empty if it is not known."""
        guild = self.client.get_guild(guild_id)
        return guild.name if guild else ""

    def name(self, guild_id: int, user_id: int, words: Translations) -> str:
        """A player's name. It must be loaded or remembered."""
        return words.named(safe_name(self._called(guild_id, user_id, words), user_id))

    def names(
        self, guild_id: int, user_ids: Iterable[int], words: Translations, *seen: discord.abc.User
    ) -> tuple[str, ...]:
        """The names of players who are shown together, all different. They must be loaded or remembered, or `seen` in
        the interaction, of which nothing is kept."""
        at_hand = {user.id: user for user in seen}

        def called(user_id: int) -> str:
            user, known = at_hand.get(user_id), self._called(guild_id, user_id, words)
            # of who is not in the server the name known there is the better one
            return known if user is None or (known and not isinstance(user, discord.Member)) else user.display_name

        return tuple(map(words.named, safe_names(tuple((called(user_id), user_id) for user_id in user_ids))))

    def invitation_names(self, invitation: Invitation, words: Translations) -> Callable[[int], str]:
        """The names of those in an invitation, all different. They must be loaded or remembered."""
        people = tuple(dict.fromkeys((invitation.host_id, *invitation.seated, *invitation.invited)))
        return dict(zip(people, self.names(invitation.guild_id, people, words), strict=True)).__getitem__

    async def load(self, guild_id: int, user_ids: Iterable[int], *, again: bool = False) -> None:
        """Load the names of people in a server, and `again` those that are known. Raises StoreError."""
        await self.display_names.load(guild_id, user_ids, again=again)

    async def loaded(
        self, guild_id: int, user_ids: Sequence[int], words: Translations, *seen: discord.abc.User
    ) -> tuple[str, ...]:
        """The names of players who are shown together, as `names` has them. Raises StoreError."""
        await self.load(guild_id, user_ids)
        return self.names(guild_id, user_ids, words, *seen)

    async def load_names(self, invitation: Invitation) -> None:
        """Load the names of an invitation's people. Raises StoreError."""
        people = (invitation.host_id, *invitation.invited, *invitation.seated)
        await self.display_names.load(invitation.guild_id, people)

    async def remember_names(self, interaction: Interaction, *invited: discord.abc.User) -> None:
        """Remember the names of the person of an interaction and of those whom they invite. Raises NotTheirs if it may
        make no rows of these (`Whose`), and StoreError."""
        check_may_store(interaction, invited)
        for user in (interaction.user, *invited):
            for venue in venues_of(interaction):
                await self.display_names.remember(venue, user.id, user.display_name)

    def _called(self, guild_id: int, user_id: int, words: Translations) -> str:
        """What a player is called. All computers of a level have one name, in the reader's language."""
        if is_computer(user_id):
            return words(f"computer.name.{level_of(user_id)}")
        return self.display_names.name(guild_id, user_id)


@dataclass(slots=True, eq=False)
class Readers:
    """Makes readers: in which language, with which names, and in which form of cards each reads, what rooms add, and
    whether the deal is closed."""

    wording: Wording
    preferences: Preferences
    server_settings: KnownServerSettings
    card_forms: CardForms
    additions: Additions
    closed_deals: ClosedDeals

    def public(self, match: LiveMatch, words: Translations | None = None) -> Reader:
        """Everybody in the match's server, as a reader without a seat, in its language or in another one. The players'
        names must be loaded."""
        as_text = self.server_settings.of(match.guild_id).board_form is BoardForm.TEXT
        style = CardStyle.TEXT if as_text else CardStyle.EMOJIS
        return self._reader(match, None, style, words or self.wording.of_server(match.guild_id))

    def on_seat(self, match: LiveMatch, seat: Seat, words: Translations) -> Reader:
        """The player on a seat, who reads this language. Their preferences and the players' names must be loaded."""
        return self._reader(match, seat, self.preferences.card_style(match.seats[seat]), words)

    async def pressing(self, interaction: Interaction, match: LiveMatch, seat: Seat | None) -> Reader:
        """The person who pressed, as the reader on their seat (None: no seat). Raises StoreError."""
        await self.wording.load(match.guild_id, match.seats)
        await self.preferences.load((interaction.user.id,))
        style = self.preferences.card_style(interaction.user.id)
        return self._reader(match, seat, style, translations_for(interaction))

    def _reader(self, match: LiveMatch, seat: Seat | None, style: CardStyle, words: Translations) -> Reader:
        cards = self.card_forms.of(match.game.info.key, style, words)
        names = self.wording.names(match.guild_id, match.seats, words)
        closed = self.closed_deals.closing(match) is not None
        return Reader(words, names, seat, cards, self.additions, self.card_forms.discs(style), closed)
