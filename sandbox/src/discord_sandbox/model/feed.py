"""Publishes events to all listeners: the gateway, the page sockets, waiting tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from discord_sandbox.model.state import Message
from discord_sandbox.model.wire import JsonObject


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    `name` and `data` are as in Discord's gateway; `reader` is the one person who may see an
    ephemeral message's event (None: everybody who sees the channel), `message` the message an
    event is about.
    """

    name: str
    data: JsonObject
    server_id: int | None = None
    channel_id: int | None = None
    reader: int | None = None
    message: Message | None = None


_OUTSIDE_CHANGES = 0.02  # seconds between checks for unpublished changes
Listener = Callable[[Event], None]


class Feed:
    """Hands each event to every listener, in order, at once."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []
        self._waiting: set[asyncio.Future[None]] = set()

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with each event from now on. Call the result to stop."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def publish(self, event: Event) -> None:
        """Hand `event` to every listener, and wake the waiters."""
        for listener in tuple(self._listeners):
            listener(event)
        self.wake_waiters()

    def wake_waiters(self) -> None:
        """Make every `wait_until` check its condition again, after a change that is not an event."""
        waiting, self._waiting = self._waiting, set()
        for future in waiting:
            if not future.done():
                future.set_result(None)

    async def wait_until(self, condition: Callable[[], object], seconds: float) -> None:
        """Return once `condition()` is true; it is checked again after every change.

        It is also checked now and then, because it may depend on things outside the sandbox. Raises TimeoutError after
        `seconds` of real time.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while not condition():
            left = end - loop.time()
            if left <= 0:
                raise TimeoutError(f"nothing in {seconds} s made the awaited condition true")
            change: asyncio.Future[None] = loop.create_future()
            self._waiting.add(change)
            await asyncio.wait([change], timeout=min(left, _OUTSIDE_CHANGES))
            self._waiting.discard(change)
