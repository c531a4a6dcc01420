"""A message made of the second components: sections, pictures, a gallery, a file, rows."""

from __future__ import annotations

import io

import discord
from discord import ui

from tests.conformance.bots.client import SmallBot

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)


class Like(ui.ActionRow["Card"]):
    """A row as a class, with its button's callback in it."""

    @ui.button(label="Like", style=discord.ButtonStyle.red)
    async def like(self, interaction: discord.Interaction, button: ui.Button[Card]) -> None:
        button.label, button.disabled = "Liked", True
        await interaction.response.edit_message(view=self.view)


class Card(ui.LayoutView):
    """Looks like an embed."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        box: ui.Container[Card] = ui.Container(accent_colour=discord.Colour.blurple())
        picture = ui.Thumbnail["Card"]("attachment://pixel.png", description="one point")
        box.add_item(ui.Section("## A card", "Two lines", accessory=picture))
        box.add_item(ui.Separator())
        gallery: ui.MediaGallery[Card] = ui.MediaGallery()
        gallery.add_item(media="attachment://pixel.png", description="again", spoiler=True)
        gallery.add_item(media="https://example.org/far.png")
        box.add_item(gallery)
        box.add_item(ui.File("attachment://notes.txt"))
        self.add_item(box)
        self.add_item(Like())
        self.add_item(ui.TextDisplay("-# below"))


def bot() -> SmallBot:
    """The bot with its one command."""
    client = SmallBot()

    @client.tree.command(description="A card")
    async def card(interaction: discord.Interaction) -> None:
        files = [discord.File(io.BytesIO(PIXEL), "pixel.png"), discord.File(io.BytesIO(b"notes"), "notes.txt")]
        await interaction.response.send_message(view=Card(), files=files)

    @client.tree.command(description="A text that is too long")
    async def long(interaction: discord.Interaction) -> None:
        await interaction.response.defer()
        view = ui.LayoutView().add_item(ui.TextDisplay("x" * 4001))
        try:
            await interaction.edit_original_response(view=view)
        except discord.HTTPException as refused:
            await interaction.edit_original_response(content=f"refused with {refused.code}")

    return client
