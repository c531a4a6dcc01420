"""Virtual time for all tests but those that wait for another process."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from tests import virtual_time

virtual_time.install()


def pytest_asyncio_loop_factories(item: pytest.Function) -> Mapping[str, type[asyncio.SelectorEventLoop]]:
    """The loop an asynchronous test runs on: an ordinary one if it is marked so, forks bots, or needs the browser."""
    if item.get_closest_marker("real_time") or item.path.parent.name == "page" or "forked_bot" in item.fixturenames:
        return {"real": asyncio.SelectorEventLoop}
    return virtual_time.loop_factories()
