"""The heartbeat, a file that the bot's event loop renews, and the check of it.

A blocked loop, a dead process or a disk that refuses writes stops the heartbeat.

`python -m bot.heartbeat` is for a container's HEALTHCHECK or a service manager: exit 0 if the file is fresh, 1
otherwise. It runs twice a minute, so it imports little. It loads the settings, which takes ten times the CPU time, only
if the environment does not say where the file is, or to find out what is wrong.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Final

from bot.private_files import unfinished

EVERY: Final = 10.0
"""Seconds between two beats."""
FRESH: Final = 60.0
"""From this age in seconds the bot counts as dead."""


async def beat(file: Path, *, every: float = EVERY) -> None:
    """Renew `file` every `every` seconds until cancelled. If the disk refuses, that is logged and the file grows
    old."""
    import asyncio  # noqa: PLC0415  the check needs neither
    import logging  # noqa: PLC0415

    while True:
        try:
            await asyncio.to_thread(touch, file)  # a busy disk may keep it waiting, and nobody else
        except OSError as error:
            logging.getLogger(__name__).warning("the heartbeat could not be written: %s", error.strerror)
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


def age(file: Path) -> float | None:
    """Seconds since the last beat, never negative; None if there was none."""
    try:
        return max(0.0, time.time() - file.stat().st_mtime)
    except OSError:
        return None


def main() -> int:
    """Check the bot that has this process's settings: 0 if its heartbeat is fresh, otherwise 1."""
    file = _from_environment()
    seconds = None if file is None else age(file)
    if seconds is None or seconds >= FRESH:
        from bot.settings import ConfigurationError, load_settings  # noqa: PLC0415  a healthy bot's check needs neither

        try:
            seconds = age(load_settings().heartbeat_file)
        except ConfigurationError as error:
            print(f"unhealthy: {error}")
            return 1
    if seconds is None:
        print("unhealthy: there is no heartbeat")
        return 1
    print(f"{'healthy' if seconds < FRESH else 'unhealthy'}: last heartbeat {seconds:.0f} s ago")
    return 0 if seconds < FRESH else 1


def _from_environment() -> Path | None:
    """The heartbeat's file if the environment says where it is, as `bot.settings` reads it."""
    if named := os.environ.get("CARDROOM_HEARTBEAT_FILE"):
        return Path(named)
    folder = os.environ.get("CARDROOM_DATA_DIR")
    # The .env file may say that it is elsewhere. In a closed folder a Path's own test of it raises until Python 3.14.
    if not folder or os.path.exists(".env"):  # noqa: PTH110  as said above
        return None
    return Path(folder, "heartbeat")


if __name__ == "__main__":
    sys.exit(main())
