"""A plain gateway connection, for what discord.py would not say."""

from __future__ import annotations

import json
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from discord_sandbox import Sandbox

GUILDS, MEMBERS, MESSAGES, CONTENT = 1, 1 << 1, 1 << 9, 1 << 15
_ENDED = (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.CLOSING)


class Line:
    """One connection; `compressed` says whether it asked for zlib-stream."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, *, compressed: bool) -> None:
        self.socket = socket
        self._unpack = zlib.decompressobj() if compressed else None

    async def receive(self) -> dict[str, Any]:
        """The next payload; raises AssertionError with the close code at the end."""
        frame = await self.socket.receive(timeout=2)
        if frame.type == aiohttp.WSMsgType.BINARY and self._unpack is not None:
            found: dict[str, Any] = json.loads(self._unpack.decompress(frame.data))
        else:
            assert frame.type == aiohttp.WSMsgType.TEXT, (frame.type, self.socket.close_code)
            found = json.loads(frame.data)
        return found

    async def until(self, name: str) -> dict[str, Any]:
        """The next event of that name."""
        for _ in range(50):
            payload = await self.receive()
            if payload["t"] == name:
                return payload
        raise AssertionError(f"no {name} among 50 payloads")

    async def until_op(self, op: int) -> dict[str, Any]:
        """The next payload with that opcode."""
        for _ in range(50):
            payload = await self.receive()
            if payload["op"] == op:
                return payload
        raise AssertionError(f"no op {op} among 50 payloads")

    async def send(self, op: int, data: object) -> None:
        """Send one payload."""
        await self.socket.send_json({"op": op, "d": data})

    async def identify(self, sandbox: Sandbox, **more: object) -> dict[str, Any]:
        """Identify; the READY."""
        await self.send(2, identity(sandbox, **more))
        return await self.until("READY")

    async def close_code(self) -> int | None:
        """Wait for the end; return its code."""
        for _ in range(200):
            frame = await self.socket.receive(timeout=2)
            if frame.type in _ENDED:
                return self.socket.close_code
        raise AssertionError("the line stays open")


@asynccontextmanager
async def line(sandbox: Sandbox, query: str = "?v=10&encoding=json") -> AsyncIterator[Line]:
    """A connection that has got its HELLO."""
    async with aiohttp.ClientSession() as session, session.ws_connect(sandbox.gateway_url + query) as socket:
        opened = Line(socket, compressed="zlib-stream" in query)
        hello = await opened.receive()
        interval = int(sandbox.limits.heartbeat_interval * 1000)
        assert (hello["op"], hello["d"]["heartbeat_interval"]) == (10, interval)
        yield opened


def identity(sandbox: Sandbox, **more: object) -> dict[str, object]:
    """The data of an IDENTIFY, with the servers' intent unless told otherwise."""
    return {"token": sandbox.token, "intents": GUILDS, "properties": {}, **more}
