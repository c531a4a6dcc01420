"""Holds a database's thread in the middle of its work."""

from __future__ import annotations

import asyncio
import threading

WITHIN = 30.0
"""Seconds after which a test has failed."""


class Gate:
    """Work or a guard that holds its thread until it is let through, once."""

    def __init__(self) -> None:
        self._reached = threading.Event()
        self._open = threading.Event()

    def __call__(self, _: object) -> None:
        self._reached.set()
        assert self._open.wait(WITHIN)

    async def reached(self) -> None:
        assert await asyncio.to_thread(self._reached.wait, WITHIN)

    def open(self) -> None:
        self._open.set()
