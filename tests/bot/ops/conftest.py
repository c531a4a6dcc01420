"""What tests of the running bot's operation share."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping

import pytest


def pytest_asyncio_loop_factories() -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """The real event loop: SQLite and servers have threads and sockets."""
    return {"real": asyncio.new_event_loop}


@pytest.fixture
def silent() -> Iterator[None]:
    """No log at all: what is counted all the same is not counted from its lines."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)
