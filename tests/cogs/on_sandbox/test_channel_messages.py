"""discord.py keeps the contract of `ChannelMessages`."""

from __future__ import annotations

from collections.abc import AsyncIterator

import discord
import pytest

from cogs.updates.channel_messages import DiscordMessages
from discord_sandbox import Sandbox
from discord_sandbox.discord_py import connected
from tests.cogs.updates.contract_messages import ChannelMessagesContract, Venue

SUPPRESS_NOTIFICATIONS = 1 << 12


class SandboxVenue:
    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._channel = sandbox.channel("lobby")
        self._person = sandbox.user("Alice")
        self.guild_id, self.channel_id = sandbox.server().id, self._channel.id
        self.person_id = self._person.id
        self.begun = int(sandbox.clock.now() * 1000)

    def seen(self) -> list[str]:
        return [each.text for each in self._channel.messages]

    def seen_directly(self) -> list[str]:
        return [each.text for each in self._person.direct_messages.messages]

    def notified(self) -> list[list[int]]:
        return [[] if each.flags & SUPPRESS_NOTIFICATIONS else each.mentions for each in self._channel.messages]

    def delete_channel(self) -> None:
        self._sandbox.delete_channel(self._channel)

    def somebody_writes(self) -> None:
        self._person.say(self._channel, "Hello!")

    def close_direct_messages(self) -> None:
        self._person.user.takes_direct_messages = False

    def cut(self, method: str) -> None:
        # aiohttp sends again what does no harm twice.
        self._sandbox.faults.on(method, "/channels/**", drop="before", times=2 if method == "DELETE" else 1)

    def refuse(self, method: str, status: int, code: int) -> None:
        self._sandbox.faults.on(method, "/channels/**", status=status, code=code)


class TestDiscordMessages(ChannelMessagesContract):
    @pytest.fixture
    async def messages(self, sandbox: Sandbox) -> AsyncIterator[DiscordMessages]:
        client = discord.Client(
            intents=discord.Intents(guilds=True), allowed_mentions=discord.AllowedMentions.none(), max_messages=None
        )
        async with connected(client, sandbox):
            yield DiscordMessages(client)

    @pytest.fixture
    async def venue(self, sandbox: Sandbox) -> Venue:
        return SandboxVenue(sandbox)
