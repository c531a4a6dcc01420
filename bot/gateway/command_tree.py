"""The slash commands. They are announced when they have changed, and each gets an answer."""

from __future__ import annotations

import hashlib
import json
import logging
from typing import TYPE_CHECKING

import discord
from discord import app_commands

from bot import error_numbers
from bot.play.refusals import Refused, as_unsaved
from bot.store.errors import Busy, Fenced, NotSaved, Unsettled
from bot.store.store import Store
from bot.ui.catalogue import translations

if TYPE_CHECKING:
    from bot.gateway.client import CardroomClient

_log = logging.getLogger(__name__)


class CardroomCommandTree(app_commands.CommandTree["CardroomClient"]):
    """The slash commands. Errors in them are answered privately."""

    async def announce(self, store: Store) -> None:
        """Announce the commands to Discord, but only if they differ from those announced last."""
        payload = [command.to_dict(self) for command in self.get_commands()]
        payload.sort(key=lambda command: str(command["name"]))
        fingerprint = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
        key = f"commands:{self.client.application_id}"
        known = {command.name for command in await self.fetch_commands()}
        if await store.metadata(key) == fingerprint and known == {str(command["name"]) for command in payload}:
            return
        await self.sync()
        await store.set_metadata(key, fingerprint)
        _log.info("announced %d commands", len(payload))

    async def interaction_check(self, interaction: discord.Interaction[CardroomClient]) -> bool:
        """Drop commands that RESUME replayed after their token expired, and commands beyond the burst limit."""
        return await self.client.dispatcher.admit(interaction)

    async def on_error(
        self, interaction: discord.Interaction[CardroomClient], error: app_commands.AppCommandError
    ) -> None:
        """Answer a command that could not be carried out."""
        say = translations(str(interaction.locale))
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        if isinstance(cause, app_commands.CheckFailure):
            return
        if isinstance(cause, Busy | Fenced | NotSaved | Unsettled):
            cause = as_unsaved(cause)
        if isinstance(cause, Refused):
            text = say(cause.key, **cause.values)
        elif isinstance(cause, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
            text = say("command.changed")
        elif isinstance(cause, app_commands.TransformerError):
            text = say("command.bad_value")
        else:
            number = error_numbers.log_error(cause, "carrying out a command", self.client.telemetry)
            text = say("error.number", number=number)
        await self.client.dispatcher.reply_text(interaction, text)
