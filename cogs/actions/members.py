"""Who is a member of a server, requested from Discord."""

from __future__ import annotations

import discord


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
