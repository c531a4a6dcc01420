"""Buttons that outlive the process: a registered view with fixed ids, and items that carry their state in the id."""

from __future__ import annotations

import re

import discord
from discord import ui

from tests.conformance.bots.client import SmallBot


class Poll(ui.View):
    """Known by its ids alone; posted once, registered at every start."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @ui.button(label="For", custom_id="poll:for", style=discord.ButtonStyle.green)
    async def agree(self, interaction: discord.Interaction, _button: ui.Button[Poll]) -> None:
        await interaction.response.send_message("counted for", ephemeral=True)

    @ui.button(label="Against", custom_id="poll:against", style=discord.ButtonStyle.red)
    async def refuse(self, interaction: discord.Interaction, _button: ui.Button[Poll]) -> None:
        await interaction.response.send_message("counted against", ephemeral=True)


class OwnCount(ui.DynamicItem[ui.Button[ui.View]], template=r"own:(?P<number>\d+):(?P<owner>\d+)"):
    """A counter only its owner presses; number and owner stand in the id."""

    def __init__(self, owner: int, number: int = 0) -> None:
        super().__init__(ui.Button(label=f"{number}", custom_id=f"own:{number}:{owner}"))
        self.owner = owner
        self.number = number

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction, _item: ui.Item[ui.View], match: re.Match[str], /
    ) -> OwnCount:
        """The counter an id speaks of."""
        return cls(int(match["owner"]), int(match["number"]))

    async def interaction_check(self, interaction: discord.Interaction, /) -> bool:
        """Whether its owner presses."""
        if interaction.user.id != self.owner:
            await interaction.response.send_message("not yours", ephemeral=True)
        return interaction.user.id == self.owner

    async def callback(self, interaction: discord.Interaction) -> None:
        """Count on."""
        view = ui.View(timeout=None)
        view.add_item(OwnCount(self.owner, self.number + 1))
        await interaction.response.edit_message(view=view)


class PersistentBot(SmallBot):
    """Registers both at its start."""

    async def setup_hook(self) -> None:
        self.add_view(Poll())
        self.add_dynamic_items(OwnCount)
        await super().setup_hook()


def bot() -> PersistentBot:
    """The bot with a command for each kind."""
    client = PersistentBot()

    @client.tree.command(description="A poll")
    async def poll(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("For or against?", view=Poll())

    @client.tree.command(description="A counter of one's own")
    async def own(interaction: discord.Interaction) -> None:
        view = ui.View(timeout=None)
        view.add_item(OwnCount(interaction.user.id))
        await interaction.response.send_message("Count:", view=view)

    return client
