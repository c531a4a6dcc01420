"""Virtual time for tests with a database: aiosqlite's threads tell the loop when they have work.

So the loop (`discord_sandbox.virtual_time`) jumps over no wait for the database.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeVar

import aiosqlite.core

from discord_sandbox import virtual_time

T = TypeVar("T")


class _CountedQueue(SimpleQueue[Any]):
    """The queue of a database's thread, which tells the loop that the thread has work."""

    def put_nowait(self, item: tuple[asyncio.Future[Any] | None, Callable[[], Any]]) -> None:
        """Have the thread call a function; what it returns goes to the future, if there is one."""
        future, function = item
        if (loop := virtual_time.open_loop()) is not None:
            loop.work_begun()
            if future is None:
                function = _then(function, loop.work_ended)
            else:
                future.add_done_callback(lambda _: loop.work_ended())
        super().put_nowait((future, function))


def _then(function: Callable[[], T], ended: Callable[[], None]) -> Callable[[], T]:
    def both() -> T:
        try:
            return function()
        finally:
            ended()

    return both


def install() -> None:
    """From now on `time` tells the time of the open loop. Once for each process."""
    virtual_time.install()
    aiosqlite.core.SimpleQueue = _CountedQueue  # type: ignore[attr-defined]  # the module imports it for itself
