"""A bot that takes every database for a large one: `python -m tests.faults.large_file_bot`.

It reads a file beside play only once there is a file called `go` beside it.
"""

from __future__ import annotations

import sqlite3
import sys
import time
from pathlib import Path

from bot import __main__ as the_bot
from bot.store.sqlite import schema, upkeep
from tests.faults import waits

PATIENCE = 60.0


def take_files_for_large() -> None:
    """Patch the size up to which files are small, and have the check beside play wait."""
    vars(schema)["CHECKED_UP_TO"] = 0
    check = vars(upkeep)["check_file"]

    def check_later(connection: sqlite3.Connection, path: Path) -> None:
        until = time.monotonic() + PATIENCE
        while not path.with_name("go").exists() and time.monotonic() < until:
            time.sleep(0.02)
        check(connection, path)

    vars(upkeep)["check_file"] = check_later


if __name__ == "__main__":
    waits.shorten()
    take_files_for_large()
    sys.exit(the_bot.main())
