"""Views of one message's life: a question with two answers, a counter, a link, a private start, pages."""

from __future__ import annotations

import discord
from discord import ui

from tests.conformance.bots.client import SmallBot


class Question(ui.View):
    """Waits for one of two buttons; `answer` is None until then."""

    def __init__(self, asker: int) -> None:
        super().__init__(timeout=5)
        self.asker = asker
        self.answer: bool | None = None

    async def interaction_check(self, interaction: discord.Interaction, /) -> bool:
        """Only who asked may answer; others are told so."""
        if interaction.user.id == self.asker:
            return True
        await interaction.response.send_message("not your question", ephemeral=True)
        return False

    @ui.button(label="Yes", style=discord.ButtonStyle.green)
    async def yes(self, interaction: discord.Interaction, _button: ui.Button[Question]) -> None:
        self.answer = True
        await interaction.response.defer()
        self.stop()

    @ui.button(label="No", style=discord.ButtonStyle.grey)
    async def no(self, interaction: discord.Interaction, _button: ui.Button[Question]) -> None:
        self.answer = False
        await interaction.response.send_message("as you like", ephemeral=True)
        self.stop()


class Tally(ui.View):
    """Counts to three, then its button is done."""

    @ui.button(label="0", style=discord.ButtonStyle.red, emoji="\N{GAME DIE}")
    async def count(self, interaction: discord.Interaction, button: ui.Button[Tally]) -> None:
        number = int(button.label or 0) + 1
        button.label = str(number)
        if number == 3:
            button.style, button.disabled = discord.ButtonStyle.green, True
        await interaction.response.edit_message(view=self)


class Door(ui.View):
    """A public button that gives each person a tally of their own."""

    @ui.button(label="Start", style=discord.ButtonStyle.blurple)
    async def start(self, interaction: discord.Interaction, _button: ui.Button[Door]) -> None:
        await interaction.response.send_message("Yours:", view=Tally(), ephemeral=True)


class Pages(ui.View):
    """Embeds to leaf through; the buttons at the ends are disabled."""

    def __init__(self, texts: list[str]) -> None:
        super().__init__()
        self.texts = texts
        self.page = 0
        self._set()

    def _set(self) -> None:
        self.back.disabled = self.page == 0
        self.on.disabled = self.page == len(self.texts) - 1

    def embed(self) -> discord.Embed:
        """The page as an embed."""
        embed = discord.Embed(title="Pages", description=self.texts[self.page], colour=0x336699)
        embed.add_field(name="of", value=str(len(self.texts)))
        embed.set_footer(text=f"{self.page + 1}")
        return embed

    async def _turn(self, interaction: discord.Interaction, step: int) -> None:
        self.page += step
        self._set()
        await interaction.response.edit_message(embed=self.embed(), view=self)

    @ui.button(label="Back")
    async def back(self, interaction: discord.Interaction, _button: ui.Button[Pages]) -> None:
        await self._turn(interaction, -1)

    @ui.button(label="On")
    async def on(self, interaction: discord.Interaction, _button: ui.Button[Pages]) -> None:
        await self._turn(interaction, 1)


def bot() -> SmallBot:
    """The bot with a command for each view."""
    client = SmallBot()

    @client.tree.command(description="Asks before it acts")
    async def sure(interaction: discord.Interaction) -> None:
        question = Question(interaction.user.id)
        await interaction.response.send_message("Sure?", view=question)
        if await question.wait():
            await interaction.edit_original_response(content="no answer", view=None)
        else:
            await interaction.edit_original_response(content="done" if question.answer else "left", view=None)

    @client.tree.command(description="Counts")
    async def tally(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Press!", view=Tally())

    @client.tree.command(description="Opens a private tally")
    async def door(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Come in", view=Door())

    @client.tree.command(description="Leaf through")
    async def pages(interaction: discord.Interaction) -> None:
        view = Pages(["one", "two", "three"])
        await interaction.response.send_message(embed=view.embed(), view=view)

    @client.tree.command(description="Links to a search")
    async def look(interaction: discord.Interaction, words: str) -> None:
        view = ui.View()
        view.add_item(ui.Button(label="Look", url=f"https://example.org/?q={words}"))
        await interaction.response.send_message("There:", view=view)

    return client
