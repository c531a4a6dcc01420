"""How often a process that ended by itself is started again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

MOST: Final = 5
WINDOW: Final = 60.0
"""At most `MOST` restarts within `WINDOW` seconds. Otherwise a bot that fails at each start would fill the terminal."""


class RestartLimit:
    """The times of the latest restarts, by a clock that only goes forward (seconds)."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._restarts: list[float] = []

    def delay(self) -> float:
        """Seconds until the next restart is allowed; 0 for now."""
        if len(self._restarts) < MOST:
            return 0.0
        return max(0.0, self._restarts[-MOST] + WINDOW - self._now())

    def note(self) -> None:
        """A restart happens now."""
        self._restarts = [*self._restarts[1 - MOST :], self._now()]
