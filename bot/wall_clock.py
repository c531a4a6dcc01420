"""The time of day that the bot goes by."""

from __future__ import annotations

import time


class WallClock:
    """The time of day in milliseconds UTC, read once and carried on by the monotonic clock.

    So a jump of the machine's clock neither ends matches nor gives anybody an hour.
    """

    def __init__(self) -> None:
        self._start = time.time_ns() // 1_000_000 - time.monotonic_ns() // 1_000_000

    def __call__(self) -> int:
        return self._start + time.monotonic_ns() // 1_000_000
