"""A small bot of the kind discord.py's own examples show, with one command for each thing to try."""

from __future__ import annotations

import asyncio

import discord
from discord import app_commands, ui
from discord.http import Route


class Offer(ui.View):
    """Two buttons of the first components."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @ui.button(label="Accept", custom_id="offer:accept", style=discord.ButtonStyle.success)
    async def accept(self, interaction: discord.Interaction, _button: ui.Button[Offer]) -> None:
        await interaction.response.edit_message(content="accepted", view=None)
        await interaction.followup.send("only for you", ephemeral=True)

    @ui.button(label="Closed", custom_id="offer:closed", disabled=True)
    async def closed(self, interaction: discord.Interaction, _button: ui.Button[Offer]) -> None:
        await interaction.response.send_message("pressed all the same", ephemeral=True)


class Count(ui.Button["Hand"]):
    """A button that counts up in its own message."""

    def __init__(self, number: int) -> None:
        super().__init__(label=f"Count {number}", custom_id=f"count:{number}")
        self.number = number

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.edit_message(view=Hand(self.number + 1))


class Hand(ui.LayoutView):
    """A message of the second components: a container with text, a section and a row."""

    def __init__(self, number: int) -> None:
        super().__init__(timeout=None)
        box: ui.Container[Hand] = ui.Container(ui.TextDisplay(f"number {number}"), accent_color=0x336699)
        box.add_item(ui.Separator())
        detail: ui.Button[Hand] = ui.Button(label="Detail", custom_id="detail", disabled=True)
        box.add_item(ui.Section(ui.TextDisplay("a section"), accessory=detail))
        row: ui.ActionRow[Hand] = ui.ActionRow()
        row.add_item(Count(number))
        box.add_item(row)
        self.add_item(box)


class Colours(ui.View):
    """A select of strings."""

    @ui.select(
        custom_id="colours",
        placeholder="Colours",
        min_values=1,
        max_values=2,
        options=[discord.SelectOption(label=name.title(), value=name) for name in ("red", "green", "blue")],
    )
    async def choose(self, interaction: discord.Interaction, select: ui.Select[Colours]) -> None:
        await interaction.response.edit_message(content=" and ".join(select.values), view=None)


class Question(ui.Modal, title="A question"):
    """One labelled text input."""

    answer: ui.Label[Question] = ui.Label(
        text="Your answer", component=ui.TextInput(custom_id="answer", min_length=2, max_length=20)
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        field = self.answer.component
        assert isinstance(field, ui.TextInput)
        await interaction.response.send_message(f"you said {field.value}", ephemeral=True)


class SampleBot(discord.AutoShardedClient):
    """`codes` are Discord's error codes that came back, in order; `wake` lets a waiting command go on."""

    def __init__(self, shard_count: int | None = None) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            shard_count=shard_count,
            allowed_mentions=discord.AllowedMentions.none(),
        )
        self.tree = app_commands.CommandTree(self)
        self.codes: list[int] = []
        self.wake = asyncio.Event()
        self.permissions_seen = discord.Permissions.none()
        _add_commands(self)

    async def setup_hook(self) -> None:
        await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Identify at once: the sandbox needs no 5 seconds between two shards."""


def _add_commands(bot: SampleBot) -> None:
    game = app_commands.Group(name="game", description="A game")

    @game.command(name="start", description="Start one")
    @app_commands.choices(clock=[app_commands.Choice(name=name.title(), value=name) for name in ("blitz", "daily")])
    async def start(interaction: discord.Interaction, opponent: discord.Member, clock: str = "daily") -> None:
        bot.permissions_seen = interaction.app_permissions
        await interaction.response.send_message(
            f"{interaction.user.mention} {opponent.mention} {clock}",
            view=Offer(),
            allowed_mentions=discord.AllowedMentions(users=[opponent]),
        )

    bot.tree.add_command(game)

    @bot.tree.command(description="A hand")
    async def hand(interaction: discord.Interaction) -> None:
        await interaction.response.send_message(view=Hand(1), ephemeral=True)

    @bot.tree.command(description="Colours")
    async def pick(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("which?", view=Colours(), ephemeral=True)

    @bot.tree.command(description="A modal")
    async def ask(interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(Question())

    @bot.tree.command(description="Think first")
    async def think(interaction: discord.Interaction, secret: bool) -> None:
        await interaction.response.defer(ephemeral=secret, thinking=True)
        await bot.wake.wait()
        await interaction.followup.send("thought of it", ephemeral=True)
        await interaction.edit_original_response(content="thought of it twice")

    @bot.tree.command(description="Never answers")
    async def silent(interaction: discord.Interaction) -> None:
        await bot.wake.wait()
        await _code(bot, interaction)

    @bot.tree.command(description="Answers twice")
    async def twice(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("once", ephemeral=True)
        again = Route("POST", "/interactions/{id}/{token}/callback", id=interaction.id, token=interaction.token)
        try:  # the library would send no second first response
            await bot.http.request(again, json={"type": 4, "data": {"content": "again"}})
        except discord.HTTPException as refusal:
            bot.codes.append(refusal.code)

    @bot.tree.command(description="Follows up later")
    async def later(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("now", ephemeral=True)
        await bot.wake.wait()
        try:
            await interaction.edit_original_response(content="later")
        except discord.HTTPException as refusal:
            bot.codes.append(refusal.code)

    async def names(_interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        known = ("haymaker", "hazard", "ciq")
        return [app_commands.Choice(name=name.title(), value=name) for name in known if name.startswith(typed)]

    @bot.tree.command(description="Find by name")
    @app_commands.autocomplete(name=names)
    async def find(interaction: discord.Interaction, name: str) -> None:
        await interaction.response.send_message(f"found {name}", ephemeral=True)

    @bot.tree.context_menu(name="Challenge…")
    async def challenge(interaction: discord.Interaction, member: discord.Member) -> None:
        await interaction.response.send_message(f"challenging {member.display_name}", ephemeral=True)


async def _code(bot: SampleBot, interaction: discord.Interaction) -> None:
    try:
        await interaction.response.send_message("again", ephemeral=True)
    except discord.HTTPException as refusal:
        bot.codes.append(refusal.code)
