"""The command /preferences: how a person wants to see things, in every server and in direct messages."""

from __future__ import annotations

from typing import Final

from discord import app_commands

from bot.languages import DEFAULT_LANGUAGE
from bot.play.refusals import MaybeSaved, Refused, Unsaved, translate_errors
from bot.ui.card_styles import CardStyle
from bot.ui.catalogue import Translations, translations
from bot.ui.screen import Button, Press, Screen, Section, Text, Tone
from cogs.actions.game_commands import IN_SERVERS, IN_SERVERS_AND_DIRECT
from cogs.app import CardroomApp
from cogs.interactions import responses
from cogs.interactions.responses import Interaction, translations_for
from cogs.screens.cards.forms import CardForms
from cogs.screens.custom_ids import UnknownCustomId
from engines.cards import Card, Suit

TABLE: Final = "preferences"
"""What the buttons of the screen act on, in place of a match."""
EXAMPLE_GAME: Final = "haymaker"
EXAMPLE: Final = (Card(7, Suit.SPADES), Card(12, Suit.HEARTS), Card(10, Suit.DIAMONDS))
"""Cards that show what a style looks like."""


def setup(app: CardroomApp) -> None:
    """Register the command."""
    say = translations(DEFAULT_LANGUAGE)

    @app_commands.command(name="preferences", description=say("command.preferences"))
    @app_commands.describe(cards=say("option.cards"))
    @app_commands.choices(
        cards=[
            app_commands.Choice(name=say(f"preferences.choice.{each.value}"), value=each.value) for each in CardStyle
        ]
    )
    async def preferences(interaction: Interaction, cards: app_commands.Choice[str] | None = None) -> None:
        await _answer(app, interaction, CardStyle(cards.value) if cards else None)

    preferences.allowed_contexts = IN_SERVERS_AND_DIRECT
    preferences.allowed_installs = IN_SERVERS["allowed_installs"]
    app.tree.add_command(preferences)


async def choose(app: CardroomApp, interaction: Interaction, style: str) -> None:
    """Save the style of a pressed button. Raises as `_answer`, and UnknownCustomId for an unknown style."""
    if style not in {each.value for each in CardStyle}:
        raise UnknownCustomId("no such style")
    await _answer(app, interaction, CardStyle(style))


async def _answer(app: CardroomApp, interaction: Interaction, style: CardStyle | None) -> None:
    """Save the style, if one is given, and show which one applies, with an example of each and a button for it.

    Hands that are open are shown in it at once. Raises Refused if it could not be saved.
    """
    say, user_id = translations_for(interaction), interaction.user.id
    await translate_errors(app.preferences.load((user_id,)))
    if style is not None:
        await _save(app, user_id, style)
    note = say("preferences.saved") if style is not None else ""
    screen = preferences_screen(app.preferences.card_style(user_id), app.card_forms, say, note)
    await responses.reply_private(interaction, screen, TABLE)
    if style is not None:
        app.show_open_hands(user_id)


async def _save(app: CardroomApp, user_id: int, style: CardStyle) -> None:
    try:
        await translate_errors(app.preferences.set_card_style(user_id, style))
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
