"""Challenges that came to nothing: whoever asks the same person again and again, each time with a mention, is to stop.

Only the last hour counts, and a restart forgets it: it is a matter of peace, not of record.
"""

from __future__ import annotations

from collections import deque

HOUR = 3_600_000
"""Milliseconds."""
_SWEEP = 1024
"""From so many pairs on, those who have been at peace for an hour are forgotten."""


class ChallengeThrottle:
    """When challenges of one person to another came to nothing, server by server."""

    def __init__(self) -> None:
        self._times: dict[tuple[int, int, int], deque[int]] = {}

    def note(self, guild_id: int, host: int, guest: int, now: int) -> None:
        """Note that a challenge came to nothing at `now` (milliseconds)."""
        if len(self._times) > _SWEEP:
            for pair in [pair for pair, times in self._times.items() if now - times[-1] >= HOUR]:
                del self._times[pair]
        self._times.setdefault((guild_id, host, guest), deque()).append(now)

    def count(self, guild_id: int, host: int, guest: int, now: int) -> int:
        """How many came to nothing within the hour before `now`."""
        times = self._times.get((guild_id, host, guest), deque())
        while times and now - times[0] >= HOUR:
            times.popleft()
        if not times:
            self._times.pop((guild_id, host, guest), None)
        return len(times)
