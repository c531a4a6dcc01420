"""A sandbox, and the bot on it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from discord_sandbox import Sandbox
from tests.end_to_end.cardroom import Cardroom, cardroom


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox.running() as running:
        yield running


@pytest.fixture
async def room(sandbox: Sandbox, tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Cardroom]:
    """The bot; a test may give settings by indirect parameters."""
    async with cardroom(sandbox, tmp_path, **getattr(request, "param", {})) as running:
        yield running
