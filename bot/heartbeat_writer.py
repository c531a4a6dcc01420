"""The writing side of the heartbeat: the event loop renews a file that `bot.heartbeat` looks at.

A blocked loop, a dead process or a disk that refuses writes stops the heartbeat.
"""

from __future__ import annotations

import asyncio
import logging
import time
from pathlib import Path
from typing import Final

from bot.private_files import unfinished

EVERY: Final = 10.0
"""Seconds between two beats."""

log = logging.getLogger(__name__)


async def beat(file: Path, *, every: float = EVERY) -> None:
    """Renew `file` every `every` seconds until cancelled. If the disk refuses, that is logged and the file grows
    old."""
    while True:
        try:
            touch(file)
        except OSError as error:
            log.warning("the heartbeat could not be written: %s", error.strerror)
        await asyncio.sleep(every)


def touch(file: Path) -> None:
    """Replace the file with a new one. Raises OSError; the old file then keeps its age."""
    file.parent.mkdir(parents=True, exist_ok=True)
    # A new file each time, because on a full disk an old file can still be touched and even overwritten.
    fresh = unfinished(file)
    try:
        fresh.write_text(f"{time.time():.0f}\n", encoding="ascii")
        fresh.replace(file)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise
