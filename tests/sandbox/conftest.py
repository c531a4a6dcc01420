"""A sandbox, the sample bot on it, and a plain HTTP client with the bot's token."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import aiohttp
import pytest

from sandbox import Permission, Sandbox
from tests.discord_client import connected
from tests.sandbox.sample_bot import SampleBot


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
