"""The command /preferences: how a person wants to see things, in every server and in direct messages."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from discord import app_commands

from bot.languages import DEFAULT_LANGUAGE
from bot.play.match_registry import MatchRegistry
from bot.play.refusals import MaybeSaved, Refused, Unsaved, translate_errors
from bot.store.errors import StoreError
from bot.ui.catalogue import Translations, translations
from bot.ui.preferences import CardStyle, Preferences
from bot.ui.screen import Button, Press, Screen, Section, Text, Tone
from cogs.actions.component_press import Capability, Command, ComponentPress, Verbs
from cogs.interactions import responses
from cogs.interactions.places import IN_SERVERS, IN_SERVERS_AND_DIRECT
from cogs.interactions.responses import Interaction, translations_for
from cogs.screens.cards.forms import CardForms
from cogs.screens.custom_ids import UnknownCustomId
from cogs.updates.open_hands import OpenHands
from engines.cards import Card, Suit

SUBJECT: Final = "preferences"
"""What the buttons of the screen act on, in place of a match."""
EXAMPLE_GAME: Final = "haymaker"
EXAMPLE: Final = (Card(7, Suit.SPADES), Card(12, Suit.HEARTS), Card(10, Suit.DIAMONDS))
"""Cards that show what a style looks like."""


class StyledHands:
    """The open hands of people, as they prefer to read them."""

    def __init__(self, preferences: Preferences, matches: MatchRegistry, open_hands: OpenHands) -> None:
        self._preferences = preferences
        self._matches = matches
        self._open_hands = open_hands

    def show(self, user_id: int) -> None:
        """Show somebody's open hands as they prefer to read them now."""
        for match in self._matches.of_player(user_id, None):
            self._open_hands.reader_changed(match, match.seats.index(user_id))

    async def reload(self, user_id: int) -> None:
        """Read again what somebody prefers, because it was deleted, and show their open hands that way."""
        self._preferences.forget(user_id)
        with suppress(StoreError):  # then their next press reads it
            await self._preferences.load((user_id,))
        self.show(user_id)


class PreferencesScreen(Capability):
    """The command `/preferences` and its buttons."""

    verbs = Verbs()

    def __init__(
        self,
        preferences: Preferences,
        card_forms: CardForms,
        styled_hands: StyledHands,
    ) -> None:
        self._preferences = preferences
        self._card_forms = card_forms
        self._styled_hands = styled_hands

    def _commands(self) -> Iterable[Command]:
        say = translations(DEFAULT_LANGUAGE)

        @app_commands.command(name="preferences", description=say("command.preferences"))
        @app_commands.describe(cards=say("option.cards"))
        @app_commands.choices(
            cards=[
                app_commands.Choice(name=say(f"preferences.choice.{each.value}"), value=each.value)
                for each in CardStyle
            ]
        )
        async def preferences(interaction: Interaction, cards: app_commands.Choice[str] | None = None) -> None:
            await self._answer(interaction, CardStyle(cards.value) if cards else None)

        preferences.allowed_contexts = IN_SERVERS_AND_DIRECT
        preferences.allowed_installs = IN_SERVERS["allowed_installs"]
        return (preferences,)

    @verbs("cardstyle")
    async def _choose(self, press: ComponentPress) -> None:
        """Save the style of a pressed button. Raises as `_answer`, and UnknownCustomId for an unknown style."""
        if press.arg not in {each.value for each in CardStyle}:
            raise UnknownCustomId("no such style")
        await self._answer(press.interaction, CardStyle(press.arg))

    async def _answer(self, interaction: Interaction, style: CardStyle | None) -> None:
        """Save the style, if one is given, and show which one applies, with an example of each and a button for it.

        Hands that are open are shown in it at once. Raises Refused if it could not be saved.
        """
        say, user_id = translations_for(interaction), interaction.user.id
        await translate_errors(self._preferences.load((user_id,)))
        if style is not None:
            await self._save(user_id, style)
        note = say("preferences.saved") if style is not None else ""
        screen = preferences_screen(self._preferences.card_style(user_id), self._card_forms, say, note)
        await responses.reply_private(interaction, screen, SUBJECT)
        if style is not None:
            self._styled_hands.show(user_id)

    async def _save(self, user_id: int, style: CardStyle) -> None:
        try:
            await translate_errors(self._preferences.set_card_style(user_id, style))
        except MaybeSaved:
            raise
        except Unsaved:
            raise Refused("preferences.unsaved") from None


def preferences_screen(present: CardStyle, forms: CardForms, say: Translations, note: str = "") -> Screen:
    """What somebody prefers, after a note if there is one, and what there is to choose from.

    No button has a mark, because screen readers read it out: the sentence at the top says which style applies.
    """
    sections: list[Section] = [
        Text(f"**{f'{note} ' if note else ''}{say(f'preferences.present.{present.value}')}**"),
        Text(say("preferences.cards")),
    ]
    for style in CardStyle:
        label = say(f"preferences.about.{style.value}")
        sections.append(forms.of(EXAMPLE_GAME, style, say).listed(label, EXAMPLE))
    buttons = tuple(
        Button(
            say(f"preferences.button.{style.value}"),
            Press("cardstyle", 0, style.value),
            Tone.MAIN if style is present else Tone.PLAIN,
        )
        for style in CardStyle
    )
    return Screen(say("preferences.title"), tuple(sections), (buttons,), say("preferences.notify"))
