"""The parts of `bot.play`, on a new store in memory for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping

import pytest

from tests.play.parts import Parts
from tests.virtual_time import VirtualTimeLoop, loop_factories


def pytest_asyncio_loop_factories() -> Mapping[str, type[VirtualTimeLoop]]:
    return loop_factories()


@pytest.fixture
async def parts() -> AsyncIterator[Parts]:
    made = Parts.fresh()
    try:
        yield made
    finally:
        await made.close()
