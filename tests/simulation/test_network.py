"""The network: what is written arrives, late, in its order, or not at all."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from tests.simulation.kernel import Kernel
from tests.simulation.network import MemoryTransport, Network
from tests.simulation.weather_fields import CALM, Weather


class Listener(asyncio.Protocol):
    """Notes what happens to a connection, and when."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self.transport: asyncio.Transport | None = None
        self.received: list[tuple[float, bytes]] = []
        self.ended = False
        self.lost: list[Exception | None] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, MemoryTransport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.received.append((self._kernel.now, data))

    def eof_received(self) -> None:
        self.ended = True

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost.append(exc)

    @property
    def end(self) -> asyncio.Transport:
        assert self.transport is not None
        return self.transport

    @property
    def text(self) -> bytes:
        return b"".join(piece for _, piece in self.received)


class Connected:
    """A line from a bot to Discord, in a weather."""

    def __init__(self, weather: Weather = CALM, seed: int = 1) -> None:
        self.kernel = Kernel(seed)
        self.network = Network(self.kernel, weather)
        self.bot, self.discord = self.kernel.loop("bot"), self.kernel.loop("discord")
        self.here, self.there = Listener(self.kernel), Listener(self.kernel)
        self.network.listen(self.discord, lambda: self.there)
        self.task = self.bot.create_task(self.network.connect(self.bot, lambda: self.here))
        self.kernel.run(10.0)

    def run(self, seconds: float) -> None:
        self.kernel.run(self.kernel.now + seconds)


def test_what_is_written_arrives_in_its_order_however_long_a_piece_takes() -> None:
    line = Connected(replace(CALM, latency=1.0, tail=0.5))
    written = [bytes([number]) for number in range(100)]
    for piece in written:
        line.here.end.write(piece)
        line.run(0.01)
    line.run(60.0)
    assert [piece for _, piece in line.there.received] == written


def test_a_cut_line_is_reset_at_both_ends() -> None:
    line = Connected()
    line.network.lines[0].cut()
    line.run(1.0)
    for end in (line.here, line.there):
        assert [type(error) for error in end.lost] == [ConnectionResetError]


def test_a_silent_line_delivers_afterwards() -> None:
    line = Connected()
    line.network.lines[0].fall_silent(60.0)
    line.here.end.write(b"hello")
    line.there.end.write(b"there")
    line.run(59.0)
    assert (line.there.text, line.here.text) == (b"", b"")
    line.run(2.0)
    assert (line.there.text, line.here.text) == (b"hello", b"there")


def test_a_line_can_lose_one_way() -> None:
    line = Connected()
    line.network.lines[0].lose_one_way(from_client=True)
    line.here.end.write(b"hello")
    line.there.end.write(b"there")
    line.run(100_000.0)
    assert (line.there.text, line.here.text) == (b"", b"there")


def test_an_outage_cuts_lines_and_refuses_new_ones_until_it_is_over() -> None:
    line = Connected()
    line.network.refuse(30.0)
    refused = line.bot.create_task(line.network.connect(line.bot, lambda: line.here))
    line.run(1.0)
    assert isinstance(refused.exception(), ConnectionRefusedError)
    assert line.here.lost
    line.run(30.0)
    again = line.bot.create_task(line.network.connect(line.bot, lambda: Listener(line.kernel)))
    line.run(1.0)
    assert again.exception() is None
