"""What tests of the stores share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping


def pytest_asyncio_loop_factories() -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """The real event loop: SQLite and servers have threads and sockets."""
    return {"real": asyncio.new_event_loop}
