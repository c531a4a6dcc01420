"""Selects of every kind, and a panel of settings made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
from discord import ui

from tests.conformance.bots.client import SmallBot


class Favourite(ui.View):
    """A select of strings that answers with what was chosen."""

    @ui.select(
        placeholder="Your suit",
        options=[
            discord.SelectOption(label="Spades", emoji="\N{BLACK SPADE SUIT}", description="the black points"),
            discord.SelectOption(label="Hearts", emoji="\N{BLACK HEART SUIT}", default=True),
        ],
    )
    async def choose(self, interaction: discord.Interaction, select: ui.Select[Favourite]) -> None:
        await interaction.response.send_message(f"You like {select.values[0]}")


class Everything(ui.View):
    """One select of each kind of thing a server has."""

    @ui.select(cls=ui.UserSelect, placeholder="People", max_values=2)
    async def users(self, interaction: discord.Interaction, select: ui.UserSelect[Everything]) -> None:
        await interaction.response.send_message(" ".join(each.display_name for each in select.values))

    @ui.select(cls=ui.RoleSelect, placeholder="Roles")
    async def roles(self, interaction: discord.Interaction, select: ui.RoleSelect[Everything]) -> None:
        await interaction.response.send_message(select.values[0].name)

    @ui.select(cls=ui.MentionableSelect, placeholder="Anyone", min_values=0)
    async def anyone(self, interaction: discord.Interaction, select: ui.MentionableSelect[Everything]) -> None:
        await interaction.response.send_message(" ".join(type(each).__name__ for each in select.values) or "nobody")

    @ui.select(cls=ui.ChannelSelect, placeholder="Channels", channel_types=[discord.ChannelType.text])
    async def channels(self, interaction: discord.Interaction, select: ui.ChannelSelect[Everything]) -> None:
        await interaction.response.send_message(f"#{select.values[0].name}")


@dataclass
class Choices:
    """What one person has set."""

    colour: str = "red"
    loud: bool = False


class Settings(ui.LayoutView):
    """A private panel that is built anew after each change."""

    def __init__(self, choices: Choices) -> None:
        super().__init__()
        self.choices = choices
        box: ui.Container[Settings] = ui.Container(ui.TextDisplay("# Settings"), accent_colour=0xAA8800)
        box.add_item(ui.Separator(spacing=discord.SeparatorSpacing.large))
        loud: ui.Button[Settings] = ui.Button(
            label="Quiet" if choices.loud else "Loud", style=discord.ButtonStyle.green
        )
        loud.callback = self._toggle  # type: ignore[method-assign]  # discord.py's way for a button without a class
        box.add_item(ui.Section(f"Sound: {'loud' if choices.loud else 'quiet'}", accessory=loud))
        select: ui.Select[Settings] = ui.Select(
            options=[discord.SelectOption(label=name, default=name == choices.colour) for name in ("red", "blue")]
        )
        select.callback = self._paint  # type: ignore[method-assign]  # as above
        self.select = select
        box.add_item(ui.ActionRow(select))
        self.add_item(box)

    async def _toggle(self, interaction: discord.Interaction[Any]) -> None:
        self.choices.loud = not self.choices.loud
        await interaction.response.edit_message(view=Settings(self.choices))

    async def _paint(self, interaction: discord.Interaction[Any]) -> None:
        self.choices.colour = self.select.values[0]
        await interaction.response.edit_message(view=Settings(self.choices))


def bot() -> SmallBot:
    """The bot with a command for each."""
    client = SmallBot()

    @client.tree.command(description="One of two")
    async def favourite(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Which?", view=Favourite())

    @client.tree.command(description="One of each")
    async def everything(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Whom?", view=Everything())

    @client.tree.command(description="Settings")
    async def settings(interaction: discord.Interaction) -> None:
        await interaction.response.send_message(view=Settings(Choices()), ephemeral=True)

    return client
