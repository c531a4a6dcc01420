"""The command /notify: how a person wants to be notified in this server that it is their turn."""

from __future__ import annotations

from collections.abc import Iterable

from discord import app_commands

from bot.languages import DEFAULT_LANGUAGE
from bot.play.refusals import MaybeSaved, Refused, Unsaved, translate_errors
from bot.store.rows.people import NoticeLevel
from bot.store.store import Store
from bot.ui.catalogue import Translations, translations
from bot.ui.screen import Button, Press, Screen, Text, Tone
from cogs.actions.component_press import Capability, Command, ComponentPress, Verbs
from cogs.interactions import responses
from cogs.interactions.places import IN_SERVERS
from cogs.interactions.responses import Interaction, translations_for
from cogs.screens.custom_ids import UnknownCustomId

SUBJECT = "notify"
"""What the buttons of the screen act on, in place of a match."""


class Notify(Capability):
    """The command `/notify` and its buttons."""

    verbs = Verbs()

    def __init__(
        self,
        store: Store,
    ) -> None:
        self._store = store

    def _commands(self) -> Iterable[Command]:
        say = translations(DEFAULT_LANGUAGE)

        @app_commands.command(name="notify", description=say("command.notify"))
        @app_commands.describe(level=say("option.level"))
        @app_commands.choices(
            level=[app_commands.Choice(name=say(f"notify.choice.{level}"), value=level) for level in NoticeLevel]
        )
        async def notify(interaction: Interaction, level: app_commands.Choice[str] | None = None) -> None:
            await self._answer(interaction, NoticeLevel(level.value) if level else None)

        notify.allowed_contexts = IN_SERVERS["allowed_contexts"]
        notify.allowed_installs = IN_SERVERS["allowed_installs"]
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
        if interaction.guild_id is None:
            raise Refused("place.not_a_server")
        say = translations_for(interaction)
        present = level
        if present is None:
            present = await self._store.notice_level(interaction.guild_id, interaction.user.id)
        else:
            await self._save(interaction.guild_id, interaction.user.id, present)
        note = say("notify.saved") if level is not None else ""
        await responses.reply_private(interaction, notify_screen(present, say, note), SUBJECT)

    async def _save(self, guild_id: int, user_id: int, level: NoticeLevel) -> None:
        try:
            await translate_errors(self._store.set_notice_level(guild_id, user_id, level))
        except MaybeSaved:
            raise
        except Unsaved:
            raise Refused("notify.unsaved") from None


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
    return Screen(say("notify.title"), (*((Text(f"**{note}**"),) if note else ()), Text(told)), (buttons, tables))
