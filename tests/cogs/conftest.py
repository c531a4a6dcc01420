"""Virtual time for all these tests."""

from __future__ import annotations

from collections.abc import Mapping

from tests.virtual_time import VirtualTimeLoop, loop_factories


def pytest_asyncio_loop_factories() -> Mapping[str, type[VirtualTimeLoop]]:
    return loop_factories()
