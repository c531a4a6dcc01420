"""A connection that only waits for presses, for `python -m tools.prove`. It knows no commands and no matches."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any, Final

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.settings import EXIT_CONFIGURATION, EXIT_UNREACHABLE
from tools.prove.api import CannotAsk
from tools.prove.posts import made_at, now_ms
from tools.prove.scene import Press

CONNECTS_WITHIN: Final = 60.0
"""Seconds until the connection must be ready."""
ENDS_WITHIN: Final = 2.0
"""Seconds the client has to end once it was closed."""


@dataclass(frozen=True, slots=True)
class Connection:
    """What a connection to the gateway needs: the API's and the gateway's address, and which part of how many parts
    the server's events come by."""

    api_base: str
    gateway: str
    shard: int
    shards: int


class GaveUp(Exception):  # noqa: N818  named for what happened
    """The run can't be made. The text says why in one line; `code` is the exit code."""

    def __init__(self, text: str, code: int) -> None:
        super().__init__(text)
        self.code = code


class PressListener(discord.Client):
    """The client, and `Presses` (`tools.prove.scene`) while it is `running`. It keeps presses that nobody waits for
    yet."""

    running: asyncio.Task[None]

    def __init__(self, connection: Connection) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            shard_id=connection.shard,
            shard_count=connection.shards,
        )
        self._presses: dict[str, asyncio.Future[Press]] = {}

    async def on_interaction(self, interaction: discord.Interaction[discord.Client]) -> None:
        """Keep the first press of each button."""
        if interaction.type is not discord.InteractionType.component or interaction.data is None:
            return
        arrived = self._arrival(str(interaction.data.get("custom_id")))
        if not arrived.done():
            arrived.set_result(
                Press(
                    interaction.id,
                    interaction.application_id,
                    interaction.user.id,
                    interaction.app_permissions.value,
                    now_ms() - made_at(interaction.id),
                    interaction.token,
                )
            )

    async def first_press(self, custom_id: str, seconds: float) -> Press | None:
        """`Presses.first_press`."""
        arrival = self._arrival(custom_id)
        ends: set[asyncio.Future[Any]] = {arrival, self.running}
        await asyncio.wait(ends, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if arrival.done():
            return arrival.result()
        if self.running.done():
            raise CannotAsk("the connection to Discord was lost")
        return None

    def _arrival(self, custom_id: str) -> asyncio.Future[Press]:
        """The first press of a button, whenever it comes."""
        return self._presses.setdefault(custom_id, asyncio.get_running_loop().create_future())


@contextlib.asynccontextmanager
async def listening(token: str, connection: Connection) -> AsyncIterator[PressListener]:
    """Listen while the block lasts. Raises GaveUp if the connection can't be made."""
    with _pointed_at(connection):
        client = PressListener(connection)
        running = client.running = asyncio.create_task(client.start(token, reconnect=False))
        ready = asyncio.create_task(client.wait_until_ready())
        try:
            await asyncio.wait({running, ready}, timeout=CONNECTS_WITHIN, return_when=asyncio.FIRST_COMPLETED)
            if not ready.done():
                raise _why(running.exception() if running.done() else None)
            yield client
        finally:
            ready.cancel()
            await client.close()
            await asyncio.wait({running}, timeout=ENDS_WITHIN)  # it ends its threads
            running.cancel()
            await asyncio.gather(running, ready, return_exceptions=True)


@contextlib.contextmanager
def _pointed_at(connection: Connection) -> Iterator[None]:
    """Let the library use these addresses. Both are global."""
    before = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = connection.api_base, yarl.URL(connection.gateway)
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = before


def _why(error: BaseException | None) -> GaveUp:
    match error:
        case discord.LoginFailure() | discord.ConnectionClosed(code=4004):
            return GaveUp("DISCORD_TOKEN: Discord does not accept it", EXIT_CONFIGURATION)
        case discord.ConnectionClosed(code=code):
            return GaveUp(f"Discord closed the connection (code {code})", EXIT_UNREACHABLE)
    reason = "no answer" if error is None else type(error).__name__
    return GaveUp(f"Discord cannot be reached ({reason})", EXIT_UNREACHABLE)
