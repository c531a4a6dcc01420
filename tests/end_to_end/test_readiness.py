"""Who started the bot is told that it answers: after READY, once, and not by the heartbeat."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.ops import process
from discord_sandbox import Sandbox
from tests.end_to_end.cardroom import cardroom, eventually


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """The socket of who started the bot."""
    address = tmp_path / "ready"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(address))
        listening.setblocking(False)
        monkeypatch.setenv(process.VARIABLE, str(address))
        yield listening


def heard(told: socket.socket) -> bytes:
    """What has been said by now and not been heard yet."""
    try:
        return told.recv(64)
    except BlockingIOError:
        return b""


async def test_readiness_is_reported_once_and_after_ready(
    sandbox: Sandbox, tmp_path: Path, told: socket.socket
) -> None:
    late = sandbox.faults.on("CONNECT", "/gateway", delay=60)
    heartbeat, before = tmp_path / "heartbeat", list[bytes]()

    async def let_it_be_ready() -> None:
        await sandbox.wait_for(lambda: late.struck == 1 and heartbeat.exists())
        await asyncio.sleep(0.2)  # were it told too early, it would be by now
        before.append(heard(told))
        sandbox.advance(60)

    letting = asyncio.create_task(let_it_be_ready())
    async with cardroom(sandbox, tmp_path) as room:
        await letting
        assert before == [b""]

        async def is_told() -> bool:
            return heard(told) == b"READY=1"

        await eventually(is_told)
        assert not (await sandbox.user("Alice").slash(sandbox.channel("lobby"), "help")).failed
        sandbox.gateway.invalidate(resumable=False)
        await sandbox.wait_for(lambda: room.app.clock.paused)
        await eventually(room.clocks_run)
        assert heard(told) == b""


def test_a_name_that_linux_keeps_outside_the_file_system_is_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind("\0cardroom-test-of-readiness")
        listening.setblocking(False)
        monkeypatch.setenv(process.VARIABLE, "@cardroom-test-of-readiness")
        process.report_ready()
        assert heard(listening) == b"READY=1"
