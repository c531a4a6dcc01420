"""The commands of a game, from one factory: five games are not five copies."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeAlias

import discord
from discord import app_commands

from bot.invitations import Terms
from bot.refusals import Refused
from bot.store.base import InvitationKind
from bot.words import DEFAULT_LANGUAGE, words
from cogs import answer
from cogs.answer import Interaction
from cogs.book import rules_screen
from cogs.house import House
from cogs.ladder import ladder_screen
from cogs.parameters import Parameter, add, parameters
from cogs.seating import send_invitation
from engines import GAMES
from engines.options import OptionRefused

User: TypeAlias = discord.User | discord.Member

SUPPORTED_CHANNELS = frozenset(
    {
        discord.ChannelType.text,
        discord.ChannelType.news,
        discord.ChannelType.voice,
        discord.ChannelType.stage_voice,
        discord.ChannelType.public_thread,
        discord.ChannelType.private_thread,
        discord.ChannelType.news_thread,
    }
)

IN_SERVERS: dict[str, Any] = {
    "allowed_contexts": app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False),
    "allowed_installs": app_commands.AppInstallationType(guild=True, user=False),
}
"""Every command of ours is for servers: it speaks of their matches and standings."""


def game_commands(house: House, game: str) -> app_commands.Group:
    """The command group of a game: challenge, open, rules, leaderboard. Options come from the game's own fields."""
    info = GAMES[game].info
    say = words(DEFAULT_LANGUAGE)
    group = app_commands.Group(name=game, description=say("command.game", game=info.title), **IN_SERVERS)

    async def challenge(interaction: Interaction, opponent: User, **given: Any) -> None:
        await send_challenge(house, interaction, terms_of(house, interaction, game, given), opponent)

    async def open_(interaction: Interaction, **given: Any) -> None:
        private = bool(given.pop("private", None))
        await open_table(house, interaction, terms_of(house, interaction, game, given), private=private)

    async def rules(interaction: Interaction) -> None:
        await answer.privately(interaction, rules_screen(game, 0, house.words_of(interaction)), game)

    async def leaderboard(interaction: Interaction) -> None:
        await answer.privately(interaction, await ladder_screen(house, interaction, game, 0), game)

    if 2 in info.seats:
        opponent = Parameter("opponent", discord.User, say("option.opponent"))
        add(group, "challenge", say("command.challenge", game=info.title), challenge, [opponent, *parameters(game)])
    private = Parameter("private", bool, say("option.private"), required=False)
    add(group, "open", say("command.open", game=info.title), open_, [*parameters(game), private])
    add(group, "rules", say("command.rules", game=info.title), rules, [])
    add(group, "leaderboard", say("command.game_leaderboard", game=info.title), leaderboard, [])
    return group


def terms_of(house: House, interaction: Interaction, game: str, given: dict[str, Any]) -> Terms:
    """The terms a command names: the preset's options (or the default ones), and what was given beside it.

    Raises Refused where a match cannot be held here, or for options that do not go together.
    """
    guild_id, channel_id = check_place(house, interaction)
    pace = given.pop("clock", None)
    preset = given.pop("preset", None)
    info = GAMES[game].info
    base = info.presets[preset] if preset else info.options()
    try:
        options = replace(base, **{name: value for name, value in given.items() if value is not None})
    except OptionRefused as refused:
        raise Refused(refused.key, **refused.values) from None
    return Terms(guild_id, channel_id, game, options, pace or house.settings.default_clock)


async def send_challenge(house: House, interaction: Interaction, terms: Terms, opponent: User) -> None:
    """Challenge somebody in the channel of the interaction. Raises Refused with what speaks against it."""
    check_opponent(interaction, opponent)
    if 2 not in GAMES[terms.game].info.seats:
        raise Refused("challenge.not_for_two", game=terms.game)
    await house.meet(interaction, opponent)
    invitation = await house.invitations.invite(terms, interaction.user.id, (opponent.id,))
    await send_invitation(house, interaction, invitation)


async def open_table(house: House, interaction: Interaction, terms: Terms, *, private: bool) -> None:
    """Open a table that others can join. Raises Refused with what speaks against it."""
    invitation = await house.invitations.invite(terms, interaction.user.id, kind=InvitationKind.TABLE, private=private)
    await house.meet(interaction)
    await send_invitation(house, interaction, invitation)


def check_place(house: House, interaction: Interaction) -> tuple[int, int]:
    """The server and the channel of a command, where a match can be held.

    Raises Refused outside servers, in the wrong kind of channel, and where we lack a permission.
    """
    channel = interaction.channel
    if interaction.guild_id is None or channel is None:
        raise Refused("place.not_a_server")
    if channel.type not in SUPPORTED_CHANNELS:
        raise Refused("place.channel_type")
    threads = isinstance(channel, discord.Thread)
    granted = interaction.app_permissions
    sending = "send_messages_in_threads" if threads else "send_messages"
    needed = ("view_channel", sending, "embed_links", "read_message_history")
    missing = [name for name in needed if not getattr(granted, name)]
    if missing:
        say = house.words_of(interaction)
        raise Refused("place.permission", missing=", ".join(say(f"permission.{name}") for name in missing))
    return interaction.guild_id, channel.id


def check_opponent(interaction: Interaction, opponent: User) -> None:
    """Raise Refused for somebody who cannot be challenged."""
    if opponent.id == interaction.user.id:
        raise Refused("challenge.yourself")
    if opponent.id == interaction.application_id:
        raise Refused("challenge.this_bot")
    if opponent.bot:
        raise Refused("challenge.a_bot")
    if not isinstance(opponent, discord.Member):
        raise Refused("challenge.absent")
