"""`python -m discord_sandbox` as a process: its words, its refusals, its end; and the worlds it can be given."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import aiohttp
import pytest

from discord_sandbox import NotLoopbackError, Sandbox
from discord_sandbox.clients.page_server import KEY_HEADER
from discord_sandbox.service.world_plan import WorldFileError, read_world_file

KEY = "a-key-for-this-test"
SOON = 20.0
"""Real seconds: far less than a server waits for open sockets by itself."""
SLOW = re.compile("Executing <.* took ")
"""What asyncio's debug mode says on a busy machine."""


@contextmanager
def program(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The running program, and the page's address it printed."""
    command = [sys.executable, "-X", "dev", "-W", "error", "-m", "discord_sandbox", "--port", "0", *arguments]
    environ = {**os.environ, "SANDBOX_PAGE_KEY": KEY}
    process = subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environ)
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        assert first.startswith("sandbox page: "), process.stderr and process.stderr.read()
        page, _, key = first.removeprefix("sandbox page: ").strip().partition("#key=")
        assert key == KEY
        yield process, page
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.mark.real_time
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_it_ends_soon_and_cleanly_with_open_sockets(number: int) -> None:
    with program() as (process, page):
        async with aiohttp.ClientSession() as session:
            world = await (await session.get(page + "world", headers={KEY_HEADER: KEY})).json()
            person = world["people"][0]["id"]
            base = page.replace("http", "ws", 1)
            async with (
                session.ws_connect(f"{base}socket?person={person}&key={KEY}") as tab,
                session.ws_connect(f"{base}gateway?v=10") as line,
            ):
                await tab.receive(timeout=2)
                await line.receive(timeout=2)
                process.send_signal(number)
                assert (await tab.receive(timeout=SOON)).type == aiohttp.WSMsgType.CLOSE
                assert (await line.receive(timeout=SOON)).data == 1001
        _, errors = process.communicate(timeout=SOON)
        complaints = [line for line in errors.splitlines() if not SLOW.match(line)]
        assert (process.returncode, complaints) == (0, [])


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "discord_sandbox", *arguments]
    return subprocess.run(command, text=True, capture_output=True, timeout=20, check=False)


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "example.org", "::"])
def test_it_refuses_addresses_others_could_reach(host: str) -> None:
    ended = run("--host", host)
    assert ended.returncode == 78
    assert ended.stderr.count("\n") == 1
    assert "loopback" in ended.stderr


async def test_so_does_the_sandbox_itself() -> None:
    with pytest.raises(NotLoopbackError):
        await Sandbox().start("0.0.0.0")


def test_a_taken_port_is_one_line() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ended = run("--port", str(taken.getsockname()[1]))
    assert ended.returncode == 78
    assert ended.stderr.count("\n") == 1


def test_a_world_file_is_one_line_if_faulty(tmp_path: Path) -> None:
    path = tmp_path / "world.json"
    for text in ("{", "[]", '{"people": []}', '{"people": [{}]}', '{"servers": [{"name": "S", "owner": "Nobody"}]}'):
        path.write_text(text)
        with pytest.raises(WorldFileError):
            Sandbox(read_world_file(path))
    ended = run("--world", str(path))
    assert ended.returncode == 78
    assert ended.stderr.count("\n") == 1
    assert run("--world", str(tmp_path / "none.json")).returncode == 78


@pytest.mark.real_time
async def test_a_bot_is_told_how_many_shards_to_have() -> None:
    with program("--shards", "3", "--token", "a-token") as (_, page):
        async with aiohttp.ClientSession(headers={"Authorization": "Bot a-token"}) as session:
            assert (await (await session.get(page + "api/v10/gateway/bot")).json())["shards"] == 3
    assert run("--shards", "0").returncode == 2


async def test_two_sandboxes_run_side_by_side_and_stop_twice() -> None:
    async with Sandbox.running() as one, Sandbox.running(token="other") as two:
        assert one.port != two.port
        assert two.token == "other"
        await one.stop()
    await one.stop()
