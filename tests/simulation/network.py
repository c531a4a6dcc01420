"""The network between the bot and Discord: pairs of transports in memory, under the real aiohttp on both sides.

What is written arrives later, in its order, as over TCP. Lines can be slow, cut, silent, or lose one direction; new
ones can be refused.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Final
from zlib import crc32

from tests.simulation.kernel import Kernel, SimulatedLoop
from tests.simulation.weather_fields import Weather

Factory = Callable[[], asyncio.Protocol]

_NEXT: Final = 1e-7
"""Seconds between two pieces of data that would arrive at once."""
_NEVER: Final = float("inf")


class Network:
    """All lines, and what is the matter with them."""

    def __init__(self, kernel: Kernel, weather: Weather) -> None:
        self.kernel = kernel
        self.weather = weather
        self.lines: list[Line] = []
        """The open ones, the oldest first."""
        self._refused_until = 0.0
        self._chance = kernel.chance("network")
        self._server: tuple[SimulatedLoop, Factory] | None = None
        self._made = 0

    def listen(self, loop: SimulatedLoop, factory: Factory) -> None:
        """From now on this loop answers connections, each with a protocol that `factory` makes."""
        self._server = loop, factory

    async def connect(self, loop: SimulatedLoop, factory: Factory) -> tuple[asyncio.Transport, asyncio.Protocol]:
        """Open a line from a loop to Discord. Raises ConnectionRefusedError."""
        await self._travel(loop)
        refused = self.kernel.now < self._refused_until or self._chance.random() < self.weather.connection_refusals
        if self._server is None or refused:
            await self._travel(loop)
            raise ConnectionRefusedError(111, "Connection refused")
        there, make = self._server
        self._made += 1
        line = Line(self, self._made, loop, there)
        self.lines.append(line)
        line.server.attend(make())
        there.call_at_moment(self.kernel.now, line.server.begin)
        await self._travel(loop)
        if line.client.is_closing():
            raise ConnectionResetError(104, "Connection reset by peer")
        line.client.attend(factory())
        line.client.begin()
        return line.client, line.client.get_protocol()

    async def _travel(self, loop: SimulatedLoop) -> None:
        arrived = loop.create_future()
        loop.call_at_moment(self.kernel.now + self.latency(), _resolve, arrived)
        await arrived

    def latency(self) -> float:
        """How long the next piece of data takes."""
        weather, chance = self.weather, self._chance
        taken = chance.uniform(weather.latency / 4, weather.latency)
        if weather.tail and chance.random() < weather.tail:
            taken *= weather.tail_factor
        return taken

    def drop(self, loop: SimulatedLoop) -> None:
        """A process was killed: the operating system resets its lines."""
        for line in list(self.lines):
            if line.client.loop is loop:
                line.client.vanish()

    def refuse(self, seconds: float) -> None:
        """Cut all lines, and refuse new ones for so long."""
        self._refused_until = max(self._refused_until, self.kernel.now + seconds)
        for line in list(self.lines):
            line.cut()


class Line:
    """An open connection: two transports."""

    def __init__(self, network: Network, number: int, here: SimulatedLoop, there: SimulatedLoop) -> None:
        self.network = network
        self.number = number
        self.client = MemoryTransport(self, here, "c")
        self.server = MemoryTransport(self, there, "s")
        self.client.peer, self.server.peer = self.server, self.client

    def cut(self) -> None:
        """Reset it at both ends, each after a latency."""
        for end in (self.client, self.server):
            end.break_off(self.network.kernel.now + self.network.latency())

    def fall_silent(self, seconds: float) -> None:
        """Let nothing arrive for so long, in either direction. It is sent again afterwards, as TCP does."""
        for end in (self.client, self.server):
            end.stall(self.network.kernel.now + seconds)

    def lose_one_way(self, *, from_client: bool) -> None:
        """Let all that goes one way be lost from now on."""
        (self.client if from_client else self.server).stall(_NEVER)

    def closed(self, end: MemoryTransport) -> None:
        """One of its ends is closed; once both are, it is forgotten."""
        if end.peer.is_closing() and self in self.network.lines:
            self.network.lines.remove(self)


class MemoryTransport(asyncio.Transport):
    """One end of a line."""

    peer: MemoryTransport

    def __init__(self, line: Line, loop: SimulatedLoop, side: str) -> None:
        super().__init__()
        self.loop = loop
        self._line = line
        self._kernel = line.network.kernel
        self._name = f"{line.number}{side}"
        self._protocol: Any = None  # until the connection is made
        self._closing = False
        self._ended = False
        self._paused = False
        self._inbox: deque[bytes | None] = deque()
        self._last_due = 0.0
        self._stalled_until = 0.0

    def attend(self, protocol: asyncio.BaseProtocol) -> None:
        """Who hears of what arrives here."""
        self._protocol = protocol

    def begin(self) -> None:
        """Tell the protocol that the connection is made."""
        if not self._ended:
            self._protocol.connection_made(self)
            self._read_on()

    # ------------------------------------------------------------------------------------ asyncio's transport

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Only where the other end seems to be."""
        return ("127.0.0.1", 0) if name in ("peername", "sockname") else default

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._protocol = protocol

    def get_protocol(self) -> Any:
        return self._protocol

    def is_closing(self) -> bool:
        return self._closing

    def is_reading(self) -> bool:
        return not self._paused and not self._closing

    def pause_reading(self) -> None:
        self._paused = True

    def resume_reading(self) -> None:
        if self._paused:
            self._paused = False
            self.loop.call_soon(self._read_on)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._closing or not data:
            return
        piece = bytes(data)
        self._kernel.note(self.loop.number, f"{self._name} {len(piece)} {crc32(piece)}")
        self._send(self.peer.arrive, piece)

    def writelines(self, list_of_data: Any) -> None:
        self.write(b"".join(list_of_data))

    def can_write_eof(self) -> bool:
        return False

    def get_write_buffer_size(self) -> int:
        return 0

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """There is no limit."""

    def close(self) -> None:
        """Close after what was written: the other end reads to the end."""
        if self._closing:
            return
        self._closing = True
        self._send(self.peer.arrive, None)
        self.loop.call_soon(self._end, None)

    def abort(self) -> None:
        """Close at once: the other end sees a reset."""
        if self._ended:
            return
        self._closing = True
        self._send(self.peer.reset)
        self.loop.call_soon(self._end, None)

    # ------------------------------------------------------------------------------------ what the network does

    def vanish(self) -> None:
        """The process is gone: nothing is told here any more, and the other end sees a reset."""
        self._closing = self._ended = True
        self._send(self.peer.reset)
        self._line.closed(self)

    def break_off(self, at: float) -> None:
        """Reset this end at a moment."""
        self.loop.call_at_moment(at, self.reset)

    def stall(self, until: float) -> None:
        """Let nothing that is written here arrive before this moment."""
        self._stalled_until = max(self._stalled_until, until)

    def _send(self, receive: Callable[..., None], *args: object) -> None:
        """Have the other end receive something, after all that was sent before."""
        due = max(self._kernel.now + self._line.network.latency(), self._stalled_until, self._last_due + _NEXT)
        if due < _NEVER:
            self._last_due = due
            self.peer.loop.call_at_moment(due, receive, *args)

    def arrive(self, piece: bytes | None) -> None:
        """Data, or the end (None)."""
        if self._ended or self._closing:
            return
        self._inbox.append(piece)
        if not self._paused:
            self._read_on()

    def _read_on(self) -> None:
        while self._inbox and self._protocol is not None and not self._paused and not self._ended:
            piece = self._inbox.popleft()
            if piece is not None:
                self._protocol.data_received(piece)
            elif not self._protocol.eof_received():
                self.close()

    def reset(self) -> None:
        """The line is broken."""
        self._closing = True
        self._end(ConnectionResetError(104, "Connection reset by peer"))

    def _end(self, error: Exception | None) -> None:
        """Tell the protocol, once, that the connection is over."""
        if self._ended:
            return
        self._ended = True
        self._line.closed(self)
        if self._protocol is not None:
            self._protocol.connection_lost(error)


def _resolve(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
