"""A small discord.py bot with one command for each thing the page must show."""

from __future__ import annotations

import asyncio
import struct
import zlib
from io import BytesIO

import discord
from discord import app_commands, ui

RED = 0xC0392B
CLOCKS = ("blitz", "normal", "daily")
GAMES = ("Haymaker", "Champions of Chance", "Unbreakable")


class Table(ui.LayoutView):
    """A board: a container with text, a section, separators and buttons of every colour."""

    def __init__(self, title: str, presses: int = 0) -> None:
        super().__init__(timeout=None)
        box: ui.Container[Table] = ui.Container(accent_color=RED)
        box.add_item(ui.TextDisplay(f"## {title}"))
        box.add_item(ui.Section(f"Pressed **{presses}** times", accessory=Count(title, presses)))
        box.add_item(ui.Separator())
        row: ui.ActionRow[Table] = ui.ActionRow()
        for button in (MyCards(), Silent(), Slow(), Closed()):
            row.add_item(button)
        box.add_item(row)
        self.add_item(box)


class Count(ui.Button[Table]):
    """Counts its presses in its own message."""

    def __init__(self, title: str, presses: int) -> None:
        super().__init__(label="Count", style=discord.ButtonStyle.success, custom_id=f"count:{presses}")
        self.title, self.presses = title, presses

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.edit_message(view=Table(self.title, self.presses + 1))


class MyCards(ui.Button[Table]):
    """Shows the presser something that is theirs alone."""

    def __init__(self) -> None:
        super().__init__(label="My cards", emoji="🃏", style=discord.ButtonStyle.primary, custom_id="cards")

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"The secret of {interaction.user.name} is 7♠ 8♠", ephemeral=True)


class Silent(ui.Button[Table]):
    """Never answers."""

    def __init__(self) -> None:
        super().__init__(label="Silent", style=discord.ButtonStyle.danger, custom_id="silent")

    async def callback(self, interaction: discord.Interaction) -> None:
        """Leave the press unanswered."""


class Slow(ui.Button[Table]):
    """Answers when told to."""

    def __init__(self) -> None:
        super().__init__(label="Slow", custom_id="slow")

    async def callback(self, interaction: discord.Interaction) -> None:
        bot = interaction.client
        assert isinstance(bot, SmallBot)
        await bot.wake.wait()
        await interaction.response.defer()


class Closed(ui.Button[Table]):
    """Cannot be pressed."""

    def __init__(self) -> None:
        super().__init__(label="Closed", custom_id="closed", disabled=True)


class Colours(ui.View):
    """A select of strings."""

    @ui.select(
        custom_id="colours",
        placeholder="Choose a colour",
        options=[discord.SelectOption(label=name.title(), value=name) for name in ("red", "green", "blue")],
    )
    async def choose(self, interaction: discord.Interaction, select: ui.Select[Colours]) -> None:
        await interaction.response.edit_message(content=f"You took {select.values[0]}", view=None)


class Question(ui.Modal, title="A question"):
    """Two labelled text inputs."""

    salt: ui.Label[Question] = ui.Label(
        text="Salt", description="Any words", component=ui.TextInput(custom_id="salt", max_length=40)
    )
    note: ui.Label[Question] = ui.Label(
        text="Note",
        component=ui.TextInput(custom_id="note", style=discord.TextStyle.paragraph, required=False),
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        field = self.salt.component
        assert isinstance(field, ui.TextInput)
        await interaction.response.send_message(f"Salted with {field.value}", ephemeral=True)


class SmallBot(discord.AutoShardedClient):
    """`heard` are the options of the commands that came in; `wake` lets what waits go on."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), allowed_mentions=discord.AllowedMentions.none())
        self.tree = app_commands.CommandTree(self)
        self.heard: list[dict[str, object]] = []
        self.wake = asyncio.Event()
        _add_table(self)
        _add_answers(self)
        _add_shows(self)

    async def setup_hook(self) -> None:
        await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Identify at once: the sandbox needs no 5 seconds between two shards."""


def _add_table(bot: SmallBot) -> None:
    table = app_commands.Group(name="table", description="A table")

    @table.command(name="challenge", description="Challenge somebody")
    @app_commands.describe(opponent="Whom to challenge", clock="How long a turn may take", rounds="How many")
    @app_commands.choices(clock=[app_commands.Choice(name=name.title(), value=name) for name in CLOCKS])
    async def challenge(
        interaction: discord.Interaction,
        opponent: discord.Member,
        clock: str = "normal",
        rounds: app_commands.Range[int, 1, 9] = 3,
    ) -> None:
        bot.heard.append({"opponent": opponent.name, "clock": clock, "rounds": rounds})
        await interaction.response.send_message(
            view=Table(f"{discord.utils.escape_markdown(interaction.user.display_name)} against {opponent.mention}")
        )

    @table.command(name="open", description="Open a table")
    async def open_(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("A table.")

    @table.command(name="rules", description="How it is played")
    async def rules(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Have fun.", ephemeral=True)

    bot.tree.add_command(table)


def _add_answers(bot: SmallBot) -> None:
    async def names(_interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        found = [name for name in GAMES if typed.lower() in name.lower()]
        return [app_commands.Choice(name=name, value=name.split()[0].lower()) for name in found]

    @bot.tree.command(description="Find a game by its name")
    @app_commands.autocomplete(game=names)
    async def find(interaction: discord.Interaction, game: str) -> None:
        bot.heard.append({"game": game})
        await interaction.response.send_message(f"Found {game}", ephemeral=True)

    @bot.tree.command(description="Opens a form")
    async def ask(interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(Question())

    @bot.tree.command(description="Offers colours")
    async def colours(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Which?", view=Colours(), ephemeral=True)

    @bot.tree.command(description="Thinks before it answers")
    async def think(interaction: discord.Interaction) -> None:
        await interaction.response.defer(thinking=True, ephemeral=True)
        await bot.wake.wait()
        await interaction.edit_original_response(content="Thought of it")

    @bot.tree.command(description="Never answers")
    async def silent(interaction: discord.Interaction) -> None:
        """Leave the command unanswered."""


def _add_shows(bot: SmallBot) -> None:
    @bot.tree.command(description="Says a text, in the second components")
    async def text(interaction: discord.Interaction, words: str) -> None:
        view = ui.LayoutView(timeout=None)
        view.add_item(ui.TextDisplay(words))
        await interaction.response.send_message(view=view)

    @bot.tree.command(description="An embed, as bots sent them once")
    async def embed(interaction: discord.Interaction) -> None:
        shown = discord.Embed(title="Standings", description="1. **Alice**", color=RED)
        shown.add_field(name="Wins", value="3")
        shown.set_footer(text="Page 1")
        await interaction.response.send_message("With an embed:", embed=shown)

    @bot.tree.command(description="A picture with its description")
    async def picture(interaction: discord.Interaction) -> None:
        file = discord.File(BytesIO(red_square()), "red.png")
        view = ui.LayoutView(timeout=None)
        view.add_item(ui.MediaGallery(discord.MediaGalleryItem("attachment://red.png", description="A red square")))
        await interaction.response.send_message(view=view, file=file)


def red_square(side: int = 8) -> bytes:
    """A red square, by the PNG specification: signature, header, pixels, end."""
    rows = b"".join(b"\0" + b"\xc0\x39\x2b" * side for _ in range(side))
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows)),
        (b"IEND", b""),
    ]
    parts = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)
