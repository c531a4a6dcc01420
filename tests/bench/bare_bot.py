"""The yardstick: a bot of discord.py's that answers every press with "pong", privately, and does nothing else.

It takes its token and Discord's address from where ours takes them.
"""

from __future__ import annotations

import os

import discord
from discord.http import Route


class BareBot(discord.AutoShardedClient):
    """The library as it comes, with the one intent that ours has too."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True))

    async def on_interaction(self, interaction: discord.Interaction[discord.Client]) -> None:
        """Answer."""
        await interaction.response.send_message("pong", ephemeral=True)


if __name__ == "__main__":
    Route.BASE = os.environ["DISCORD_API_BASE"]
    BareBot().run(os.environ["DISCORD_TOKEN"], log_handler=None)
