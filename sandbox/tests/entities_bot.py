"""A bot that takes every kind of option, select and modal field, and says what came."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands, ui


class Everything(ui.View):
    """A select of each kind of entity."""

    def __init__(self, person: discord.abc.Snowflake) -> None:
        super().__init__(timeout=None)
        known = discord.SelectDefaultValue(id=person.id, type=discord.SelectDefaultValueType.user)
        self.add_item(Told(ui.UserSelect, "users", max_values=2, default_values=[known]))
        self.add_item(Told(ui.RoleSelect, "roles"))
        self.add_item(Told(ui.MentionableSelect, "mentionables", max_values=2))
        self.add_item(Told(ui.ChannelSelect, "channels", channel_types=[discord.ChannelType.text], min_values=0))


def Told(kind: type[Any], custom_id: str, **more: Any) -> ui.Item[Any]:  # noqa: N802  it stands for a class
    """A select of one kind that answers with the names of what was chosen."""

    class Telling(kind):  # type: ignore[misc]  # a class from a value
        async def callback(self, interaction: discord.Interaction) -> None:
            names = sorted(f"{type(each).__name__} {each}" for each in self.values)
            await interaction.response.send_message(", ".join(names) or "none", ephemeral=True)

    return Telling(custom_id=custom_id, **more)


class Form(ui.Modal, title="Everything"):
    """Five labels, each with another kind of field."""

    colour: ui.Label[Any] = ui.Label(
        text="Colour",
        component=ui.RadioGroup(
            custom_id="colour",
            options=[discord.RadioGroupOption(label=name.title(), value=name) for name in ("red", "blue")],
        ),
    )
    games: ui.Label[Any] = ui.Label(
        text="Games",
        component=ui.CheckboxGroup(
            custom_id="games",
            min_values=1,
            max_values=2,
            options=[discord.CheckboxGroupOption(label=name, value=name) for name in ("a", "b", "c")],
        ),
    )
    agreed: ui.Label[Any] = ui.Label(text="Agreed", component=ui.Checkbox(custom_id="agreed"))
    proof: ui.Label[Any] = ui.Label(text="Proof", component=ui.FileUpload(custom_id="proof", required=False))
    friend: ui.Label[Any] = ui.Label(text="Friend", component=ui.UserSelect(custom_id="friend", required=True))

    async def on_submit(self, interaction: discord.Interaction) -> None:
        assert isinstance(self.colour.component, ui.RadioGroup)
        assert isinstance(self.games.component, ui.CheckboxGroup)
        assert isinstance(self.agreed.component, ui.Checkbox)
        assert isinstance(self.proof.component, ui.FileUpload)
        assert isinstance(self.friend.component, ui.UserSelect)
        files = [(await each.read()).decode() for each in self.proof.component.values]
        friends = [each.name for each in self.friend.component.values]
        said = (self.colour.component.value, self.games.component.values, self.agreed.component.value, files, friends)
        await interaction.response.send_message(repr(said), ephemeral=True)


class EntitiesBot(discord.AutoShardedClient):
    """`seen` are the interactions that came, in order."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.tree = app_commands.CommandTree(self)
        self.seen: list[discord.Interaction] = []
        _add_commands(self)

    async def setup_hook(self) -> None:
        await self.tree.sync()

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        self.seen.append(interaction)


def _add_commands(bot: EntitiesBot) -> None:
    @bot.tree.command(description="Options of every kind")
    async def options(  # noqa: PLR0917  one of each kind
        interaction: discord.Interaction,
        text: app_commands.Range[str, 2, 5],
        whole: app_commands.Range[int, 1, 9],
        broken: float,
        tick: bool,
        person: discord.Member,
        place: discord.TextChannel,
        role: discord.Role,
        either: discord.Member | discord.Role,
        file: discord.Attachment | None = None,
    ) -> None:
        content = "" if file is None else (await file.read()).decode()
        said = (text, whole, broken, tick, person.display_name, place.name, role.name, either.name, content)
        await interaction.response.send_message(repr(said), ephemeral=True)

    @bot.tree.command(description="Numbers are completed too")
    async def counted(interaction: discord.Interaction, number: int, other: str = "") -> None:
        await interaction.response.send_message(f"{number} {other}", ephemeral=True)

    @counted.autocomplete("number")
    async def numbers(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[int]]:
        other = interaction.namespace.other or ""
        return [
            app_commands.Choice(name=f"{typed}{each}{other}", value=each) for each in range(26 if typed == "26" else 3)
        ]

    @bot.tree.context_menu(name="Quote")
    async def quote(interaction: discord.Interaction, message: discord.Message) -> None:
        await interaction.response.send_message(f"{message.author.display_name}: {message.content}")

    @bot.tree.command(description="Selects of entities")
    async def everything(interaction: discord.Interaction) -> None:
        await interaction.response.send_message(view=Everything(interaction.user), ephemeral=True)

    @bot.tree.command(description="A modal with every kind of field")
    async def form(interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(Form())
