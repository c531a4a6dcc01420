"""Measures how late the event loop runs. While it is blocked nobody gets an answer, so that is logged.

The cause is an error in the program or a machine that is too busy. A press that waited longer than three seconds is
dropped (`cogs.interactions.arrivals`), because Discord told its sender that it failed.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from bot.telemetry import Telemetry

EVERY: Final = 0.5
"""Seconds between two measurements."""

STANDSTILL: Final = 1.0
"""A lag of this many seconds or more is logged."""

_log = logging.getLogger(__name__)


async def watch(telemetry: Telemetry) -> None:
    """Measure until cancelled, and report every lag."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + EVERY
        await asyncio.sleep(EVERY)
        lag = max(0.0, loop.time() - due)
        telemetry.loop_lag(lag)
        if lag >= STANDSTILL:
            _log.warning("the event loop stood still for %.1f s", lag)
