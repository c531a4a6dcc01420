"""Backups by the running bot: at a fixed interval, each opened and read to the end. The oldest are removed.

They run in their own thread with their own connection, so neither the event loop nor the store waits. A failure is
logged and retried at the next interval; play continues.
"""

from __future__ import annotations

import asyncio
import logging
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bot.store.errors import StoreError
from bot.store.sqlite.backup import back_up, timestamp
from bot.telemetry import Telemetry

FIRST_AFTER: Final = 60.0
"""Seconds between a start and the first backup, because a start is busy enough."""

HOUR: Final = 3600.0
PREFIX: Final = "hourly-"
"""The prefix of these backups' names. No other file in the folder is ever removed."""

_log = logging.getLogger(__name__)


async def keep(database: Path, folder: Path, hours: float, kept: int, telemetry: Telemetry) -> None:
    """Back up every `hours` until cancelled, counted across restarts; 0 means never."""
    if hours == 0:
        return
    every = hours * HOUR
    due_in = min(FIRST_AFTER, every)
    while True:
        await asyncio.sleep(due_in)
        await asyncio.to_thread(back_up_once, database, folder, kept, telemetry, every)
        due_in = max(until_due(folder, every), min(FIRST_AFTER, every))


def back_up_once(database: Path, folder: Path, kept: int, telemetry: Telemetry, every: float = 0) -> Path | None:
    """Make a backup and remove those beyond `kept`, unless the last is younger than `every` seconds.

    Returns the new one, or None if none was due or it failed, which is logged and reported. Blocks.
    """
    if until_due(folder, every) > 0:
        return None
    to = folder / f"{PREFIX}{timestamp()}.db"
    started = time.monotonic()
    try:
        contents = back_up(database, to)
        retain(folder, kept)
    except StoreError as error:
        _log.error("the backup failed: %s", error)
    except OSError as error:
        _log.error("the backup failed: %s", error.strerror or "there is one of this second already")
    except Exception as error:  # noqa: BLE001  whatever it was, play continues and the next interval tries again
        _log.error("the backup failed: %s", type(error).__name__, exc_info=True)
    else:
        _log.info("backed up to %s in %.1f s: %s", to.name, time.monotonic() - started, contents)
        return to
    telemetry.backup_failed()
    return None


def until_due(folder: Path, every: float) -> float:
    """Seconds until the next backup is due; 0 if it is due now, or if the clock was set back before the last one."""
    names = made(folder)
    if not names:
        return 0.0
    try:
        last = datetime.strptime(names[-1].stem.removeprefix(PREFIX), "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    except ValueError:  # not one of these backups
        return 0.0
    age = (datetime.now(UTC) - last).total_seconds()
    return max(0.0, every - age) if age >= 0 else 0.0


def retain(folder: Path, kept: int) -> None:
    """Remove the oldest backups beyond `kept`, and what a killed process left unfinished. Raises OSError."""
    for old in made(folder)[:-kept]:
        old.unlink(missing_ok=True)
    for rest in folder.glob(f"{PREFIX}*.unfinished"):
        rest.unlink(missing_ok=True)


def made(folder: Path) -> list[Path]:
    """These backups, the oldest first."""
    digits = "[0-9]"
    return sorted(folder.glob(f"{PREFIX}{digits * 8}T{digits * 6}Z.db"))
