"""The threads of matches: begun on a message, and joined by the players."""

from __future__ import annotations

from typing import Final, Literal, Protocol, TypeAlias

import discord

from cogs.updates.channel_messages import NotTaken, Posted, translate_failures

ArchiveMinutes: TypeAlias = Literal[1440, 10080]
"""Minutes of quiet after which Discord archives a thread: a day or a week."""

THREAD_EXISTS: Final = 160004
"""Discord's error code where a message has a thread already
(https://discord.com/developers/docs/topics/opcodes-and-status-codes#json)."""


class MatchThreads(Protocol):
    """What can be done with threads. Every method raises NotTaken."""

    async def begin(self, posted: Posted, name: str, archived_after: ArchiveMinutes) -> int:
        """The thread on a message, which is begun unless there is one. It has the message's id."""

    async def add(self, thread_id: int, user_id: int) -> None:
        """Add somebody to a thread, so that their client lists it."""


class DiscordThreads:
    """`MatchThreads` by discord.py."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def begin(self, posted: Posted, name: str, archived_after: ArchiveMinutes) -> int:
        try:
            with translate_failures():
                await self._client.http.start_thread_with_message(
                    posted.channel_id, posted.message_id, name=name, auto_archive_duration=archived_after
                )
        except NotTaken as error:
            if error.code != THREAD_EXISTS:
                raise
        return posted.message_id

    async def add(self, thread_id: int, user_id: int) -> None:
        with translate_failures():
            await self._client.http.add_user_to_thread(thread_id, user_id)
