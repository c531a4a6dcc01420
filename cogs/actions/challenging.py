"""Challenges people and opens tables: the checks before it, and the message that is posted."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import TypeAlias

import aiohttp
import discord

from bot.games import GAMES
from bot.play.computers.levels import levels_of
from bot.play.matchmaking.inviting import Proposal, Terms
from bot.play.refusals import Refused
from bot.store.errors import StoreError
from bot.store.rows.invitations import Invitation, InvitationKind, InvitationState
from cogs.actions.servers import own_threads
from cogs.app import CardroomApp
from cogs.interactions import responses
from cogs.interactions.places import place_id_of
from cogs.interactions.responses import Interaction, translations_for
from cogs.screens.challenge_panel import Panel
from engines.options import OptionRefused

_log = logging.getLogger(__name__)

User: TypeAlias = discord.User | discord.Member

MOST_NAMED = 5
"""How many channels a refusal names."""

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


async def send_challenge(app: CardroomApp, interaction: Interaction, terms: Terms, opponent: User) -> None:
    """Challenge somebody in the channel of the interaction. Raises Refused with the reason if that is not possible."""
    check_opponent(interaction, opponent)
    if 2 not in GAMES[terms.game].info.seats:
        raise Refused("challenge.not_for_two", game=terms.game)
    await app.wording.remember_names(interaction, opponent)
    invitation = await app.inviting.invite(Proposal(terms, interaction.user.id, (opponent.id,)))
    await send_invitation(app, interaction, invitation)


async def open_table(
    app: CardroomApp, interaction: Interaction, terms: Terms, *, private: bool, reliable: bool
) -> None:
    """Open a table that others can join. Raises Refused with the reason if that is not possible."""
    invitation = await app.inviting.invite(
        Proposal(terms, interaction.user.id, kind=InvitationKind.TABLE, private=private, reliable=reliable)
    )
    await app.wording.remember_names(interaction)
    await send_invitation(app, interaction, invitation)


async def send_panel(app: CardroomApp, interaction: Interaction, panel: Panel) -> None:
    """Send the challenge that a panel describes. Raises Refused with the reason if that is not possible."""
    guild_id, channel_id = await check_place(app, interaction)
    opponent = await app.fetch_member(guild_id, panel.user_id)
    if opponent is None:
        raise Refused("challenge.absent")
    clock = panel.clock if GAMES[panel.key].info.turn_clock else app.default_clock(guild_id, panel.key)
    in_thread, _ = own_threads.thread_or_reason(app, interaction, None)
    try:
        terms = Terms(guild_id, channel_id, panel.key, panel.chosen(), clock, in_thread, panel.stand_in, panel.best_of)
    except OptionRefused as refused:
        raise Refused(refused.key, **refused.values) from None
    await send_challenge(app, interaction, terms, opponent)
    await own_threads.explain(app, interaction, None)


async def check_place(
    app: CardroomApp, interaction: Interaction, game: str = "", *, direct: bool = False
) -> tuple[int, int]:
    """The ids of a command's place and channel, if a match can be played there.

    `direct` allows direct messages with the bot; where it doesn't, a refusal there says what can be played of the
    `game`. Raises Refused outside servers, in the wrong kind of channel, where the settings allow no games, if the bot
    lacks a permission, and in a private thread that the bot is not in.
    """
    channel = interaction.channel
    if channel is not None and channel.type is discord.ChannelType.private and interaction.guild_id is None:
        if direct:
            return place_id_of(interaction), channel.id
        if levels_of(game):
            raise Refused("place.practice_here", game=game)
    if interaction.guild_id is None or channel is None:
        raise Refused("place.not_a_server")
    if channel.type not in SUPPORTED_CHANNELS:
        raise Refused("place.channel_type")
    in_thread = isinstance(channel, discord.Thread)
    check_allowed(app, interaction)
    granted = interaction.app_permissions
    sending = "send_messages_in_threads" if in_thread else "send_messages"
    needed = ("view_channel", sending, "embed_links", "read_message_history")
    missing = [name for name in needed if not getattr(granted, name)]
    if missing:
        say = translations_for(interaction)
        raise Refused("place.permission", missing=", ".join(say(f"permission.{name}") for name in missing))
    if isinstance(channel, discord.Thread) and channel.locked and not granted.manage_threads:
        raise Refused("place.thread_locked")
    if channel.type is discord.ChannelType.private_thread and not await _is_in_thread(interaction, channel.id):
        raise Refused("place.private_thread")
    return interaction.guild_id, channel.id


def check_allowed(app: CardroomApp, interaction: Interaction) -> None:
    """Raise Refused in a channel where the server's settings allow no games."""
    channel = interaction.channel
    if channel is None or interaction.guild_id is None:
        return  # direct messages have no settings
    settings = app.server_settings.of(interaction.guild_id)
    parent = channel.parent_id if isinstance(channel, discord.Thread) else None
    if not settings.allows(channel.id, parent):
        named = " · ".join(f"<#{each}>" for each in settings.channels[:MOST_NAMED])
        raise Refused("place.not_allowed", channels=named)


async def _is_in_thread(interaction: Interaction, thread_id: int) -> bool:
    """Whether the bot can post in a private thread and edit there.

    There, an application's permissions say nothing: it can answer commands, but its own token opens the thread only to
    members and with Manage Threads. So Discord is asked.
    """
    try:
        await interaction.client.fetch_channel(thread_id)
    except (discord.Forbidden, discord.NotFound):
        return False
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        _log.info("a private thread could not be asked for: %s", type(error).__name__)
    return True


def check_opponent(interaction: Interaction, opponent: User) -> None:
    """Raise Refused for a person who cannot be challenged."""
    if opponent.id == interaction.user.id:
        raise Refused("challenge.yourself")
    if opponent.id == interaction.application_id:
        raise Refused("challenge.this_bot")
    if opponent.bot:
        raise Refused("challenge.a_bot")
    if not isinstance(opponent, discord.Member):
        raise Refused("challenge.absent")


async def send_invitation(app: CardroomApp, interaction: Interaction, invitation: Invitation) -> int | None:
    """Answer with an invitation that was just opened; withdraw it if it cannot be posted.

    Returns its message, None if it could not be posted. Raises Refused if that can still be reported to the user.
    """
    await app.wording.load_names(invitation)
    screen = app.public_screens.invitation(invitation, InvitationState.OPEN)
    message_id = await responses.post(interaction, screen, invitation.id, invitation.invited)
    app.updates.board_tokens.note_answered(interaction)
    if message_id is None:
        await app.invitations.withdraw(invitation)
        if responses.was_deferred(interaction):
            raise Refused("challenge.not_posted")
        return None
    with suppress(StoreError):  # then the message won't show that it expired; presses still work, as they name it
        await app.invitations.note_message(invitation, message_id)
    app.updates.table_notices.opened(app.invitations.open_by_id(invitation.id) or invitation)
    return message_id
