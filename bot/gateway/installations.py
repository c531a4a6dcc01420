"""Who may have installed the application, and where it is then used."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import discord


class InstallationType(IntEnum):
    """Who may have installed the application, for a command to be offered
    (https://discord.com/developers/docs/resources/application#application-object-application-integration-types)."""

    SERVER = 0
    PERSON = 1


class InteractionContextType(IntEnum):
    """Where a command is offered
    (https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object-interaction-context-types)."""

    SERVER = 0
    BOT_CHAT = 1
    OTHER_CHAT = 2


def leave_foreign_server(interaction: discord.Interaction[Any]) -> None:
    """Take an interaction from a server that the bot isn't in as one from any other chat without the bot: nothing of
    the server can be read, and nothing is stored of it."""
    owners = interaction._integration_owners
    if owners and InstallationType.SERVER not in owners:
        interaction.guild_id = None


def is_without_bot(interaction: discord.Interaction[Any]) -> bool:
    """Whether an interaction comes from a chat to which somebody has brought the bot along, without its being there.
    Only answers to interactions reach it."""
    if interaction.guild_id is not None:
        return False
    return bool(interaction.context.guild or interaction.context.private_channel)
