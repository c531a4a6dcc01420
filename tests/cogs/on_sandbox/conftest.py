"""The contracts of the fakes, kept by discord.py on the sandbox."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from discord_sandbox import Sandbox


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox.running() as running:
        yield running
