"""Measures how late the event loop runs. While it is blocked nobody gets an answer, so that is logged.

The cause is an error in the program or a machine that is too busy. A press that waited longer than three seconds is
dropped (`cogs.interactions.arrivals`), because Discord told its sender that it failed. It may be handled before the
standstill is measured, so `LoopLag.stood_still` also looks at when the next measurement was due.
"""

from __future__ import annotations

import asyncio
import logging
import math
from typing import Final

from bot.telemetry import Telemetry

EVERY: Final = 0.5
"""Seconds between two measurements."""

STANDSTILL: Final = 1.0
"""A lag of this many seconds or more is logged."""

HELD_UP: Final = 2.5
"""A standstill of this many seconds, or more, may have made a press too old to answer."""

DRAINED_AFTER: Final = 1.0
"""Seconds until everything that arrived during a standstill is surely read."""

_log = logging.getLogger(__name__)


class LoopLag:
    """Measures the lag of the running loop."""

    def __init__(self, telemetry: Telemetry) -> None:
        self._telemetry = telemetry
        self._due: float | None = None
        self._drained_at = -math.inf

    async def watch(self) -> None:
        """Measure until cancelled, and report every lag."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                self._due = loop.time() + EVERY
                await asyncio.sleep(EVERY)
                lag = max(0.0, loop.time() - self._due)
                self._telemetry.loop_lag(lag)
                if lag >= STANDSTILL:
                    _log.warning("the event loop stood still for %.1f s", lag)
                if lag >= HELD_UP:
                    self._drained_at = loop.time() + DRAINED_AFTER
        finally:
            self._due = None

    def stood_still(self) -> bool:
        """Whether what is handled now may have waited during a standstill of `HELD_UP` seconds."""
        now = asyncio.get_running_loop().time()
        return now < self._drained_at or (self._due is not None and now - self._due >= HELD_UP)
