"""The cheapest bot there can be: no library, one gateway connection, "pong" to every interaction.

It takes the API's address and its token from where other bots do, and lives until it is ended or the gateway goes.
Not a bot to copy: it sends no heartbeat, so that the gateway cuts it off after a minute.
"""

from __future__ import annotations

import asyncio
import base64
import os
from collections import deque
from urllib.parse import urlsplit

import orjson

PONG = orjson.dumps({"type": 4, "data": {"content": "pong", "flags": 64}})
_LONG, _LONGER = 126, 127
_TEXT, _CLOSE = 1, 8


class Post(asyncio.Protocol):
    """A connection that is kept, for one answer at a time; it goes back to `free` after each."""

    def __init__(self, free: deque[Post]) -> None:
        self._free = free
        self._got = b""
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Wait for the end of a 204, which has no body."""
        self._got += data
        if self._got.endswith(b"\r\n\r\n"):
            self._got = b""
            self._free.append(self)


class NullBot:
    """Reads interactions and answers them."""

    def __init__(self, base: str, token: str) -> None:
        address = urlsplit(base)
        self._host, self._port, self._path = address.hostname or "", address.port or 0, address.path
        self._token = token
        self._free: deque[Post] = deque()

    async def run(self) -> None:
        """Identify, then answer until the gateway goes."""
        reader, writer = await asyncio.open_connection(self._host, self._port)
        key = base64.b64encode(os.urandom(16)).decode()
        writer.write(
            f"GET /gateway?v=10&encoding=json HTTP/1.1\r\nHost: {self._host}:{self._port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        await reader.readuntil(b"\r\n\r\n")
        identity = {"op": 2, "d": {"token": self._token, "intents": 1, "properties": {}}}
        writer.write(_masked(orjson.dumps(identity)))
        while True:
            kind, payload = await _frame(reader)
            if kind == _CLOSE:
                return
            if b'"INTERACTION_CREATE"' in payload[:100]:
                data = orjson.loads(payload)["d"]
                await self._answer(data["id"], data["token"])

    async def _answer(self, interaction: str, token: str) -> None:
        if self._free:
            post = self._free.popleft()
        else:
            loop = asyncio.get_running_loop()
            _, post = await loop.create_connection(lambda: Post(self._free), self._host, self._port)
        assert post.transport is not None
        post.transport.write(
            f"POST {self._path}/interactions/{interaction}/{token}/callback HTTP/1.1\r\n"
            f"Host: {self._host}:{self._port}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(PONG)}\r\n\r\n".encode()
            + PONG
        )


async def _frame(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """The kind and content of one unmasked WebSocket frame (RFC 6455, section 5.2)."""
    first, size = await reader.readexactly(2)
    if size == _LONG:
        size = int.from_bytes(await reader.readexactly(2), "big")
    elif size == _LONGER:
        size = int.from_bytes(await reader.readexactly(8), "big")
    return first & 15, await reader.readexactly(size)


def _masked(payload: bytes) -> bytes:
    """A text frame as clients must send it; the mask is zero, which leaves the payload as it is."""
    return bytes([128 | _TEXT, 128 | _LONG]) + len(payload).to_bytes(2, "big") + bytes(4) + payload


if __name__ == "__main__":
    asyncio.run(NullBot(os.environ["DISCORD_API_BASE"], os.environ["DISCORD_TOKEN"]).run())
