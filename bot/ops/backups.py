"""Backups by the running bot: at a fixed interval, each opened and read to the end. The oldest are removed.

They run in their own thread with their own connection, so neither the event loop nor the store waits. A failure is
logged and retried at the next interval; play continues.

A backup's name has a number, which says in what order they were made. The time behind it is for people: it is wrong
where the machine's clock was.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from bot.store.errors import StoreError
from bot.store.sqlite.backup import back_up, timestamp
from bot.telemetry import Telemetry

FIRST_AFTER: Final = 60.0
"""Seconds between a start and the first backup, because a start is busy enough."""

HOUR: Final = 3600.0
PREFIX: Final = "hourly-"
BEFORE_PURGE: Final = "purge-"
"""The prefixes of these backups' names: those of every few hours, and those made before something is purged. No other
file in the folder is ever removed."""

BEFORE_PURGE_KEPT: Final = 3
"""How many backups made before purges are kept."""

RELEASED: Final = datetime(2026, 11, 22, tzinfo=UTC)
"""The day of the newest release in CHANGELOG.md; until there is one, a day on which there was this program. A clock
that is before it is wrong."""

FUTURE: Final = 60.0
"""Seconds by which a name may be ahead of the clock before it counts as one of the future."""

_NAME = re.compile(rf"({PREFIX}|{BEFORE_PURGE})([0-9]{{6,}})-([0-9]{{8}}T[0-9]{{6}}Z)\.db")
"""The prefix, the number and the time."""

_log = logging.getLogger(__name__)


async def keep(
    database: Path,
    folder: Path,
    hours: float,
    kept: int,
    telemetry: Telemetry,
    *,
    checkpoint: Callable[[], Awaitable[None]],
) -> None:
    """Back up every `hours` until cancelled, counted across restarts; 0 means never.

    `checkpoint` is the store's: it is called before each backup.
    """
    if hours == 0:
        return
    every = hours * HOUR
    due_in = min(FIRST_AFTER, every)
    while True:
        await asyncio.sleep(due_in)
        with contextlib.suppress(StoreError):  # it is logged, and the backup reads the WAL too
            await checkpoint()
        await asyncio.to_thread(back_up_once, database, folder, kept, telemetry, every)
        due_in = max(until_due(folder, every), min(FIRST_AFTER, every))


class PurgeSafeguard:
    """`bot.play.places.Safeguard`, with the backups of a folder."""

    def __init__(self, database: Path, folder: Path, telemetry: Telemetry) -> None:
        self._database = database
        self._folder = folder
        self._telemetry = telemetry

    def clock_doubt(self, now: int) -> str:
        """Why a time of day (ms UTC) can't be right; empty if it can."""
        moment = datetime.fromtimestamp(now / 1000, UTC)
        if moment < RELEASED:
            return "before this program was released"
        last = next((time for file in reversed(_all_made(self._folder)) if (time := _time(file)) is not None), moment)
        return "before the newest backup" if moment < last - timedelta(seconds=FUTURE) else ""

    async def back_up(self) -> bool:
        """Make a backup at once, and return whether there is one. A failure is logged."""
        new = await asyncio.to_thread(
            back_up_once, self._database, self._folder, BEFORE_PURGE_KEPT, self._telemetry, prefix=BEFORE_PURGE
        )
        return new is not None


class WithoutBackups:
    """`bot.play.places.Safeguard` where the database has backups of its own, which this program knows nothing about."""

    def clock_doubt(self, now: int) -> str:
        """Why a time of day (ms UTC) can't be right; empty if it can."""
        return "before this program was released" if datetime.fromtimestamp(now / 1000, UTC) < RELEASED else ""

    async def back_up(self) -> bool:
        """There are backups as good as the operator's."""
        return True


def back_up_once(
    database: Path, folder: Path, kept: int, telemetry: Telemetry, every: float = 0, *, prefix: str = PREFIX
) -> Path | None:
    """Make a backup and remove those beyond `kept`, unless the last is younger than `every` seconds.

    Returns the new one, or None if none was due or it failed, which is logged and reported. Blocks.
    """
    if until_due(folder, every) > 0:
        return None
    to = _next_name(folder, prefix)
    started = time.monotonic()
    try:
        contents = back_up(database, to)
        retain(folder, kept, to, prefix)
    except StoreError as error:
        _log.error("the backup failed: %s", error)
    except OSError as error:
        _log.error("the backup failed: %s", error.strerror or "there is one of this second already")
    except Exception as error:  # noqa: BLE001  whatever it was, play continues and the next interval tries again
        _log.error("the backup failed: %s", type(error).__name__, exc_info=True)
    else:
        _log.info("backed up to %s in %.1f s: %s", to.name, time.monotonic() - started, contents)
        _warn_of_the_future(folder)
        return to
    telemetry.backup_failed()
    return None


def until_due(folder: Path, every: float) -> float:
    """Seconds until the next backup is due; 0 if it is due now, or if the clock was set back before the last one."""
    files = made(folder)
    if not files or (last := _time(files[-1])) is None:
        return 0.0
    age = (datetime.now(UTC) - last).total_seconds()
    return max(0.0, every - age) if age >= 0 else 0.0


def retain(folder: Path, kept: int, new: Path, prefix: str = PREFIX) -> None:
    """Remove the oldest backups beyond `kept`, and what a killed process left unfinished. `new` stays in any case.

    Raises OSError.
    """
    for old in made(folder, prefix)[:-kept]:
        if old != new:
            old.unlink(missing_ok=True)
    for rest in folder.glob(f"{prefix}*.unfinished"):
        rest.unlink(missing_ok=True)


def made(folder: Path, prefix: str = PREFIX) -> list[Path]:
    """These backups in the order in which they were made."""
    return [file for file in _all_made(folder) if file.name.startswith(prefix)]


def _all_made(folder: Path) -> list[Path]:
    return [file for _, file in sorted((int(name[2]), file) for file, name in _named(folder))]


def _next_name(folder: Path, prefix: str) -> Path:
    last = max((int(name[2]) for _, name in _named(folder)), default=0)
    return folder / f"{prefix}{last + 1:06}-{timestamp()}.db"


def _named(folder: Path) -> list[tuple[Path, re.Match[str]]]:
    return [(file, name) for file in folder.glob("*.db") if (name := _NAME.fullmatch(file.name))]


def _time(file: Path) -> datetime | None:
    """The time in a backup's name; None if there is no such time."""
    name = _NAME.fullmatch(file.name)
    try:
        return None if name is None else datetime.strptime(name[3], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    except ValueError:
        return None


def _warn_of_the_future(folder: Path) -> None:
    """Log that backups have names of the future: the clock was ahead when they were made, or it is behind now."""
    latest = datetime.now(UTC) + timedelta(seconds=FUTURE)
    future = [file for file in made(folder) if (moment := _time(file)) is not None and moment > latest]
    if future:
        _log.warning("%d backups have names of the future: check this machine's clock", len(future))
