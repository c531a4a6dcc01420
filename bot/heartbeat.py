"""The check of the heartbeat, a file that the bot renews (`bot.heartbeat_writer`).

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

FRESH: Final = 60.0
"""From this age in seconds the bot counts as dead."""


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
    if not folder or Path(".env").exists():  # the .env file may say that it is elsewhere
        return None
    return Path(folder, "heartbeat")


if __name__ == "__main__":
    sys.exit(main())
