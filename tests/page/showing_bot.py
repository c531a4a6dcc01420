"""A bot that shows one screen in private, as a hand is shown: to look at screens that play seldom comes to."""

from __future__ import annotations

import discord
from discord import app_commands
from playwright.async_api import Locator, expect

from bot.ui.screen import Screen
from cogs.screens.renderer import sheet
from discord_sandbox.browser import Tab


class ShowingBot(discord.AutoShardedClient):
    """Answers `/show` with its `screen`."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), allowed_mentions=discord.AllowedMentions.none())
        self.tree = app_commands.CommandTree(self)
        self.screen = Screen("")

        @self.tree.command(description="Shows the screen")
        async def show(interaction: discord.Interaction) -> None:
            await interaction.response.send_message(view=sheet(self.screen, "shown"), ephemeral=True)

    async def setup_hook(self) -> None:
        await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Identify at once: the sandbox needs no 5 seconds between two shards."""

    async def shown(self, tab: Tab, screen: Screen) -> Locator:
        """The message with a screen, in a person's tab."""
        self.screen = screen
        before = await tab.page.locator("li.message.ephemeral").count()
        await tab.enter("/show")
        await expect(tab.page.locator("li.message.ephemeral")).to_have_count(before + 1)
        return tab.page.locator("li.message.ephemeral").last
