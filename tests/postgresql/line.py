"""A line to the server that tests cut or hold still, or in which they swallow all that is said."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager


class Line:
    """A proxy on loopback in front of a port."""

    def __init__(self, to_port: int) -> None:
        self.port = 0
        self.heard: Callable[[bytes], None] = lambda _: None
        """Called with what the bot sends, before it is sent on: a test may cut the line at that moment."""
        self._to_port = to_port
        self._swallows = False
        self._deaf = False
        self._open = asyncio.Event()
        self._open.set()
        self._ends: set[asyncio.StreamWriter] = set()
        self._talks: set[asyncio.Task[None]] = set()

    def hold(self) -> None:
        """Let nothing through, and answer no new connection, as when a router drops everything: neither side notices
        but by waiting."""
        self._open.clear()

    def release(self) -> None:
        """Let everything through again, also what waited."""
        self._open.set()

    def swallow(self, *, answers_only: bool = False) -> None:
        """Take all that is sent, and pass nothing on from here on; with `answers_only` what the bot says still
        arrives."""
        self._deaf = True
        self._swallows = not answers_only

    def pass_on(self) -> None:
        """Pass on again what is sent, on lines that are opened from here on."""
        self._deaf = self._swallows = False
        self.cut()

    def cut(self) -> None:
        """End all connections."""
        for end in self._ends:
            with contextlib.suppress(OSError):
                end.transport.abort()
        self._ends.clear()

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry a connection."""
        await self._open.wait()
        try:
            there_reader, there = await asyncio.open_connection("127.0.0.1", self._to_port)
        except OSError:
            writer.transport.abort()
            return
        self._ends |= {writer, there}
        for task in (self._carry(reader, there, says=True), self._carry(there_reader, writer, says=False)):
            running = asyncio.create_task(task)
            self._talks.add(running)
            running.add_done_callback(self._talks.discard)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, says: bool) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                if says:
                    self.heard(data)
                if self._swallows if says else self._deaf:
                    continue
                await self._open.wait()
                writer.write(data)
                await writer.drain()
        if not self._deaf:
            with contextlib.suppress(OSError):
                writer.close()

    async def close(self) -> None:
        """End all, and wait until it has ended."""
        self._deaf = self._swallows = False
        self.release()
        self.cut()
        if self._talks:
            await asyncio.wait(self._talks, timeout=5)


@asynccontextmanager
async def line_to(port: int) -> AsyncIterator[Line]:
    """A line to a port."""
    line = Line(port)
    server = await asyncio.start_server(line.talk, "127.0.0.1", 0)
    line.port = server.sockets[0].getsockname()[1]
    try:
        yield line
    finally:
        server.close()
        await line.close()
        await asyncio.sleep(0)
