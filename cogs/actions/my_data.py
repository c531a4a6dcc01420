"""The commands /mydata export and /mydata delete: what is stored about a person in this server."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from discord import app_commands

from bot.languages import DEFAULT_LANGUAGE
from bot.play import personal_data
from bot.play.refusals import MaybeSaved, Refused, Unsaved
from bot.ui.catalogue import translations
from bot.ui.screen import Button, Press, Screen, Text, Tone
from cogs.actions.game_commands import DIRECT_TOO
from cogs.app import CardroomApp
from cogs.interactions import responses
from cogs.interactions.places import place_id_of
from cogs.interactions.responses import Interaction, translations_for

TABLE = "mydata"
"""What the ids of these buttons name instead of a match."""

FILE = "cardroom-mydata.json"


def setup(app: CardroomApp) -> None:
    """Register the commands."""
    say = translations(DEFAULT_LANGUAGE)
    group = app_commands.Group(name="mydata", description=say("command.mydata"), **DIRECT_TOO)

    @group.command(name="export", description=say("command.mydata_export"))
    async def export(interaction: Interaction) -> None:
        closed = app.daily.closed_until
        held = await personal_data.held(
            app.store, place_id_of(interaction), interaction.user.id, lambda row: closed(row) is not None
        )
        content = await asyncio.to_thread(_written, held)  # it has every act of every match
        await responses.reply_file(interaction, translations_for(interaction)("mydata.exported"), FILE, content)

    @group.command(name="delete", description=say("command.mydata_delete"))
    async def delete(interaction: Interaction) -> None:
        guild_id = _check_done(app, interaction)
        await personal_data.check_day(app.store, guild_id, interaction.user.id, app.daily.today())
        say = translations_for(interaction)
        asked = say("mydata.ask")
        if app.matches.quarantined(interaction.user.id, guild_id):  # not for a fault: that was checked
            asked = f"{asked}\n{say('mydata.ask_not_installed')}"
        buttons = (
            Button(say("button.delete"), Press("forget"), Tone.BAD),
            Button(say("button.keep"), Press("remain")),
        )
        screen = Screen(say("mydata.title"), (Text(asked),), (buttons,), tone=Tone.BAD)
        await responses.reply_private(interaction, screen, TABLE)

    app.tree.add_command(group)


async def forget(app: CardroomApp, interaction: Interaction) -> None:
    """Delete what is stored about the person who pressed. It may take longer than an answer may.

    Raises Refused while they play in this place.
    """
    guild_id = _check_done(app, interaction)
    say = translations_for(interaction)
    await responses.reply_private(interaction, Screen(say("mydata.title"), (Text(say("mydata.deleting")),)), TABLE)
    try:
        await app.lifecycle.call_off_without_game(guild_id, interaction.user.id)
        await personal_data.forget(app.store, guild_id, interaction.user.id, app.daily.today())
        text = say("mydata.deleted")
        await app.reload_preferences(interaction.user.id)
    except MaybeSaved as unsettled:
        text = say(unsettled.key)
        await app.reload_preferences(interaction.user.id)
    except Unsaved:
        text = say("mydata.unsaved")
    except Refused as refused:
        text = say(refused.key, **refused.values)
    app.display_names.forget(guild_id, interaction.user.id)
    await responses.edit_reply(interaction, Screen(say("mydata.title"), (Text(text),)), TABLE)


async def remain(interaction: Interaction) -> None:
    """Leave everything as it is."""
    say = translations_for(interaction)
    await responses.reply_private(interaction, Screen(say("mydata.title"), (Text(say("mydata.kept")),)), TABLE)


def _check_done(app: CardroomApp, interaction: Interaction) -> int:
    """The place of an interaction. Raises Refused while the person plays there."""
    guild_id, user_id = place_id_of(interaction), interaction.user.id
    playing = app.matches.of_player(user_id, guild_id) or app.invitations.of_player(user_id, guild_id)
    if playing or any(not held.lacks_game for held in app.matches.quarantined(user_id, guild_id)):
        raise Refused("mydata.playing")
    return guild_id


def _written(held: dict[str, Any]) -> bytes:
    """The text of an export."""
    return json.dumps(held, ensure_ascii=False, indent=1).encode()
