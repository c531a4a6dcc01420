"""The bot without Discord, new for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.cogs.actions.house import House


@pytest.fixture
async def house() -> AsyncIterator[House]:
    made = House()
    try:
        yield made
    finally:
        await made.close()
