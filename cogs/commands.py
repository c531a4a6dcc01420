"""The commands of a game, from one factory: five games are not five copies."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.clock import PACES
from bot.refusals import Refused
from bot.store.base import InvitationState, StoreError
from bot.words import DEFAULT_LANGUAGE, words
from cogs import answer
from cogs.answer import Interaction
from cogs.board import challenge_screen
from cogs.book import rules_screen
from cogs.house import House
from cogs.ladder import ladder_screen
from engines import GAMES

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
    """The command group of a game: challenge, rules, leaderboard."""
    info = GAMES[game].info
    say = words(DEFAULT_LANGUAGE)
    group = app_commands.Group(name=game, description=say("command.game", game=info.title), **IN_SERVERS)

    @group.command(name="challenge", description=say("command.challenge", game=info.title))
    @app_commands.describe(opponent=say("option.opponent"), clock=say("option.clock"))
    @app_commands.choices(clock=clock_choices())
    async def challenge(
        interaction: Interaction, opponent: discord.User, clock: app_commands.Choice[str] | None = None
    ) -> None:
        pace = clock.value if clock else house.settings.default_clock
        await send_challenge(house, interaction, game, opponent, pace)

    @group.command(name="rules", description=say("command.rules", game=info.title))
    async def rules(interaction: Interaction) -> None:
        await answer.privately(interaction, rules_screen(game, 0, house.words_of(interaction)), game)

    @group.command(name="leaderboard", description=say("command.game_leaderboard", game=info.title))
    async def leaderboard(interaction: Interaction) -> None:
        await answer.privately(interaction, await ladder_screen(house, interaction, game, 0), game)

    return group


def clock_choices() -> list[app_commands.Choice[str]]:
    """The match clocks as choices of a command's option."""
    say = words(DEFAULT_LANGUAGE)
    return [app_commands.Choice(name=say(f"clock.{key}"), value=key) for key in PACES]


async def send_challenge(
    house: House, interaction: Interaction, game: str, opponent: discord.User | discord.Member, pace: str
) -> None:
    """Challenge somebody in the channel of the interaction. Raises Refused with what speaks against it."""
    check_place(house, interaction)
    check_opponent(interaction, opponent)
    guild_id, channel_id = interaction.guild_id, interaction.channel_id
    if guild_id is None or channel_id is None:
        raise Refused("place.not_a_server")
    await house.meet(interaction, opponent)
    invitation = await house.matches.invite(
        guild_id=guild_id,
        channel_id=channel_id,
        game=game,
        options=GAMES[game].info.options(),
        pace=pace,
        host=interaction.user.id,
        guest=opponent.id,
    )
    reader = house.reader_of_invitation(invitation)
    screen = challenge_screen(invitation, InvitationState.OPEN, house.looks[game], reader)
    message_id = await answer.publicly(interaction, screen, invitation.id, opponent)
    if message_id is None:
        await house.matches.withdraw(invitation)
        return
    try:
        await house.matches.placed(invitation, message_id)
    except StoreError:
        return  # its expiry will not be painted; pressing it works all the same, for the press names the message


def check_place(house: House, interaction: Interaction) -> None:
    """Raise Refused where a match cannot be held: no server, the wrong kind of channel, a missing permission."""
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


def check_opponent(interaction: Interaction, opponent: discord.User | discord.Member) -> None:
    """Raise Refused for somebody who cannot be challenged."""
    if opponent.id == interaction.user.id:
        raise Refused("challenge.yourself")
    if opponent.id == interaction.application_id:
        raise Refused("challenge.this_bot")
    if opponent.bot:
        raise Refused("challenge.a_bot")
    if not isinstance(opponent, discord.Member):
        raise Refused("challenge.absent")
