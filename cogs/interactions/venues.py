"""Where presses and commands come from, a server or somebody's direct messages, and who is a member of a server."""

from __future__ import annotations

from typing import Any, TypeVar

import discord
from discord import app_commands

from bot.gateway.installations import is_without_bot
from bot.play.refusals import Refused
from bot.store.special_ids import chat_venue, direct_venue
from cogs.interactions.responses import Interaction

IN_SERVERS: dict[str, Any] = {
    "allowed_contexts": app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False),
    "allowed_installs": app_commands.AppInstallationType(guild=True, user=False),
}
"""Commands are for servers, because they are about their matches and standings."""
DIRECT_TOO: dict[str, Any] = {
    **IN_SERVERS,
    "allowed_contexts": app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False),
}
"""Commands that need no server: direct messages with the bot belong to none, nor do chats to which people have brought
it along (`bot.gateway.announced_commands.offered_to_people`)."""

AnyCommand = TypeVar("AnyCommand", bound=app_commands.Command[Any, ..., Any])


def in_servers(command: AnyCommand) -> AnyCommand:
    """Offer a command in servers alone."""
    return _offered(command, IN_SERVERS)


def direct_too(command: AnyCommand) -> AnyCommand:
    """Offer a command in servers and in direct messages with the bot."""
    return _offered(command, DIRECT_TOO)


def _offered(command: AnyCommand, where: dict[str, Any]) -> AnyCommand:
    command.allowed_contexts, command.allowed_installs = where["allowed_contexts"], where["allowed_installs"]
    return command


def venue_id_of(interaction: Interaction) -> int:
    """The server of an interaction, or the venue of its person's direct messages and other chats."""
    return direct_venue(interaction.user.id) if interaction.guild_id is None else interaction.guild_id


def chat_of(interaction: Interaction) -> int | None:
    """The venue of a chat of people that the bot is not in; None anywhere else, and in servers that it isn't in."""
    channel = interaction.channel_id
    if channel is None or not is_without_bot(interaction) or not interaction.context.private_channel:
        return None
    return chat_venue(channel)


def venues_of(interaction: Interaction) -> tuple[int, ...]:
    """The venues that an interaction may be about: in a chat of people, that of its person and the chat's own."""
    chat = chat_of(interaction)
    return (venue_id_of(interaction),) if chat is None else (venue_id_of(interaction), chat)


def server_of(interaction: Interaction) -> int:
    """The server of an interaction. Raises Refused in direct messages."""
    if interaction.guild_id is None:
        raise Refused("place.not_a_server")
    return interaction.guild_id


class Members:
    """Asks Discord for members. Nothing is kept."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def fetch(self, guild_id: int, user_id: int) -> discord.Member | None:
        """A member of a server; None for a person who is not there."""
        guild = self._client.get_guild(guild_id)
        return None if guild is None else await _member(guild, user_id)

    async def fetch_elsewhere(self, guild_id: int, user_id: int) -> tuple[str, bool]:
        """What a server is called that another process serves, and whether a person is there: this process hears
        nothing of it. Empty and False for a server that removed the bot."""
        try:
            guild = await self._client.fetch_guild(guild_id, with_counts=False)
        except (discord.NotFound, discord.Forbidden):
            return "", False
        return guild.name, await _member(guild, user_id) is not None


async def _member(guild: discord.Guild, user_id: int) -> discord.Member | None:
    try:
        return await guild.fetch_member(user_id)
    except discord.NotFound:
        return None
