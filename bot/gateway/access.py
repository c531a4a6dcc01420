"""Asks Discord by REST who can see a channel and play there.

What a member may do follows from their roles, the channel's overwrites and a time-out
(https://discord.com/developers/docs/topics/permissions). The bot keeps none of them (`bot.gateway.lean.servers`). So
the server with its owner and roles, the member and the channel are requested when it matters, which is seldom.
"""

from __future__ import annotations

from collections.abc import Callable

import discord

from bot.store.queries.matches import Obstacle
from bot.store.special_ids import is_direct


class DiscordAccess:
    """An `Access` (`bot.play.access`) by the client's requests."""

    def __init__(self, now: Callable[[], int]) -> None:
        """`now` is the time of day in ms UTC."""
        self._now = now
        self._client: discord.Client | None = None

    def connect(self, client: discord.Client) -> None:
        """Ask through this client."""
        self._client = client

    async def obstacle(self, guild_id: int, channel_id: int, user_id: int, /) -> Obstacle | None:
        """See `Access`. Raises what the library raises if Discord does not answer or does not let the bot see."""
        if is_direct(guild_id):
            return None  # a person can always press in their own messages
        client = self._client
        known = client.get_guild(guild_id) if client is not None else None
        if client is None or known is None or known.unavailable:
            return Obstacle.UNKNOWN
        guild = await client.fetch_guild(guild_id, with_counts=False)
        try:
            member = await guild.fetch_member(user_id)
        except discord.NotFound:
            return Obstacle.GONE
        if member.timed_out_until is not None and member.timed_out_until.timestamp() * 1000 > self._now():
            return Obstacle.TIMED_OUT
        return await _obstacle_in_channel(guild, channel_id, member)


async def _obstacle_in_channel(guild: discord.Guild, channel_id: int, member: discord.Member) -> Obstacle | None:
    """What keeps a member from playing in a channel. A thread has the permissions of the channel it is in."""
    found = await guild.fetch_channel(channel_id)
    thread = found if isinstance(found, discord.Thread) else None
    channel = found if thread is None else await guild.fetch_channel(thread.parent_id)
    if not isinstance(channel, discord.abc.GuildChannel):
        return Obstacle.UNKNOWN
    granted = channel.permissions_for(member)
    if not granted.view_channel:
        return Obstacle.HIDDEN
    if thread is None:
        return None if granted.send_messages else Obstacle.NO_SENDING
    if thread.is_private() and not granted.manage_threads and not await _is_in(thread, member):
        return Obstacle.HIDDEN
    return None if granted.send_messages_in_threads else Obstacle.NO_THREAD_SENDING


async def _is_in(thread: discord.Thread, member: discord.Member) -> bool:
    """Whether a member is in a thread; a private one is for them and for moderators."""
    try:
        await thread.fetch_member(member.id)
    except discord.NotFound:
        return False
    return True
