"""The yardstick: a bot of discord.py's that answers every press with "pong", privately, and does nothing else.

So that there is something to press, it posts a message of the size of a board in every channel. It takes its token and
Discord's address from where ours takes them.
"""

from __future__ import annotations

import os

import discord
from discord.http import Route

TEXT = "A text about as long as a board's. " * 20
LABELS = ("My cards", "Open piles", "Rules", "Call off", "Resign", "Proof")


class BareBot(discord.AutoShardedClient):
    """The library as it comes, with the one intent that ours has too."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True))

    async def on_ready(self) -> None:
        """Post what can be pressed; the library is told to take no presses itself."""
        for guild in self.guilds:
            for channel in guild.text_channels:
                view = discord.ui.View(timeout=None)
                for label in LABELS:
                    view.add_item(discord.ui.Button(label=label, custom_id=label))
                view.stop()
                await channel.send(TEXT, view=view)

    async def on_interaction(self, interaction: discord.Interaction[discord.Client]) -> None:
        """Answer."""
        await interaction.response.send_message("pong", ephemeral=True)


if __name__ == "__main__":
    Route.BASE = os.environ["DISCORD_API_BASE"]
    BareBot().run(os.environ["DISCORD_TOKEN"], log_handler=None)
