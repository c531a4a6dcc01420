"""Backups by the running bot: once a day a whole one, and between them what changed since it (`PageCopies`).

They give way: a part of the disk stays free for play. The oldest go for that and for a newer one, before it is begun,
but never the newest one that can be restored. They are also thinned: the last 24 stay, one for each of 7 days, one for
each of 4 weeks. A failure is logged and the next try is an interval later; play continues.

A backup's name has a number, which says in what order they were made. The time behind it is for people: it is wrong
where the machine's clock was. `on-` is followed by the number of the whole backup that a file with changes needs.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import re
import shutil
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from bot.store.errors import NotSaved, StoreError
from bot.store.sqlite.backup import examine, timestamp
from bot.store.sqlite.changed_pages import LostTrackError
from bot.store.sqlite.changes_file import SUFFIX, Header, read_header
from bot.store.sqlite.page_copies import AlteredError, PageCopies
from bot.telemetry import Telemetry

LOOKS_EVERY: Final = 60.0
"""Seconds between two looks at the room on the disk and whether a backup is due. The first look is as long after a
start, which is busy enough."""

HOUR: Final = 3600.0
DAY: Final = 24 * HOUR
GIB: Final = 2**30

DAILY: Final = "daily-"
HOURLY: Final = "hourly-"
BEFORE_PURGE: Final = "purge-"
"""The prefixes of names: whole ones at an interval, changes at an interval, and what is made before something is
purged. No other file in the folder is ever removed."""

LAST_KEPT: Final = 24
DAYS_KEPT: Final = 7
WEEKS_KEPT: Final = 4
BEFORE_PURGE_KEPT: Final = 3
"""How many stay of the last ones made at an interval; of whole ones, the last of them and then the last of a week; and
of those made before purges."""

FREE: Final = 0.1
MOST_FREE: Final = GIB
"""The part of the disk, and the most bytes, that backups leave free."""

MARGIN: Final = 2**20
"""Bytes that a backup may be larger than expected, because the bot writes on."""
UNLIKE: Final = 1.5
"""How many times worse than the last ones the next changes may be packed."""

RELEASED: Final = datetime(2026, 11, 29, tzinfo=UTC)
"""The day of the newest release in CHANGELOG.md; until there is one, a day on which there was this program. A clock
that is before it is wrong."""

FUTURE: Final = 60.0
"""Seconds by which a name may be ahead of the clock before it counts as one of the future."""

_NAME: Final = re.compile(
    rf"({DAILY}|{HOURLY}|{BEFORE_PURGE})([0-9]{{6,}})-([0-9]{{8}}T[0-9]{{6}}Z)(?:\.db|\.on-([0-9]{{6,}})\{SUFFIX})"
)
"""The prefix, the number, the time, and the number of the whole one that it needs, if it isn't one."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Backup:
    """A file that the bot made. `needs` is the number of the whole backup without which it is nothing; 0 for one that
    is whole."""

    number: int
    prefix: str
    file: Path
    needs: int

    @property
    def time(self) -> datetime | None:
        """The time in its name; None if there is no such time."""
        name = _NAME.fullmatch(self.file.name)
        try:
            return None if name is None else datetime.strptime(name[3], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        except ValueError:
            return None

    @property
    def size(self) -> int:
        """Bytes; 0 if the file is gone."""
        try:
            return self.file.stat().st_size
        except OSError:
            return 0


class Backups:
    """The backups of a running bot, in a folder. It is `bot.play.venues.Safeguard`, too."""

    def __init__(self, copies: PageCopies, folder: Path, telemetry: Telemetry, *, most_bytes: float = 0) -> None:
        """`most_bytes` is what they may take together; 0 sets no bound but the disk."""
        self._copies = copies
        self._folder = folder
        self._telemetry = telemetry
        self._most_bytes = most_bytes or math.inf
        self._unsound: set[Path] = set()
        """What was found damaged. It is no reason to give up another one."""
        self._short = False

    async def keep(self, hours: float) -> None:
        """Back up every `hours` until cancelled, counted across restarts, and give way to play; 0 means never."""
        if hours == 0:
            return
        every = hours * HOUR
        await self._clear_first()
        loop = asyncio.get_running_loop()
        next_try = loop.time()
        while True:
            await asyncio.sleep(min(LOOKS_EVERY, every))
            await asyncio.to_thread(self.give_way)
            if loop.time() >= next_try and self.until_due(every) == 0 and await self.back_up() is None:
                next_try = loop.time() + every
            await asyncio.to_thread(self.report)

    async def back_up(self, prefix: str = HOURLY) -> Path | None:
        """Make a backup and remove those that are no longer kept. None if that failed, which is logged and reported."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            async with self._copies.lock:
                new, contents = await self._make(prefix)
            await asyncio.to_thread(self.thin)
        except StoreError as error:
            _log.error("the backup failed: %s", error)
        except OSError as error:
            _log.error("the backup failed: %s", error.strerror or "there is one of this second already")
        except Exception as error:  # noqa: BLE001  whatever it was, play continues and the next interval tries again
            _log.error("the backup failed: %s", type(error).__name__, exc_info=True)
        else:
            _log.info("backed up to %s in %.1f s: %s", new.name, loop.time() - began, contents)
            self._warn_of_the_future()
            return new
        self._telemetry.backup_failed()
        return None

    def until_due(self, every: float, prefixes: Collection[str] = (HOURLY, DAILY)) -> float:
        """Seconds until the next one of these is due; 0 if it is now, or if the clock was set back before the last."""
        made = [each for each in kept(self._folder) if each.prefix in prefixes]
        if not made or (last := made[-1].time) is None:
            return 0.0
        age = (datetime.now(UTC) - last).total_seconds()
        return max(0.0, every - age) if age >= 0 else 0.0

    # ------------------------------------------------------------------------------------ before a purge

    def clock_doubt(self, now: int) -> str:
        """Why a time of day (ms UTC) can't be right; empty if it can."""
        moment = datetime.fromtimestamp(now / 1000, UTC)
        if moment < RELEASED:
            return "before this program was released"
        last = next((time for each in reversed(kept(self._folder)) if (time := each.time) is not None), moment)
        return "before the newest backup" if moment < last - timedelta(seconds=FUTURE) else ""

    async def before_purge(self, since: int) -> bool:
        """Make a backup at once, and return whether there is one that has what nobody has touched for `since` (ms).

        On a full disk a purge must not wait for room that only a purge may make. So where none can be made, a sound one
        that was made since then will do: all that is about to be deleted is in it.
        """
        if await self.back_up(BEFORE_PURGE) is not None:
            return True
        newest = self._newest_sound()
        if newest is None or newest.time is None:
            return False
        age = (datetime.now(UTC) - newest.time).total_seconds() * 1000
        if not 0 <= age < since:
            return False
        try:
            await asyncio.to_thread(examine, newest.file)
        except (StoreError, OSError):
            return False
        _log.info("%s has what is purged, too", newest.file.name)
        return True

    # ------------------------------------------------------------------------------------ making one

    async def _make(self, prefix: str) -> tuple[Path, object]:
        """A new file, and what it contains. Raises StoreError and OSError."""
        await asyncio.to_thread(self._clear)
        daily = [each for each in kept(self._folder) if each.prefix == DAILY]
        sound = [each for each in daily if each.file not in self._unsound]
        if sound[-1:] != daily[-1:] or not daily or (prefix == HOURLY and self.until_due(DAY, (DAILY,)) == 0):
            size = await self._copies.size()
            if await asyncio.to_thread(self.make_room, size + MARGIN):
                new = self._folder / f"{DAILY if prefix == HOURLY else prefix}{self._next()}.db"
                return new, await self._copies.whole(new)
            if not sound:
                raise NotSaved("there is no room for it")
        try:
            return await self._make_changes(prefix, sound[-1])
        except AlteredError as error:
            _log.error("%s", error)
            base = sound[-1]
            self._unsound |= {base.file, *(each.file for each in kept(self._folder) if each.needs == base.number)}
            return await self._make(prefix)

    async def _make_changes(self, prefix: str, base: Backup) -> tuple[Path, object]:
        on_base = [each for each in kept(self._folder) if each.needs == base.number]
        last = await asyncio.to_thread(_last_header, on_base)
        expected = None if last is None else last[0].base_sum
        try:
            size = await self._copies.compare(base.file, expected)
        except LostTrackError:  # another program has written to the database: look at all of it again
            size = await self._copies.compare(base.file, expected)
        packed = 1.0 if last is None else min(1.0, UNLIKE * last[1])
        if not await asyncio.to_thread(self.make_room, round(size * packed) + MARGIN, base):
            raise NotSaved("there is no room for it")
        new = self._folder / f"{prefix}{self._next()}.on-{base.number:06}{SUFFIX}"
        pages = await self._copies.changes(new)
        return new, f"{pages} pages changed since {base.file.name}, {new.stat().st_size} bytes"

    def _next(self) -> str:
        last = max((each.number for each in kept(self._folder)), default=0)
        return f"{last + 1:06}-{timestamp()}"

    async def _clear_first(self) -> None:
        """Remove what a killed process left at once: it may have filled the disk."""
        async with self._copies.lock:
            with contextlib.suppress(OSError):  # the next backup says why
                await asyncio.to_thread(self._clear)

    def _clear(self) -> None:
        """Make the folder, and remove what a killed process left unfinished. Raises OSError."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for prefix in (DAILY, HOURLY, BEFORE_PURGE):
            for rest in self._folder.glob(f"{prefix}*.unfinished"):
                rest.unlink(missing_ok=True)

    # ------------------------------------------------------------------------------------ giving way

    def thin(self) -> None:
        """Remove what is no longer kept. Raises OSError."""
        _remove(_too_many(kept(self._folder)))

    def give_way(self) -> None:
        """Leave room on the disk for play, and log if that takes old backups, or the last one is all that is left."""
        try:
            if self._folder.is_dir() and not self.make_room(0):
                if not self._short:
                    _log.warning("the disk is nearly full, and no backup is left but the newest")
                self._short = True
            else:
                self._short = False
        except OSError as error:
            _log.error("old backups can't be removed: %s", error.strerror)

    def make_room(self, size: int, base: Backup | None = None) -> bool:
        """Remove the oldest until there is room for `size` bytes more. Returns whether there is.

        For a new one nothing is removed if there would be no room in the end. `base` stays in any case, and so does the
        newest sound one. Raises OSError.
        """
        going = self._may_go(base)
        if size and self._room() + sum(each.size for group in going for each in group) < size:
            return False
        gone = 0
        while going and self._room() < size:
            gone += _remove(going.pop(0))
        if gone:
            _log.warning("gave up %d old backups, because the room on the disk is for play first", gone)
        return self._room() >= size

    def _may_go(self, base: Backup | None) -> list[list[Backup]]:
        """What may be removed, the oldest first, each with what needs it."""
        made = kept(self._folder)
        stays = {each.number for each in (base, self._newest_sound()) if each is not None}
        stays |= {each.needs for each in made if each.number in stays}
        groups = [[each, *(other for other in made if other.needs == each.number)] for each in made]
        damaged = [group for group in groups if group[0].file in self._unsound]
        others = [group for group in groups if group not in damaged]
        return [group for group in (*damaged, *others) if group[0].number not in stays]

    def _newest_sound(self) -> Backup | None:
        made = [each for each in kept(self._folder) if each.file not in self._unsound]
        whole = {each.number for each in made if not each.needs}
        return next((each for each in reversed(made) if not each.needs or each.needs in whole), None)

    def _room(self) -> float:
        """Bytes that backups may still take; negative if they must give way. Raises OSError."""
        disk = shutil.disk_usage(self._folder)
        taken = sum(each.size for each in kept(self._folder))
        return min(disk.free - min(FREE * disk.total, MOST_FREE), self._most_bytes - taken)

    # ------------------------------------------------------------------------------------ telling

    def report(self) -> None:
        """Tell the telemetry how old the newest is, what all take, and what is free."""
        newest = self._newest_sound()
        if newest is not None and newest.time is not None:
            self._telemetry.newest_backup(newest.time.timestamp())
        self._telemetry.backups_take(sum(each.size for each in kept(self._folder)))
        with contextlib.suppress(OSError):
            self._telemetry.disk_free(shutil.disk_usage(self._folder).free)

    def _warn_of_the_future(self) -> None:
        """Log that backups have names of the future: the clock was ahead when they were made, or it is behind now."""
        latest = datetime.now(UTC) + timedelta(seconds=FUTURE)
        future = [each for each in kept(self._folder) if (moment := each.time) is not None and moment > latest]
        if future:
            _log.warning("%d backups have names of the future: check this machine's clock", len(future))


class WithoutBackups:
    """`bot.play.venues.Safeguard` where the database has backups of its own, which this program knows nothing about."""

    def clock_doubt(self, now: int) -> str:
        """Why a time of day (ms UTC) can't be right; empty if it can."""
        return "before this program was released" if datetime.fromtimestamp(now / 1000, UTC) < RELEASED else ""

    async def before_purge(self, since: int) -> bool:  # noqa: ARG002  that of the protocol
        """There are backups as good as the operator's."""
        return True


def kept(folder: Path) -> list[Backup]:
    """The backups that the bot has made and not removed, in the order in which they were made."""
    names = ((file, _NAME.fullmatch(file.name)) for file in folder.glob("*-*"))
    found = (Backup(int(name[2]), name[1], file, int(name[4] or 0)) for file, name in names if name is not None)
    return sorted(found, key=lambda each: (each.number, each.file))


def _too_many(made: list[Backup]) -> list[Backup]:
    """Those that aren't kept."""
    at_intervals = [each for each in made if each.prefix in (HOURLY, DAILY)]
    before_purges = [each for each in made if each.prefix == BEFORE_PURGE]
    daily = [each for each in reversed(made) if each.prefix == DAILY]
    stay = {
        each.number
        for each in (
            *at_intervals[-LAST_KEPT:],
            *before_purges[-BEFORE_PURGE_KEPT:],
            *daily[:DAYS_KEPT],
            *_last_of_weeks(daily[DAYS_KEPT:]),
        )
    }
    stay |= {each.needs for each in made if each.number in stay}
    return [each for each in made if each.number not in stay]


def _last_of_weeks(newest_first: Iterable[Backup]) -> list[Backup]:
    last: dict[tuple[int, int], Backup] = {}
    for each in newest_first:
        if (time := each.time) is not None:
            last.setdefault(time.isocalendar()[:2], each)
    return list(last.values())[:WEEKS_KEPT]


def _remove(backups: Iterable[Backup]) -> int:
    """Remove backups, and before each what needs it. Returns how many. Raises OSError."""
    gone = 0
    for each in sorted(backups, key=lambda each: -each.number):
        each.file.unlink(missing_ok=True)
        gone += 1
    return gone


def _last_header(changes: list[Backup]) -> tuple[Header, float] | None:
    """What the newest file with changes says of itself, and the part of its pages' bytes that it takes."""
    for each in reversed(changes):
        with contextlib.suppress(StoreError, OSError):
            header = read_header(each.file)
            return header, each.size / max(1, header.changed * header.page_size)
    return None
