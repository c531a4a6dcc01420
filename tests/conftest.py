"""Virtual time for all tests but those that wait for another process."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from tests import virtual_time

virtual_time.install()


def pytest_asyncio_loop_factories(item: pytest.Function) -> Mapping[str, type[asyncio.SelectorEventLoop]]:
    """The loop that an asynchronous test runs on: an ordinary one where it is marked so, or forks bots."""
    marked = any(item.get_closest_marker(name) for name in ("real_time", "page"))
    if marked or "forked_bot" in item.fixturenames:
        return {"real": asyncio.SelectorEventLoop}
    return virtual_time.loop_factories()
