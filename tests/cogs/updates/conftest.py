"""The playing parts on a store in memory, and what follows them on a fake of Discord's channels."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.cogs.updates.following import Following


@pytest.fixture
async def room() -> AsyncIterator[Following]:
    made = Following()
    try:
        yield made
    finally:
        await made.close()
