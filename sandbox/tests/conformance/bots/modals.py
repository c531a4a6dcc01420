"""Modals: text inputs in rows, labelled fields, selects and text among them, one opened by a button."""

from __future__ import annotations

import discord
from discord import ui

from tests.conformance.bots.client import SmallBot


class Feedback(ui.Modal, title="Feedback"):
    """The older kind: text inputs that bear their own labels."""

    name: ui.TextInput[Feedback] = ui.TextInput(label="Name", placeholder="Your name", max_length=30)
    words: ui.TextInput[Feedback] = ui.TextInput(
        label="Words", style=discord.TextStyle.long, required=False, max_length=300
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"Thanks, {self.name.value}: {self.words.value or '-'}", ephemeral=True)


class Report(ui.Modal, title="Report"):
    """The newer kind: labels with a description around inputs and selects, and text between them."""

    head: ui.TextDisplay[ui.LayoutView] = ui.TextDisplay("What happened?")
    kind: ui.Label[Report] = ui.Label(
        text="Kind",
        description="Pick one",
        component=ui.Select(
            custom_id="kind", options=[discord.SelectOption(label=each) for each in ("Rules", "Manners")]
        ),
    )
    whom: ui.Label[Report] = ui.Label(text="Whom", component=ui.UserSelect(custom_id="whom", max_values=2))
    more: ui.Label[Report] = ui.Label(
        text="More", component=ui.TextInput(custom_id="more", required=False, style=discord.TextStyle.paragraph)
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        kind, whom, more = self.kind.component, self.whom.component, self.more.component
        assert isinstance(kind, ui.Select)
        assert isinstance(whom, ui.UserSelect)
        assert isinstance(more, ui.TextInput)
        people = " and ".join(each.display_name for each in whom.values)
        await interaction.response.send_message(f"{kind.values[0]}, {people}: {more.value}")


class Rename(ui.Modal, title="Rename"):
    """Changes the message its button stands on."""

    title_text: ui.TextInput[Rename] = ui.TextInput(label="Title", default="Untitled", min_length=2)

    async def on_submit(self, interaction: discord.Interaction) -> None:
        await interaction.response.edit_message(content=self.title_text.value)


class Titled(ui.View):
    """A button that opens a modal."""

    @ui.button(label="Rename")
    async def rename(self, interaction: discord.Interaction, _button: ui.Button[Titled]) -> None:
        await interaction.response.send_modal(Rename())


def bot() -> SmallBot:
    """The bot with a command for each."""
    client = SmallBot()

    @client.tree.command(description="Say something")
    async def feedback(interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(Feedback())

    @client.tree.command(description="Report somebody")
    async def report(interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(Report())

    @client.tree.command(description="A title")
    async def titled(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Untitled", view=Titled())

    return client
