"""Snowflakes, Discord's 64-bit ids, and the times written in them.

Source: Discord's API reference, "Snowflakes" and "Sharding".
"""

from __future__ import annotations

from datetime import UTC, datetime

from discord_sandbox.model.clock import Clock

MOST_DIGITS = 20
"""How long a snowflake can be as text: it has 64 bits."""
EPOCH_MS = 1_420_070_400_000  # the first second of 2015, where Discord begins to count


class Snowflakes:
    """Makes strictly increasing ids, each with the millisecond when it was made."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = 0

    def next(self) -> int:
        """Return an id greater than every one before."""
        fresh = (int(self._clock.now() * 1000) - EPOCH_MS) << 22
        self._last = max(fresh, self._last + 1)
        return self._last


def parsed(text: str) -> int | None:
    """The number that `text` writes in at most 20 ASCII digits, otherwise None."""
    if len(text) <= MOST_DIGITS and text.isascii() and text.isdecimal():
        return int(text)
    return None


def made_at(snowflake: int) -> float:
    """Seconds since 1970 at which `snowflake` was made."""
    return ((snowflake >> 22) + EPOCH_MS) / 1000


def shard_of(server_id: int, shards: int) -> int:
    """The shard whose gateway connection gets this server's events."""
    return (server_id >> 22) % shards


def timestamp(seconds: float) -> str:
    """Seconds since 1970 as Discord writes a moment: ISO 8601 with microseconds and offset."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")
