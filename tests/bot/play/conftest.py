"""The parts of `bot.play`, on a new store in memory for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.bot.play.parts import Parts


@pytest.fixture
async def parts() -> AsyncIterator[Parts]:
    made = Parts.fresh()
    try:
        yield made
    finally:
        await made.close()
