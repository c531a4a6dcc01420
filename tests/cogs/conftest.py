"""The bot without Discord, new for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.cogs.actions.offline_bot import OfflineBot


@pytest.fixture
async def offline_bot() -> AsyncIterator[OfflineBot]:
    made = OfflineBot()
    try:
        yield made
    finally:
        await made.close()
