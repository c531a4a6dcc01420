"""discord.py's interactions keep the contract of `cogs.interactions.responses`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import discord
import pytest

from bot.gateway.card_emojis import CardEmojis
from bot.gateway.lean import requests as direct_requests
from bot.gateway.lean.session import LeanSession
from bot.telemetry import NO_TELEMETRY, Telemetry
from bot.ui.screen import Button, Press, Screen, Text
from cogs.interactions.responses import Interaction
from cogs.screens.renderer import Sheet, sheet
from discord_sandbox import MessageView, Reply, Sandbox
from discord_sandbox.discord_py import connected
from tests.cogs.interactions.contract_responses import Cut, Door, ResponsesContract

CALLBACK = "/interactions/*/*/callback"
ORIGINAL = "/webhooks/*/*/messages/@original"


def to_press() -> Sheet:
    """A message with a button."""
    return sheet(Screen("", (Text("pressed"),), ((Button("Press", Press("rules")),),)), "note")


class Listener(discord.Client):
    """A client that hands every interaction on, and answers none."""

    telemetry: Telemetry = NO_TELEMETRY

    def __init__(self) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True), allowed_mentions=discord.AllowedMentions.none(), max_messages=None
        )
        self.card_emojis = CardEmojis(self)
        self.came: asyncio.Queue[Interaction] = asyncio.Queue()

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        self.came.put_nowait(interaction)  # type: ignore[arg-type]  # of this client, which has what the answers need


class SandboxDoor:
    def __init__(self, sandbox: Sandbox, client: Listener) -> None:
        self._sandbox = sandbox
        self._client = client
        self._person, self._channel = sandbox.user("Alice"), sandbox.channel("lobby")
        self._source: MessageView | None = None
        self._asking: list[asyncio.Task[Reply]] = []

    async def command(self) -> Interaction:
        data = {"id": "1", "name": "command", "type": 1}
        self._asking.append(asyncio.create_task(self._person.forge(self._channel, "command", data)))
        return await self._client.came.get()

    async def press(self, *, private: bool) -> Interaction:
        if private:
            command = await self.command()
            await command.response.send_message(view=to_press(), ephemeral=True)
            await self._sandbox.wait_for(lambda: self._channel.for_only(self._person))
            (self._source,) = self._channel.for_only(self._person)
        else:
            channel = self._client.get_partial_messageable(self._channel.id)
            await channel.send(view=to_press())
            (self._source,) = self._channel.messages
        self._asking.append(asyncio.create_task(self._person.press(self._source, label="Press")))
        return await self._client.came.get()

    async def settle(self) -> None:
        await asyncio.sleep(0.1)

    def source(self) -> str:
        assert self._source is not None
        return self._source.text

    def private(self) -> list[str]:
        seen = self._channel.for_only(self._person)
        return ["" if each.loading else each.text for each in seen if each != self._source]

    def public(self) -> list[str]:
        return [each.text for each in self._channel.messages if each != self._source]

    def form(self) -> str:
        asking = self._asking[-1]
        opened = asking.result().modal_or_none if asking.done() else None
        return "" if opened is None else opened.title

    def pictures(self) -> int:
        return sum("attachment_id" in str(each.raw["components"]) for each in self._channel.for_only(self._person))

    def refuse_picture(self) -> None:
        self._sandbox.faults.on("POST", CALLBACK, status=403, code=50013)

    def refuse(self, *, first: bool) -> None:
        if first:
            self._sandbox.faults.on("POST", CALLBACK, status=404, code=10062)
        else:
            self._sandbox.faults.on("PATCH", ORIGINAL, status=404, code=10015)

    def cut(self, when: Cut) -> None:
        if when == "failure":
            self._sandbox.faults.on("POST", CALLBACK, status=502, effect=True)
        else:
            self._sandbox.faults.on("POST", CALLBACK, drop=when)

    def second_responses(self) -> int:
        asked = [each for each in self._sandbox.transcript.requests if each.path.endswith("/callback")]
        return sum(each.status == 400 for each in asked)

    async def close(self) -> None:
        for asking in self._asking:
            asking.cancel()
        await asyncio.gather(*self._asking, return_exceptions=True)


class TestDiscordInteractions(ResponsesContract):
    @pytest.fixture
    async def door(self, sandbox: Sandbox) -> AsyncIterator[Door]:
        client = Listener()
        direct_requests.install(lambda session: LeanSession(session, sandbox.api_base, "DiscordBot", None))
        async with connected(client, sandbox):
            door = SandboxDoor(sandbox, client)
            yield door
            await door.close()
