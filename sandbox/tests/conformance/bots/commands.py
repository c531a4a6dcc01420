"""Application commands: options of every plain kind, ranges, choices, transformers, groups, autocomplete, menus."""

from __future__ import annotations

import enum
from typing import Literal, NamedTuple

import discord
from discord import app_commands
from discord.app_commands import Choice, Range

from tests.conformance.bots.client import SmallBot


class Fruit(enum.Enum):
    """Shown by name, sent by value."""

    Apple = 0
    Cherry = 1


class Point(NamedTuple):
    """What the transformer makes of "3,4"."""

    x: int
    y: int


class ToPoint(app_commands.Transformer):
    """Reads a point; what is none is refused with the library's own error."""

    async def transform(self, _interaction: discord.Interaction, value: str, /) -> Point:
        x, _, y = value.partition(",")
        return Point(int(x), int(y))


class Deck(app_commands.Group, name="deck", description="About decks"):
    """A group with a group in it."""

    pile = app_commands.Group(name="pile", description="About one pile")

    @app_commands.command(description="How many cards")
    async def size(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message("52")

    @pile.command(description="Turn it")
    async def turn(self, interaction: discord.Interaction, cards: Range[int, 1, 5] = 1) -> None:
        await interaction.response.send_message(f"turned {cards}")


def bot() -> SmallBot:
    """The bot with its commands."""
    client = SmallBot()
    tree = client.tree
    tree.add_command(Deck())
    _plain(tree)
    _transformed(tree)
    _menus(tree)

    @tree.error
    async def on_error(interaction: discord.Interaction, error: app_commands.AppCommandError) -> None:
        await interaction.response.send_message(type(error).__name__, ephemeral=True)

    return client


def _plain(tree: app_commands.CommandTree[SmallBot]) -> None:
    @tree.command(description="Adds two numbers")
    @app_commands.describe(first="The first", second="The second")
    @app_commands.rename(second="and")
    async def add(interaction: discord.Interaction, first: int, second: Range[float, None, 10.5]) -> None:
        await interaction.response.send_message(f"{first} + {second} = {first + second}")

    @tree.command(description="Says something somewhere")
    async def say(interaction: discord.Interaction, where: discord.TextChannel, what: Range[str, 1, 20]) -> None:
        await where.send(what)
        await interaction.response.send_message("Said.", ephemeral=True)

    @tree.command(description="When somebody came")
    async def joined(interaction: discord.Interaction, member: discord.Member | None = None) -> None:
        who = member or interaction.user
        assert isinstance(who, discord.Member)
        assert who.joined_at is not None
        await interaction.response.send_message(f"{who.display_name} {discord.utils.format_dt(who.joined_at)}")

    @tree.command(description="Of whom or what")
    async def about(
        interaction: discord.Interaction, role: discord.Role, anyone: discord.Member | discord.Role, loud: bool
    ) -> None:
        await interaction.response.send_message(f"{role.name} {type(anyone).__name__} {loud}")

    @tree.command(description="Only for those who manage")
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.guild_only()
    async def manage(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("managed", ephemeral=True)

    @tree.command(description="Only for a certain person")
    @app_commands.check(lambda interaction: interaction.user.name == "nobody")
    async def never(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("reached")


def _transformed(tree: app_commands.CommandTree[SmallBot]) -> None:
    @tree.command(description="Where")
    async def plot(interaction: discord.Interaction, point: app_commands.Transform[Point, ToPoint]) -> None:
        await interaction.response.send_message(f"x={point.x} y={point.y}")

    @tree.command(description="Buy fruit")
    @app_commands.choices(size=[Choice(name="Small", value=1), Choice(name="Large", value=2)])
    async def buy(
        interaction: discord.Interaction, fruit: Fruit, size: Choice[int], how: Literal["now", "later"] = "now"
    ) -> None:
        await interaction.response.send_message(f"{fruit.name} {size.name} {how}")

    @tree.command(description="Look a card up")
    async def card(interaction: discord.Interaction, suit: str, name: str) -> None:
        await interaction.response.send_message(f"{name} of {suit}")

    @card.autocomplete("name")
    async def names(interaction: discord.Interaction, current: str) -> list[Choice[str]]:
        suit = interaction.namespace.suit or "any suit"
        known = ("ace", "king", "queen")
        return [Choice(name=f"{each} of {suit}", value=each) for each in known if current.lower() in each]


def _menus(tree: app_commands.CommandTree[SmallBot]) -> None:
    @tree.context_menu(name="Show name")
    async def show_name(interaction: discord.Interaction, member: discord.Member) -> None:
        await interaction.response.send_message(member.display_name, ephemeral=True)

    @tree.context_menu(name="Count letters")
    async def count_letters(interaction: discord.Interaction, message: discord.Message) -> None:
        await interaction.response.send_message(
            f"{len(message.content)} by {message.author.display_name}", ephemeral=True
        )
