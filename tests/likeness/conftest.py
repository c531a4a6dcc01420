"""A sandbox for another's bot."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from sandbox import Sandbox


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox.running({"application": {"name": "Visitor", "intents": ["members", "message_content"]}}) as one:
        yield one
