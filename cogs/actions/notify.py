"""The command /notify: how a person wants to be notified in this server that it is their turn."""

from __future__ import annotations

from discord import app_commands

from bot.languages import DEFAULT_LANGUAGE
from bot.play.refusals import MaybeSaved, Refused, Unsaved, translate_errors
from bot.store.rows import NoticeLevel
from bot.ui.catalogue import translations
from cogs.actions.game_commands import IN_SERVERS
from cogs.app import CardroomApp
from cogs.interactions import responses
from cogs.interactions.responses import Interaction


def setup(app: CardroomApp) -> None:
    """Register the command."""
    say = translations(DEFAULT_LANGUAGE)

    @app_commands.command(name="notify", description=say("command.notify"))
    @app_commands.describe(level=say("option.level"))
    @app_commands.choices(
        level=[app_commands.Choice(name=say(f"notify.choice.{level}"), value=level) for level in NoticeLevel]
    )
    async def notify(interaction: Interaction, level: app_commands.Choice[str] | None = None) -> None:
        await responses.reply_text(
            interaction, await _answer(app, interaction, NoticeLevel(level.value) if level else None)
        )

    notify.allowed_contexts = IN_SERVERS["allowed_contexts"]
    notify.allowed_installs = IN_SERVERS["allowed_installs"]
    app.tree.add_command(notify)


async def _answer(app: CardroomApp, interaction: Interaction, level: NoticeLevel | None) -> str:
    """Save the level, if one is given, and say which level applies.

    Raises Refused outside servers, and if the level could not be saved.
    """
    if interaction.guild_id is None:
        raise Refused("place.not_a_server")
    say = app.translations_for(interaction)
    if level is None:
        present = await app.store.notice_level(interaction.guild_id, interaction.user.id)
        return f"{say(f'notify.level.{present}')} {say('notify.how')}"
    try:
        await translate_errors(app.store.set_notice_level(interaction.guild_id, interaction.user.id, level))
    except MaybeSaved:
        raise
    except Unsaved:
        raise Refused("notify.unsaved") from None
    return say(f"notify.level.{level}")
