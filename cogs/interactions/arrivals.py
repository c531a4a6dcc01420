"""Measures how old an interaction is when it arrives.

Discord's snowflakes carry their own time (milliseconds since 2015). The host's clock may be off by any amount, so age
is measured against the smallest difference seen lately: that of an interaction that came without delay. It is measured
on the monotonic clock: the time of day may jump, and then every press would look late. After a RESUME the gateway
replays interactions whose tokens have expired; those older than three seconds must not be applied. It may also deliver
one twice. The second must not be answered, because Discord accepts one first response.
"""

from __future__ import annotations

import asyncio
from collections import deque

_WINDOW = 600.0
_REMEMBERED = 4096
"""How many interactions to remember: more than can be in flight, or arrive within `time_limits.MAX_AGE` seconds."""
_EPOCH = 1_420_070_400.0


class InteractionAge:
    """The offset between the host's monotonic clock and Discord's, learned from the interactions that arrive."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, float]] = deque()
        self._received: dict[int, None] = {}

    def is_duplicate(self, interaction_id: int) -> bool:
        """Whether this interaction has already arrived, as far back as it could still be answered."""
        if interaction_id in self._received:
            return True
        self._received[interaction_id] = None
        if len(self._received) > _REMEMBERED:
            del self._received[next(iter(self._received))]
        return False

    def age(self, interaction_id: int, now: float | None = None) -> float:
        """Seconds since Discord made this interaction, never negative. `now` is in seconds since any fixed moment."""
        moment = asyncio.get_running_loop().time() if now is None else now
        difference = moment - ((interaction_id >> 22) / 1000 + _EPOCH)
        self._learn(moment, difference)
        return difference - self._seen[0][1]

    def _learn(self, moment: float, difference: float) -> None:
        """Keep the window's smallest difference at the left (a monotonic queue)."""
        while self._seen and self._seen[-1][1] >= difference:
            self._seen.pop()
        self._seen.append((moment, difference))
        while moment - self._seen[0][0] > _WINDOW:
            self._seen.popleft()
