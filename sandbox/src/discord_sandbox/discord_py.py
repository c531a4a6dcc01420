"""The real, unmodified discord.py client, pointed at a sandbox within a test's own process."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import discord
import yarl
from discord.gateway import DiscordWebSocket, KeepAliveHandler
from discord.http import Route

from discord_sandbox.run.server import Sandbox

UP_WITHIN = 30.0
"""Seconds in which a client has to be at the gateway; the library makes long pauses after a failure."""


@contextmanager
def discord_at(api_base: str) -> Iterator[None]:
    """Let discord.py take `api_base` for Discord's API and its gateway; both are global, both come back."""
    before = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    Route.BASE = api_base
    address = yarl.URL(api_base)
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://{address.authority}/gateway")
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = before


@contextmanager
def _heartbeats_end(loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """Stop the threads that send heartbeats: the library forgets one whose session ended while it began. The thread
    would call the loop within a later test, after the loop was closed."""
    try:
        yield
    finally:
        for thread in threading.enumerate():
            if isinstance(thread, KeepAliveHandler) and thread.ws.loop is loop:
                thread.stop()


@asynccontextmanager
async def connected(client: discord.Client, sandbox: Sandbox) -> AsyncIterator[discord.Client]:
    """Run `client` on `sandbox` until the block ends; it is at the gateway when the block begins."""
    with discord_at(sandbox.api_base), _heartbeats_end(asyncio.get_running_loop()):
        running = asyncio.create_task(client.start(sandbox.token))
        there = asyncio.create_task(sandbox.wait_for_bot(UP_WITHIN))
        try:
            await asyncio.wait([running, there], return_when=asyncio.FIRST_COMPLETED)
            if running.done():
                running.result()
            there.result()
            yield client
        finally:
            there.cancel()
            await client.close()
            with contextlib.suppress(asyncio.CancelledError, asyncio.TimeoutError):
                await asyncio.wait_for(running, 5)
            with contextlib.suppress(asyncio.CancelledError):
                await there
