"""The greeting of a server that the bot has joined: what it is, how to begin, and which permissions it lacks; and that
of its members, in a channel that the server chooses, with words of its own."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

import discord

from bot.play.server_settings import KnownServerSettings
from cogs.screens.additions import Buttons, Placed, arranged
from cogs.screens.renderer import sheet
from cogs.servers.queries import Greetings
from cogs.servers.screens import greeting_screen, members_screen, missing
from cogs.updates.channel_messages import ChannelMessages, NotTaken
from cogs.updates.server_week import WeekPost
from cogs.wording import Wording

_log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class Greeting:
    """Greets servers and their members."""

    greetings: Greetings
    messages: ChannelMessages
    wording: Wording
    server_settings: KnownServerSettings
    now: Callable[[], int]
    welcome: Placed[Buttons]
    """What rooms add to a greeting."""

    async def greet(self, guild: discord.Guild) -> None:
        """Greet a server, unless it was greeted before. Without a channel to write in, nothing happens. Raises
        StoreError.

        It is recorded first: a greeting too few is better than one too many.
        """
        channel = _channel(guild)
        if channel is None or not await self.greetings.greet(guild.id, self.now()):
            return
        lacking = missing(channel.permissions_for(guild.me))
        words = self.wording.of_server(guild.id)
        screen = greeting_screen(lacking, words, arranged((), self.welcome, words))
        try:
            await self.messages.post(guild.id, channel.id, sheet(screen, "greeting"))
        except NotTaken as error:
            _log.info("a server could not be greeted (code %d)", error.code)

    async def post(self, guild_id: int) -> WeekPost | None:
        """What members read; None where the server has chosen no channel for it."""
        settings = self.server_settings.of(guild_id)
        if not settings.greeting:
            return None
        words = self.wording.of_server(guild_id)
        screen = members_screen(settings.greeting_words, words, arranged((), self.welcome, words))
        return WeekPost(screen, channel_id=settings.greeting[0])


def _channel(guild: discord.Guild) -> discord.TextChannel | None:
    """The server's channel for system messages, or else the first text channel, where the bot may write; None without
    one."""
    system = () if guild.system_channel is None else (guild.system_channel,)
    return next((each for each in (*system, *guild.text_channels) if _may_write(each, guild.me)), None)


def _may_write(channel: discord.TextChannel, member: discord.Member) -> bool:
    granted = channel.permissions_for(member)
    return granted.view_channel and granted.send_messages
