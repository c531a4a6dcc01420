"""Virtual time for all tests but those that wait for another process."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Mapping

import pytest
from discord.gateway import KeepAliveHandler

from tests import virtual_time

virtual_time.install()


@pytest.fixture(autouse=True)
def _heartbeats_end() -> Iterator[None]:
    """Stop the library's heartbeats after each test.

    If a client is closed while it opens a connection, the library leaves that one's thread behind. After 41 seconds of
    real time it would call a closed loop, and the test that runs by then would fail.
    """
    yield
    for thread in threading.enumerate():
        if isinstance(thread, KeepAliveHandler):
            thread.stop()


def pytest_asyncio_loop_factories(item: pytest.Function) -> Mapping[str, type[asyncio.SelectorEventLoop]]:
    """The loop an asynchronous test runs on: an ordinary one if it is marked so, forks bots, or needs the browser."""
    if item.get_closest_marker("real_time") or item.path.parent.name == "page" or "forked_bot" in item.fixturenames:
        return {"real": asyncio.SelectorEventLoop}
    return virtual_time.loop_factories()
