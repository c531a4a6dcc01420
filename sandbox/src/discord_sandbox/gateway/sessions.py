"""Gateway sessions: what a client subscribed to, what it received, what it missed while disconnected."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from typing import Protocol

from discord_sandbox.model import wire
from discord_sandbox.model.state import Intent
from discord_sandbox.model.wire import JsonObject


class Outlet(Protocol):
    """Where a session's payloads go while its client is connected."""

    def push(self, payload: bytes) -> None: ...


class Session:
    """One identified client of one shard; it outlives the socket until it is resumed or dropped."""

    def __init__(self, intents: int, shard: int, shards: int, most_events: int) -> None:
        self.id = secrets.token_hex(16)
        self.intents = intents
        self.shard = shard
        self.shards = shards
        self.presence: JsonObject | None = None
        self.outlet: Outlet | None = None
        self.cut_at: float | None = None
        self.sequence = 0
        self._sent: deque[tuple[int, bytes]] = deque(maxlen=most_events)

    def wants(self, intent: int) -> bool:
        """Whether the client subscribed to `intent`."""
        return bool(self.intents & intent)

    @property
    def reads_content(self) -> bool:
        """Whether the client may read what other people write."""
        return self.wants(Intent.MESSAGE_CONTENT)

    def dispatch(self, name: str, data: object) -> None:
        """Number the event, keep it for a resumption, and send it if the client is connected."""
        self.sequence += 1
        payload = wire.write({"op": 0, "t": name, "s": self.sequence, "d": data})
        self._sent.append((self.sequence, payload))
        if self.outlet is not None:
            self.outlet.push(payload)

    def missed_since(self, sequence: int) -> list[bytes] | None:
        """The payloads after `sequence`, in order; None if some of them are no longer kept.

        Raises ValueError for a sequence that was never reached.
        """
        if not 0 <= sequence <= self.sequence:
            raise ValueError("this sequence has not been reached")
        missed = [payload for number, payload in self._sent if number > sequence]
        return missed if len(missed) == self.sequence - sequence else None


class Outbox:
    """Payloads on their way into one socket, in order."""

    def __init__(self) -> None:
        self._waiting: deque[bytes] = deque()
        self._ready = asyncio.Event()

    def push(self, payload: bytes) -> None:
        """Queue `payload` after the earlier ones."""
        self._waiting.append(payload)
        self._ready.set()

    async def take(self) -> bytes:
        """The next payload, when there is one."""
        while not self._waiting:
            self._ready.clear()
            await self._ready.wait()
        return self._waiting.popleft()
