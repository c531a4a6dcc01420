"""What every small bot shares: a client with a command tree that is synced once, before it connects."""

from __future__ import annotations

import discord
from discord import app_commands


class SmallBot(discord.Client):
    """A bot for one subject."""

    def __init__(self, *, intents: discord.Intents | None = None) -> None:
        super().__init__(intents=intents or discord.Intents(guilds=True))
        self.tree = app_commands.CommandTree(self)

    async def setup_hook(self) -> None:
        """Tell Discord of the commands."""
        await self.tree.sync()
