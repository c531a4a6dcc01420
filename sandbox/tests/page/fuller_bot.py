"""A discord.py bot with what the small one lacks: menus, selects of entities, threads, files, forms of every field."""

from __future__ import annotations

import asyncio
from io import BytesIO
from typing import Any

import discord
from discord import app_commands, ui

from tests.page.small_bot import red_square

Answer = discord.Interaction


class Entities(ui.LayoutView):
    """A select of each kind whose options are what there is in the server."""

    def __init__(self, heard: list[object]) -> None:
        super().__init__(timeout=None)
        everybody: ui.UserSelect[Any] = ui.UserSelect(placeholder="Who may sit down?", max_values=3)
        selects: list[ui.UserSelect[Any] | ui.RoleSelect[Any] | ui.MentionableSelect[Any] | ui.ChannelSelect[Any]] = [
            everybody,
            ui.RoleSelect(placeholder="Which role?"),
            ui.MentionableSelect(placeholder="Whom to tell?"),
            ui.ChannelSelect(placeholder="Where?", channel_types=[discord.ChannelType.text]),
        ]
        for each in selects:
            row: ui.ActionRow[Entities] = ui.ActionRow()
            row.add_item(each)
            self.add_item(row)
            self._hear(each, heard)

    @staticmethod
    def _hear(select: Any, heard: list[object]) -> None:  # one callback for four kinds
        async def chosen(interaction: Answer) -> None:
            heard.append([each.name for each in select.values])
            await interaction.response.defer()

        select.callback = chosen


class Everything(ui.Modal, title="Everything"):
    """A form with one field of each kind that is no text."""

    def __init__(self, heard: list[object]) -> None:
        super().__init__()
        self.heard = heard
        self.clock: ui.RadioGroup[Everything] = ui.RadioGroup()
        for name in ("Blitz", "Daily"):
            self.clock.add_option(label=name, value=name.lower())
        self.extras: ui.CheckboxGroup[Everything] = ui.CheckboxGroup(required=False, min_values=0)
        for name in ("Spectators", "Rated"):
            self.extras.add_option(label=name, value=name.lower())
        self.sure: ui.Checkbox[Everything] = ui.Checkbox()
        self.who: ui.UserSelect[Everything] = ui.UserSelect(placeholder="Pick somebody")
        self.file: ui.FileUpload[Everything] = ui.FileUpload(required=False, min_values=0)
        fields: dict[str, ui.Item[Everything]] = {
            "Clock": self.clock,
            "Extras": self.extras,
            "I am sure": self.sure,
            "Opponent": self.who,
            "A picture": self.file,
        }
        for name, field in fields.items():
            label: ui.Label[Everything] = ui.Label(text=name, component=field)
            self.add_item(label)

    async def on_submit(self, interaction: Answer) -> None:
        files = [(each.filename, len(await each.read())) for each in self.file.values]
        names = [each.name for each in self.who.values]
        self.heard.append((self.clock.value, list(self.extras.values), self.sure.value, names, files))
        await interaction.response.send_message("Everything was heard.", ephemeral=True)


class Dig(ui.Button[ui.LayoutView]):
    """Answers what it is in."""

    def __init__(self, own: discord.Emoji) -> None:
        super().__init__(label="Dig", emoji=own, custom_id="dig")

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Nothing is there", ephemeral=True)


class FullerBot(discord.AutoShardedClient):
    """`heard` is what came in, `wake` lets what waits go on."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), allowed_mentions=discord.AllowedMentions.none())
        self.tree = app_commands.CommandTree(self)
        self.heard: list[object] = []
        self.wake = asyncio.Event()
        self.emoji: discord.Emoji | None = None
        _add_menus(self)
        _add_options(self)
        _add_shows(self)

    async def setup_hook(self) -> None:
        await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Identify at once: the sandbox needs no 5 seconds between two shards."""


def _add_menus(bot: FullerBot) -> None:
    @bot.tree.context_menu(name="Challenge…")
    async def challenge(interaction: Answer, member: discord.Member) -> None:
        bot.heard.append(member.name)
        await interaction.response.send_message(f"You challenge {member.display_name}", ephemeral=True)

    @bot.tree.context_menu(name="Count the words")
    async def count(interaction: Answer, message: discord.Message) -> None:
        await interaction.response.send_message(f"{len(message.content.split())} words", ephemeral=True)


def _add_options(bot: FullerBot) -> None:
    @bot.tree.command(description="Takes a file, a role, somebody and a channel")
    async def take(
        interaction: Answer,
        file: discord.Attachment | None = None,
        role: discord.Role | None = None,
        whom: discord.Member | discord.Role | None = None,
        place: discord.TextChannel | None = None,
    ) -> None:
        content = None if file is None else await file.read()
        bot.heard.append((content, *(each and each.name for each in (role, whom, place))))
        await interaction.response.send_message("Taken", ephemeral=True)

    @bot.tree.command(description="Selects of what there is")
    async def entities(interaction: Answer) -> None:
        await interaction.response.send_message(view=Entities(bot.heard))

    @bot.tree.command(description="A form of every field")
    async def form(interaction: Answer) -> None:
        await interaction.response.send_modal(Everything(bot.heard))


def _add_shows(bot: FullerBot) -> None:
    @bot.tree.command(description="Begins a thread here, and says something in it")
    async def thread(interaction: Answer, name: str) -> None:
        channel = interaction.channel
        assert isinstance(channel, discord.TextChannel)
        await interaction.response.send_message("A thread it shall be", ephemeral=True)
        begun = await channel.create_thread(name=name, type=discord.ChannelType.public_thread)
        await begun.send("First words in here")
        bot.heard.append(begun)

    @bot.tree.command(description="Types for a while")
    async def write(interaction: Answer) -> None:
        await interaction.response.send_message("I shall write", ephemeral=True)
        assert isinstance(interaction.channel, discord.TextChannel)
        await interaction.channel.typing()

    @bot.tree.command(description="A button and a text with an emoji of its own")
    async def emoji(interaction: Answer) -> None:
        own = await bot.create_application_emoji(name="spade", image=red_square())
        view = ui.LayoutView(timeout=None)
        row: ui.ActionRow[ui.LayoutView] = ui.ActionRow()
        row.add_item(Dig(own))
        view.add_item(ui.TextDisplay(f"A {own} it is, and <:gone:12345678901234567> is gone\n> for good"))
        view.add_item(row)
        await interaction.response.send_message(view=view)

    @bot.tree.command(description="A picture behind a spoiler, and a file")
    async def files(interaction: Answer) -> None:
        view = ui.LayoutView(timeout=None)
        picture = discord.MediaGalleryItem("attachment://red.png", description="A red square", spoiler=True)
        view.add_item(ui.MediaGallery(picture))
        view.add_item(ui.File("attachment://deal.txt"))
        uploads = [discord.File(BytesIO(red_square()), "red.png"), discord.File(BytesIO(b"the deal"), "deal.txt")]
        await interaction.response.send_message(view=view, files=uploads)
