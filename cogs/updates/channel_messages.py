"""Messages in channels: posted, edited and deleted, without an answer to anybody's press.

What follows a match knows Discord by `ChannelMessages` alone. Whatever goes wrong on the way is one error, `NotTaken`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol

import aiohttp
import discord
from discord.utils import MISSING

from bot.store.special_ids import is_direct
from cogs.screens.renderer import PICTURE_NAME, PICTURE_REFUSALS, ButtonsBelow, Sheet

_log = logging.getLogger(__name__)

WITHIN = 45.0
"""Seconds for an edit or a deletion, longer than the library waits for a rate limit by itself. The answer may be lost
on a line that brings nothing any more, and only another try, over another line, shows what is new."""
LOOKED_THROUGH = 100
"""How many messages `find_sent` looks through, the most that one request returns."""
UNKNOWN_CHANNEL = 10003
UNKNOWN_MESSAGE = 10008
THREAD_ARCHIVED = 50083
TAKES_NO_DIRECT_MESSAGES = 50007
"""Somebody takes no direct messages from the server's members, or has blocked the bot. These are Discord's error codes
(https://discord.com/developers/docs/topics/opcodes-and-status-codes#json)."""
_OPENS_DIRECT_MESSAGES_TOO_FAST = 40003
_REFUSE_DIRECT_MESSAGES = {TAKES_NO_DIRECT_MESSAGES, _OPENS_DIRECT_MESSAGES_TOO_FAST}
_FORBIDDEN = 403
TOO_MANY = 429
"""HTTP's status for a rate limit."""


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
        return not self.answered or self.is_limit

    @property
    def is_limit(self) -> bool:
        """Whether a rate limit asks for a longer wait than was made."""
        return self.status == TOO_MANY

    @property
    def refuses_picture(self) -> bool:
        """Whether the same message may be taken without its picture."""
        return self.answered and self.code in PICTURE_REFUSALS

    @property
    def refuses_direct_messages(self) -> bool:
        """Whether a direct message to this person was refused for good, for whatever reason, or would come too late.

        Codes for it are 50007, 50278 (no server in common), 20026 (the bot is flagged) and 40003 (too many opened).
        """
        return self.is_limit or self.status == _FORBIDDEN or self.code in _REFUSE_DIRECT_MESSAGES

    @property
    def opens_direct_messages_too_fast(self) -> bool:
        """Whether Discord wants the bot to send fewer people direct messages."""
        return self.is_limit or self.code == _OPENS_DIRECT_MESSAGES_TOO_FAST


@dataclass(frozen=True, slots=True)
class Posted:
    """Where a message is."""

    channel_id: int
    message_id: int


@dataclass(frozen=True, slots=True)
class Sent:
    """A message of the bot's own: its plain text, and the ids of its controls."""

    posted: Posted
    text: str
    custom_ids: tuple[str, ...]


class ChannelMessages(Protocol):
    """What can be done with messages. Every method raises NotTaken."""

    async def post(self, guild_id: int, channel_id: int, made: Sheet) -> Posted:
        """Post a screen."""

    async def edit(self, guild_id: int, posted: Posted, made: Sheet) -> None:
        """Replace a posted screen by another."""

    async def shows_picture(self, posted: Posted, made: Sheet) -> bool:
        """Whether a posted screen has the picture of this one already."""

    async def post_text(
        self, guild_id: int, channel_id: int, text: str, notified: Collection[int], below: ButtonsBelow | None = None
    ) -> Posted:
        """Post a text that notifies these users, whom it mentions, and nobody else; with buttons below it, if any."""

    async def edit_text(self, posted: Posted, text: str) -> None:
        """Replace a posted text, and keep the buttons below it. This notifies nobody."""

    async def send_directly(self, user_id: int, text: str, *, silent: bool = False) -> Posted:
        """Send somebody a direct message; a silent one notifies them of nothing."""

    async def open_direct(self, user_id: int) -> int:
        """The channel of somebody's direct messages."""

    async def delete(self, posted: Posted) -> None:
        """Delete a message."""

    async def find_sent(self, channel_id: int, since: int) -> list[Sent]:
        """The bot's own messages among the first hundred in a channel since a moment (ms UTC), the oldest first.

        If there are none, those among the newest hundred: the moment is of a clock that may be ahead of Discord's.
        """


async def remove(messages: ChannelMessages, posted: Posted) -> None:
    """Delete a message, unless it is gone or Discord never lets us. Raises NotTaken if another try may delete it."""
    try:
        await messages.delete(posted)
    except NotTaken as error:
        if error.may_pass:
            raise
        if error.code != UNKNOWN_MESSAGE:
            _log.info("a message could not be removed (code %d)", error.code)


class DiscordMessages:
    """`ChannelMessages` by discord.py."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def post(self, guild_id: int, channel_id: int, made: Sheet) -> Posted:
        with translate_failures():  # a message opens an archived thread by itself
            channel = self._client.get_partial_messageable(channel_id, guild_id=_server(guild_id))
            message = await channel.send(view=made, files=made.files() or MISSING)
        return Posted(channel_id, message.id)

    async def edit(self, guild_id: int, posted: Posted, made: Sheet) -> None:
        nobody = discord.AllowedMentions.none()  # the library adds the client's own only where there is a `content`

        def edit() -> Awaitable[object]:
            # Also without a picture: it takes away the one that the message had.
            return self._message(posted, guild_id).edit(view=made, attachments=made.files(), allowed_mentions=nobody)

        await self._reopening(posted.channel_id, edit)

    async def shows_picture(self, posted: Posted, made: Sheet) -> bool:
        with translate_failures():
            message = await self._client.http.get_message(posted.channel_id, posted.message_id)
        # Its digest is not to be had, but its length tells pictures of different tables apart well enough.
        return any(
            file["filename"] == PICTURE_NAME and file["size"] == len(made.picture) for file in message["attachments"]
        )

    async def post_text(
        self, guild_id: int, channel_id: int, text: str, notified: Collection[int], below: ButtonsBelow | None = None
    ) -> Posted:
        users = [discord.Object(user) for user in notified]
        nobody = discord.AllowedMentions.none()
        mentions = discord.AllowedMentions(users=users, everyone=False, roles=False) if users else nobody
        channel = self._client.get_partial_messageable(channel_id, guild_id=_server(guild_id))
        more: dict[str, Any] = {} if below is None else {"view": below}
        with translate_failures():
            quiet = not notified
            message = await channel.send(text, allowed_mentions=mentions, silent=quiet, suppress_embeds=True, **more)
        return Posted(channel_id, message.id)

    async def edit_text(self, posted: Posted, text: str) -> None:
        nobody = discord.AllowedMentions.none()
        message = self._message(posted)
        await self._reopening(posted.channel_id, lambda: message.edit(content=text, allowed_mentions=nobody))

    async def send_directly(self, user_id: int, text: str, *, silent: bool = False) -> Posted:
        nobody = discord.AllowedMentions.none()
        with translate_failures():
            channel = await self._client.create_dm(discord.Object(user_id))
            message = await channel.send(text, suppress_embeds=True, allowed_mentions=nobody, silent=silent)
        return Posted(channel.id, message.id)

    async def open_direct(self, user_id: int) -> int:
        with translate_failures():
            return (await self._client.create_dm(discord.Object(user_id))).id

    async def delete(self, posted: Posted) -> None:
        await self._reopening(posted.channel_id, self._message(posted).delete)

    async def _reopening(self, channel_id: int, request: Callable[[], Awaitable[object]]) -> None:
        """Make a request in a channel. If that is a thread that Discord has archived for quiet, open it first.

        Anybody who may write there can open it, unless it is locked
        (https://discord.com/developers/docs/topics/threads#unarchiving-a-thread). For a locked one it raises NotTaken
        with `THREAD_ARCHIVED`, and otherwise what the request raises.
        """
        try:
            with translate_failures():
                async with asyncio.timeout(WITHIN):
                    await request()
        except NotTaken as refused:
            if refused.code != THREAD_ARCHIVED:
                raise
            try:
                with translate_failures():
                    await self._client.http.edit_channel(channel_id, archived=False)
            except NotTaken as error:
                if error.status == _FORBIDDEN:
                    raise refused from error
                raise
            with translate_failures():
                await request()

    async def find_sent(self, channel_id: int, since: int) -> list[Sent]:
        after = discord.utils.time_snowflake(datetime.fromtimestamp(since / 1000, UTC))
        # If the machine's clock is ahead of Discord's, there is nothing since then: so the newest are looked through.
        return await self._sent(channel_id, after=after) or await self._sent(channel_id)

    async def _sent(self, channel_id: int, **where: int) -> list[Sent]:
        own = None if self._client.user is None else self._client.user.id
        with translate_failures():
            # Not by `channel.history`: it makes objects of everything that others wrote.
            found = await self._client.http.logs_from(channel_id, LOOKED_THROUGH, **where)
        return [
            Sent(
                Posted(channel_id, int(message["id"])),
                message["content"],
                tuple(_custom_ids(message.get("components", ()))),
            )
            for message in reversed(found)
            if int(message["author"]["id"]) == own
        ]

    def _message(self, posted: Posted, guild_id: int | None = None) -> discord.PartialMessage:
        channel = self._client.get_partial_messageable(posted.channel_id, guild_id=_server(guild_id))
        return channel.get_partial_message(posted.message_id)


def _custom_ids(components: Iterable[Any]) -> Iterator[str]:
    """The ids of all controls among components as Discord sends them, nested ones too."""
    for component in components:
        if "custom_id" in component:
            yield component["custom_id"]
        yield from _custom_ids(component.get("components", ()))


@contextmanager
def translate_failures() -> Iterator[None]:
    """Raise NotTaken for whatever the library raises for a request."""
    try:
        yield
    except discord.RateLimited as error:  # the library sends nothing that would have to wait too long
        raise NotTaken(type(error).__name__, status=TOO_MANY, answered=True) from error
    except discord.HTTPException as error:
        answered = not isinstance(error, discord.DiscordServerError)
        raise NotTaken(type(error).__name__, error.code, status=error.status, answered=answered) from error
    except (aiohttp.ClientError, OSError) as error:
        raise NotTaken(type(error).__name__) from error


def _server(guild_id: int | None) -> int | None:
    """The server for the library; None for direct messages."""
    return None if guild_id is None or is_direct(guild_id) else guild_id
