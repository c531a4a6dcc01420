"""The contracts of the fakes, kept by discord.py on the sandbox."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping

import pytest

from sandbox import Sandbox


def pytest_asyncio_loop_factories() -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """The real event loop: the sandbox has sockets."""
    return {"real": asyncio.new_event_loop}


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox.running() as running:
        yield running
