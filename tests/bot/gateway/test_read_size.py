"""Connections read in pieces that the process's memory can take again."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest

from bot.gateway.read_size import READ_SIZE, READERS, read_in_small_pieces


class Received(asyncio.Protocol):
    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.closed = asyncio.Event()

    def data_received(self, data: bytes) -> None:
        self.pieces.append(data)

    def connection_lost(self, _: Exception | None) -> None:
        self.closed.set()


@pytest.fixture(autouse=True)
def as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    for reader in READERS:
        monkeypatch.setattr(reader, "max_size", reader.max_size)


async def received(message: bytes) -> list[bytes]:
    here, there = socket.socketpair()
    loop = asyncio.get_running_loop()
    here.setblocking(False)
    protocol: Any
    _, protocol = await loop.connect_accepted_socket(Received, sock=here)
    with there:
        there.setblocking(False)
        async with asyncio.timeout(10):
            await loop.sock_sendall(there, message)
    async with asyncio.timeout(10):
        await protocol.closed.wait()
    return protocol.pieces  # type: ignore[no-any-return]


async def test_a_long_message_arrives_whole_in_pieces_of_the_read_size() -> None:
    message = bytes(range(256)) * 400
    assert max(map(len, await received(message))) > READ_SIZE  # as it is without
    read_in_small_pieces()
    pieces = await received(message)
    assert b"".join(pieces) == message
    assert max(map(len, pieces)) <= READ_SIZE


def test_tls_reads_as_much() -> None:
    read_in_small_pieces()
    assert [reader.max_size for reader in READERS] == [READ_SIZE, READ_SIZE]
