"""A TCP proxy between a process and its database, which can hold the line still or cut it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

ENDS_WITHIN = 5.0
_CHUNK = 1 << 16


class CutLine:
    """Passes bytes on both ways. While it is held nothing arrives and nothing is refused, as when a router drops
    everything: neither side notices but by waiting."""

    def __init__(self, target: int) -> None:
        """`target` is a port on loopback."""
        self._target = target
        self._open = asyncio.Event()
        self._open.set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = 0

    def hold(self) -> None:
        """Let nothing through, and answer no new connection."""
        self._open.clear()

    def release(self) -> None:
        """Let everything through again, also what waited."""
        self._open.set()

    def cut(self) -> None:
        """Break all connections at once. New ones work."""
        for writer in self._writers:
            writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        task = asyncio.current_task()
        if task is not None:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        await self._open.wait()
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, back}
        try:
            await asyncio.gather(self._pass_on(reader, back), self._pass_on(there, writer))
        finally:
            self._writers -= {writer, back}
            for each in (writer, back):
                each.transport.abort()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while chunk := await reader.read(_CHUNK):
                await self._open.wait()
                writer.write(chunk)
                await writer.drain()
        writer.transport.abort()

    async def close(self) -> None:
        """End all connections."""
        self.release()
        self.cut()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=ENDS_WITHIN)


@asynccontextmanager
async def cut_line(target: int) -> AsyncIterator[CutLine]:
    """A proxy to a port on loopback, on a port of its own, until the block ends."""
    line = CutLine(target)
    server = await asyncio.start_server(line.serve, "127.0.0.1", 0)
    line.port = server.sockets[0].getsockname()[1]
    try:
        yield line
    finally:
        server.close()
        await line.close()
