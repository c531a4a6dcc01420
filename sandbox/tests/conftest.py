"""Virtual time, a sandbox, the sample bot on it, and a plain HTTP client with the bot's token."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import aiohttp
import pytest
from discord.gateway import KeepAliveHandler

from discord_sandbox import Permission, Sandbox, virtual_time
from discord_sandbox.discord_py import connected
from tests.sample_bot import SampleBot

virtual_time.install()


def pytest_asyncio_loop_factories(item: pytest.Function) -> Mapping[str, type[asyncio.SelectorEventLoop]]:
    """The loop an asynchronous test runs on: an ordinary one if it is marked so, or needs the browser."""
    if item.get_closest_marker("real_time") or item.path.parent.name == "page":
        return {"real": asyncio.SelectorEventLoop}
    return virtual_time.loop_factories()


@pytest.fixture(autouse=True)
def _heartbeats_end() -> Iterator[None]:
    """Stop the library's heartbeats after each test.

    If a client is closed while it opens a connection, the library leaves that one's thread behind. After 41 seconds of
    real time it would call a closed loop, and the test that runs by then would fail.
    """
    yield
    for thread in threading.enumerate():
        if isinstance(thread, KeepAliveHandler):
            thread.stop()


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of the HTTP API."""

    status: int
    body: Any
    headers: dict[str, str]

    @property
    def code(self) -> int:
        """Discord's error code."""
        code: int = self.body["code"]
        return code

    def faults(self, *path: str | int) -> list[str]:
        """The codes of the faults at a path of a 50035's tree."""
        node = self.body["errors"]
        for step in path:
            node = node[str(step)]
        return [each["code"] for each in node["_errors"]]


class Api:
    """The HTTP API with the bot's token, for requests discord.py would not send."""

    def __init__(self, session: aiohttp.ClientSession, base: str, token: str) -> None:
        self.session = session
        self._base = base
        self.token = token

    async def __call__(self, method: str, path: str, body: object = None) -> Answer:
        headers = {"Authorization": f"Bot {self.token}"}
        request = self.session.request(method, self._base + path, json=body, headers=headers)
        async with request as response:
            raw = await response.read()
            return Answer(response.status, await response.json() if raw else None, dict(response.headers))


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox.running(control=True) as running:
        yield running


@pytest.fixture
async def bot(sandbox: Sandbox) -> AsyncIterator[SampleBot]:
    client = SampleBot()
    async with connected(client, sandbox):
        yield client


@pytest.fixture
async def api(sandbox: Sandbox) -> AsyncIterator[Api]:
    async with aiohttp.ClientSession() as session:
        yield Api(session, sandbox.api_base, sandbox.token)


def allow_bot(sandbox: Sandbox, *allowed: Permission, server: str | None = None) -> None:
    """Let the bot's own role in a server (None: the first) have these permissions too."""
    for role in sandbox.server(server).roles.values():
        if role.managed_by is not None:
            role.permissions |= sum(allowed)
            role.position = 9
