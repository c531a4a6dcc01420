"""How a person wants it: /preferences, how things look everywhere, and /notify, how they are notified."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from discord import app_commands

from bot.play.match_registry import MatchRegistry
from bot.play.refusals import saved, translate_errors
from bot.store.errors import StoreError
from bot.store.queries.people import NoticeLevel
from bot.store.store import Store
from bot.ui.catalogue import Translations
from bot.ui.preferences import CardStyle, Preferences
from bot.ui.screen import Button, Press, Screen, Section, Text, Tone, noted
from cogs.actions.command_parameters import choices
from cogs.actions.component_press import Capability, Command, ComponentPress, Verbs
from cogs.interactions.places import direct_too, in_servers, server_of
from cogs.interactions.responses import Interaction, reply_private, translations_for
from cogs.screens.cards.forms import CardForms
from cogs.screens.custom_ids import UnknownCustomId
from cogs.updates.open_hands import OpenHands
from engines.cards import Card, Suit

SUBJECT: Final = "preferences"
"""What the buttons of the screen act on, in place of a match."""
EXAMPLE_GAME: Final = "haymaker"
EXAMPLE: Final = (Card(7, Suit.SPADES), Card(12, Suit.HEARTS), Card(10, Suit.DIAMONDS))
"""Cards that show what a style looks like."""


@dataclass(slots=True, eq=False)
class StyledHands:
    """The open hands of people, as they prefer to read them."""

    preferences: Preferences
    matches: MatchRegistry
    open_hands: OpenHands

    def show(self, user_id: int) -> None:
        """Show somebody's open hands as they prefer to read them now."""
        for match in self.matches.of_player(user_id, None):
            self.open_hands.reader_changed(match, match.seats.index(user_id))

    async def reload(self, user_id: int) -> None:
        """Read again what somebody prefers, because it was deleted, and show their open hands that way."""
        self.preferences.forget(user_id)
        with suppress(StoreError):  # then their next press reads it
            await self.preferences.load((user_id,))
        self.show(user_id)


@dataclass(slots=True, eq=False)
class PreferencesScreen(Capability):
    """The command `/preferences` and its buttons."""

    verbs = Verbs()

    preferences: Preferences
    card_forms: CardForms
    styled_hands: StyledHands

    def _commands(self, say: Translations) -> tuple[Command, ...]:
        @direct_too
        @app_commands.command(name="preferences", description=say("command.preferences"))
        @app_commands.describe(cards=say("option.cards"))
        @app_commands.choices(
            cards=choices((say(f"preferences.choice.{style.value}"), style.value) for style in CardStyle)
        )
        async def preferences(interaction: Interaction, cards: app_commands.Choice[str] | None = None) -> None:
            await self._answer(interaction, CardStyle(cards.value) if cards else None)

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
        await translate_errors(self.preferences.load((user_id,)))
        if style is not None:
            await saved(self.preferences.set_card_style(user_id, style), "preferences.unsaved")
        note = say("preferences.saved") if style is not None else ""
        screen = preferences_screen(self.preferences.card_style(user_id), self.card_forms, say, note)
        await reply_private(interaction, screen, SUBJECT)
        if style is not None:
            self.styled_hands.show(user_id)


def preferences_screen(present: CardStyle, forms: CardForms, say: Translations, note: str = "") -> Screen:
    """What somebody prefers, after a note if there is one, and what there is to choose from.

    No button has a mark, because screen readers read it out: the sentence at the top says which style applies.
    """
    sections: list[Section] = [
        *noted(" ".join(filter(None, (note, say(f"preferences.present.{present.value}"))))),
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


NOTIFY_SUBJECT = "notify"
"""What the buttons of the screen act on, in place of a match."""


@dataclass(slots=True, eq=False)
class Notify(Capability):
    """The command `/notify` and its buttons."""

    verbs = Verbs()

    store: Store

    def _commands(self, say: Translations) -> tuple[Command, ...]:
        @in_servers
        @app_commands.command(name="notify", description=say("command.notify"))
        @app_commands.describe(level=say("option.level"))
        @app_commands.choices(level=choices((say(f"notify.choice.{level}"), str(level)) for level in NoticeLevel))
        async def notify(interaction: Interaction, level: app_commands.Choice[str] | None = None) -> None:
            await self._answer(interaction, NoticeLevel(level.value) if level else None)

        return (notify,)

    @verbs("notify")
    async def _choose(self, press: ComponentPress) -> None:
        """Save the level of a pressed button. Raises as `_answer`, and UnknownCustomId for an unknown level."""
        if press.arg not in set(NoticeLevel):
            raise UnknownCustomId("no such level")
        await self._answer(press.interaction, NoticeLevel(press.arg))

    async def _answer(self, interaction: Interaction, level: NoticeLevel | None) -> None:
        """Save the level, if one is given, and show which level applies, with a button for each.

        Raises Refused outside servers, and if the level could not be saved.
        """
        guild_id, user_id, say = server_of(interaction), interaction.user.id, translations_for(interaction)
        present = level
        if present is None:
            present = await self.store.notice_level(guild_id, user_id)
        else:
            await saved(self.store.set_notice_level(guild_id, user_id, present), "notify.unsaved")
        note = say("notify.saved") if level is not None else ""
        await reply_private(interaction, notify_screen(present, say, note), NOTIFY_SUBJECT)


def notify_screen(present: NoticeLevel, say: Translations, note: str = "") -> Screen:
    """Which level applies, after a note if there is one, and a button for each level.

    Every button keeps its place and its width. That of the present level is marked and stays enabled: pressing it
    again changes nothing, and the focus of a keyboard stays where it is.
    """
    told = f"{say(f'notify.level.{present}')} {say('notify.how')}"
    buttons = tuple(
        Button(
            say("notify.chosen" if level is present else "notify.other", level=say(f"notify.button.{level}")),
            Press("notify", 0, level),
            Tone.MAIN if level is present else Tone.PLAIN,
        )
        for level in NoticeLevel
    )
    tables = (Button(say("button.tables"), Press("tables")),)
    return Screen(say("notify.title"), (*noted(note), Text(told)), (buttons, tables))
