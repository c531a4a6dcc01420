"""discord.py's heartbeats as a task, and not a thread: a thread waits in real time, and a virtual minute may take a
second. The sandbox would end the session, because it heard no heartbeat for so long."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import Any

import discord.gateway
from discord.gateway import KeepAliveHandler


class KeepAlive(KeepAliveHandler):
    """Sends heartbeats and ends a silent connection, as the thread does. The thread itself is never started."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._ended = asyncio.Event()
        self._beating: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to send heartbeats."""
        self._beating = asyncio.get_running_loop().create_task(self._beat_on())

    def stop(self) -> None:
        """Send no more."""
        super().stop()
        self._ended.set()

    async def _beat_on(self) -> None:
        while not await self._ended_within(self.interval):
            if self._last_recv + self.heartbeat_timeout < time.perf_counter():
                with contextlib.suppress(Exception):  # the library logs it and continues
                    await self.ws.close(4000)
                return
            try:
                await self.ws.send_heartbeat(self.get_payload())
            except Exception:  # noqa: BLE001  the library's thread ends as well, whatever it was
                return
            self._last_send = time.perf_counter()

    async def _ended_within(self, seconds: float | None) -> bool:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._ended.wait()
        return self._ended.is_set()


def install(is_virtual: Callable[[], bool]) -> None:
    """Let each connection's heartbeats be a task if time is virtual when they begin, and a thread otherwise."""

    class Either(KeepAlive):
        """The library's heartbeats of one connection, by the time that the connection goes by."""

        def start(self) -> None:
            """Begin to send heartbeats."""
            if is_virtual():
                super().start()
            else:
                KeepAliveHandler.start(self)

    discord.gateway.KeepAliveHandler = Either  # type: ignore[misc]  # a class takes a class's place
