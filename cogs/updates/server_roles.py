"""Roles that the bot gives members of a server, and takes from them, where the server lets it."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from cogs.updates.channel_messages import translate_failures

UNKNOWN_MEMBER = 10007
"""Discord's error code for somebody who isn't in the server
(https://discord.com/developers/docs/topics/opcodes-and-status-codes#json)."""


@dataclass(frozen=True, slots=True, eq=False)
class ServerRoles:
    """The roles of all servers. All methods raise NotTaken. To give a role that somebody has changes nothing."""

    client: discord.Client

    async def give(self, guild_id: int, user_id: int, role_id: int) -> None:
        """Give somebody a role."""
        with translate_failures():
            await self.client.http.add_role(guild_id, user_id, role_id)

    async def take(self, guild_id: int, user_id: int, role_id: int) -> None:
        """Take a role from somebody."""
        with translate_failures():
            await self.client.http.remove_role(guild_id, user_id, role_id)
