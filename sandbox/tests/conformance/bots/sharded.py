"""A bot that runs as several processes, each with some of its shards."""

from __future__ import annotations

from collections.abc import Sequence

import discord
from discord import app_commands, ui


class WhoButton(ui.View):
    """A button that is answered by whoever gets its press, whichever process posted it."""

    def __init__(self, part: str) -> None:
        super().__init__(timeout=None)
        self._part = part

    @ui.button(label="Who is it?", custom_id="who")
    async def who(self, interaction: discord.Interaction, _button: ui.Button[WhoButton]) -> None:
        await interaction.response.send_message(f"{self._part} on shard {_shard(interaction)}", ephemeral=True)


class ShardedBot(discord.AutoShardedClient):
    """One part of the bot. `resumed` are the shards whose sessions went on after a cut, in order."""

    def __init__(self, part: str, shard_ids: Sequence[int], shard_count: int) -> None:
        super().__init__(intents=discord.Intents(guilds=True), shard_ids=list(shard_ids), shard_count=shard_count)
        self.tree = app_commands.CommandTree(self)
        self._part = part
        self.resumed: list[int] = []

        @self.tree.command(description="Who answers here")
        async def who(interaction: discord.Interaction) -> None:
            await interaction.response.send_message(f"{part} on shard {_shard(interaction)}", view=WhoButton(part))

    async def setup_hook(self) -> None:
        """Answer buttons of former processes too; shard 0's part tells Discord of the commands."""
        self.add_view(WhoButton(self._part))
        if self.shard_ids is not None and 0 in self.shard_ids:
            await self.tree.sync()

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Note which session goes on."""
        self.resumed.append(shard_id)


def _shard(interaction: discord.Interaction) -> int:
    return 0 if interaction.guild is None else interaction.guild.shard_id
