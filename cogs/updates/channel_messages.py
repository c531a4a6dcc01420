"""Messages in channels: posted, edited and deleted, without an answer to anybody's press.

What follows a match knows Discord by `ChannelMessages` alone. Whatever goes wrong on the way is one error, `NotTaken`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

import aiohttp
import discord

from cogs.screens.renderer import Sheet

UNKNOWN_CHANNEL = 10003
UNKNOWN_MESSAGE = 10008
TAKES_NO_DIRECT_MESSAGES = 50007
"""Somebody takes no direct messages from the server's members, or has blocked the bot. These are Discord's error codes
(https://discord.com/developers/docs/topics/opcodes-and-status-codes#json)."""
_OPENS_DIRECT_MESSAGES_TOO_FAST = 40003
_FORBIDDEN = 403


class NotTaken(Exception):  # noqa: N818  named for what happened
    """Discord did not take a request."""

    def __init__(self, reason: str, code: int = 0, *, status: int = 0, answered: bool = False) -> None:
        """`reason` is the name of the library's error, for logs; `code` is Discord's error code and `status` HTTP's, 0
        where there is none; `answered` says whether Discord refused, so that the request was not carried out."""
        super().__init__(reason)
        self.reason = reason
        self.code = code
        self.status = status
        self.answered = answered

    @property
    def may_pass(self) -> bool:
        """Whether the same request may be taken later: there was no answer, or a limit or a failure of Discord's."""
        return not self.answered or self.status == 429

    @property
    def refuses_direct_messages(self) -> bool:
        """Whether a direct message to this person was refused for good, for whatever reason.

        Codes for it are 50007, 50278 (no server in common), 20026 (the bot is flagged) and 40003 (too many opened).
        """
        return self.status == _FORBIDDEN or self.code in {TAKES_NO_DIRECT_MESSAGES, _OPENS_DIRECT_MESSAGES_TOO_FAST}


class Limited(NotTaken):
    """A rate limit asks for a longer wait than the library was allowed."""

    @property
    def refuses_direct_messages(self) -> bool:
        """A direct message that has to wait that long would come too late."""
        return True


@dataclass(frozen=True, slots=True)
class Posted:
    """Where a message is."""

    channel_id: int
    message_id: int


class ChannelMessages(Protocol):
    """What can be done with messages. Every method raises NotTaken."""

    async def post(self, guild_id: int, channel_id: int, made: Sheet) -> Posted:
        """Post a screen."""

    async def edit(self, guild_id: int, posted: Posted, made: Sheet) -> None:
        """Replace a posted screen by another."""

    async def post_text(self, guild_id: int, channel_id: int, text: str, notified: Collection[int]) -> Posted:
        """Post a text that notifies these users, whom it mentions, and nobody else."""

    async def edit_text(self, posted: Posted, text: str) -> None:
        """Replace a posted text. This notifies nobody."""

    async def send_directly(self, user_id: int, text: str) -> Posted:
        """Send somebody a direct message."""

    async def delete(self, posted: Posted) -> None:
        """Delete a message."""


class DiscordMessages:
    """`ChannelMessages` by discord.py."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def post(self, guild_id: int, channel_id: int, made: Sheet) -> Posted:
        with translate_failures():
            message = await self._client.get_partial_messageable(channel_id, guild_id=guild_id).send(view=made)
        return Posted(channel_id, message.id)

    async def edit(self, guild_id: int, posted: Posted, made: Sheet) -> None:
        with translate_failures():
            await self._message(posted, guild_id).edit(view=made)

    async def post_text(self, guild_id: int, channel_id: int, text: str, notified: Collection[int]) -> Posted:
        users = [discord.Object(user) for user in notified]
        nobody = discord.AllowedMentions.none()
        mentions = discord.AllowedMentions(users=users, everyone=False, roles=False) if users else nobody
        channel = self._client.get_partial_messageable(channel_id, guild_id=guild_id)
        with translate_failures():
            message = await channel.send(text, allowed_mentions=mentions, silent=not notified, suppress_embeds=True)
        return Posted(channel_id, message.id)

    async def edit_text(self, posted: Posted, text: str) -> None:
        with translate_failures():
            await self._message(posted).edit(content=text, allowed_mentions=discord.AllowedMentions.none())

    async def send_directly(self, user_id: int, text: str) -> Posted:
        with translate_failures():
            channel = await self._client.create_dm(discord.Object(user_id))
            message = await channel.send(text, suppress_embeds=True, allowed_mentions=discord.AllowedMentions.none())
        return Posted(channel.id, message.id)

    async def delete(self, posted: Posted) -> None:
        with translate_failures():
            await self._message(posted).delete()

    def _message(self, posted: Posted, guild_id: int | None = None) -> discord.PartialMessage:
        channel = self._client.get_partial_messageable(posted.channel_id, guild_id=guild_id)
        return channel.get_partial_message(posted.message_id)


@contextmanager
def translate_failures() -> Iterator[None]:
    """Raise NotTaken for whatever the library raises for a request."""
    try:
        yield
    except discord.RateLimited as error:
        raise Limited(type(error).__name__) from error
    except discord.HTTPException as error:
        answered = not isinstance(error, discord.DiscordServerError)
        raise NotTaken(type(error).__name__, error.code, status=error.status, answered=answered) from error
    except (aiohttp.ClientError, OSError) as error:
        raise NotTaken(type(error).__name__) from error
