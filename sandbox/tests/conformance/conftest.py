"""A sandbox for another's bot."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
import yarl

from discord_sandbox import Sandbox


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox.running({"application": {"name": "Visitor", "intents": ["members", "message_content"]}}) as one:
        yield one


class Ask:
    """The HTTP API with the bot's token, without a library between."""

    def __init__(self, session: aiohttp.ClientSession, sandbox: Sandbox) -> None:
        self._session = session
        self._sandbox = sandbox

    async def __call__(self, method: str, path: str, body: object = None) -> Any:
        """The JSON of the answer; raises AssertionError for a refusal."""
        headers = {"Authorization": f"Bot {self._sandbox.token}"}
        address = yarl.URL(self._sandbox.api_base + path, encoded=True)
        async with self._session.request(method, address, json=body, headers=headers) as response:
            raw = await response.read()
            assert response.status < 300, (response.status, raw)
            return await response.json() if raw else None


@pytest.fixture
async def ask(sandbox: Sandbox) -> AsyncIterator[Ask]:
    async with aiohttp.ClientSession() as session:
        yield Ask(session, sandbox)
