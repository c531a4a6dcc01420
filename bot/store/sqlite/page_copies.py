"""Copies of a database that its bot makes beside play: a whole one, or what changed since a whole one.

Pages are copied from the database's file in slices, with rests between them, while the bot writes on: nothing is
locked, and the WAL is moved into the file as always. What was written meanwhile is noted (`ChangedPages`) and copied
again. At the end a reader keeps the file as it is for the few pages that are left. So a copy is of one moment, and no
write waits for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, Protocol, TypeVar

from bot.private_files import create, sync, unfinished
from bot.store.errors import Busy, StoreError
from bot.store.queries import installation
from bot.store.sqlite.backup import Contents, verify_copy
from bot.store.sqlite.changed_pages import ChangedPages, LostTrackError, OpenFile, Pages, Run
from bot.store.sqlite.changes_file import PIECE, ChangesFile, needs_no_journal
from bot.store.sqlite.database import Database
from bot.store.sqlite.reading import connect_to

SLICE: Final = 256
"""Pages copied at once, a mebibyte."""
REST: Final = 3.0
"""How long a rest after a slice is, as a multiple of the time that the slice took."""
FEW: Final = 500
"""Pages that may be left for the end, when the file is kept as it is."""
ROUNDS: Final = 5
"""How often what was written meanwhile is copied again before that."""
FLUSHED: Final = 16 * 2**20
"""Bytes after which a whole copy is flushed, so that the disk never has much to do at once."""
TRIES: Final = 600
"""How often to look, once a second, whether no other program reads an earlier state."""
GIVES_WAY: Final = 19
"""The niceness of the thread that reads a whole copy to its end."""

T = TypeVar("T")


class AlteredError(StoreError):
    """A whole backup that changes are counted from cannot be read, or is not as it was."""


class Sink(Protocol):
    """A file that pages are written to."""

    def write(self, first: int, content: bytes) -> None:
        """Write pages that follow each other, by the number of the first. Raises OSError."""

    def finish(self, pages: int, reached: installation.Progress) -> None:
        """Complete it, for a database of `pages` pages, and wait until it is on the disk. Raises OSError."""

    def close(self) -> None:
        """Close it, complete or not. Raises OSError."""


class PageCopies:
    """Makes copies of the database of a running bot, one at a time: the caller holds the `lock`."""

    def __init__(self, database: Database, path: Path) -> None:
        self._database = database
        self._path = path
        self.lock = asyncio.Lock()
        self._file: OpenFile | None = None
        self._page_size = 0
        self._tracked: list[ChangedPages] = []
        """The last one counts, unless the track is lost. The others' files are open still, see `OpenFile`."""
        self._lost = True
        self._base: _Base | None = None

    def close(self) -> None:
        """Close the files. Only after the database was closed."""
        for tracked in self._tracked:
            tracked.close()
        if self._file is not None:
            self._file.close()

    async def size(self) -> int:
        """Bytes of the database. Raises StoreError."""
        pages, size = await self._database.read(lambda db: (_page_count(db), _page_size(db)))
        return pages * size

    async def whole(self, to: Path) -> Contents:
        """Copy the whole database, read the copy to its end, and give it its name. Returns its contents.

        Changes are counted from it afterwards. Raises StoreError, also if the copy is damaged, and OSError.
        """
        await self._track()
        copy = unfinished(to)
        try:
            await self._settle()
            everything = Pages(all_up_to=await self._database.read(_page_count))
            await self._copy(everything, _WholeFile(copy, self._page_size))
            contents = await _Examination(copy).done()
            found = await _sum(copy)
            copy.replace(to)
        finally:
            copy.unlink(missing_ok=True)
        self._base = _Base(to, found, Pages())
        await _in_thread(functools.partial(sync, to.parent))  # a busy disk may need seconds
        return contents

    async def compare(self, base: Path, expected: int | None) -> int:
        """Count changes from a whole backup from now on. Returns the bytes of the pages that have changed since.

        Unless changes were counted from it already, both files are read. Raises AlteredError if the backup cannot be
        read or has another sum than the `expected` one, if that is known; StoreError, and OSError.
        """
        await self._track()
        await self._settle()
        if self._base is None or self._base.file != base:
            self._base = None
            self._base = await self._compared(base, expected)
            await self._settle()
        return len(self._base.since) * self._page_size

    async def changes(self, to: Path) -> int:
        """Copy what changed since the backup that `compare` was given. Returns the number of pages.

        Raises StoreError and OSError.
        """
        base = self._base
        if base is None:
            raise LostTrackError("it isn't known what has changed")
        copy = unfinished(to)
        try:
            await self._settle()
            await self._copy(base.since, ChangesFile(copy, base.file.name, base.sum, self._page_size))
            copy.replace(to)
        finally:
            copy.unlink(missing_ok=True)
        await _in_thread(functools.partial(sync, to.parent))  # a busy disk may need seconds
        return len(base.since)

    # ------------------------------------------------------------------------------------ what was changed

    async def _track(self) -> None:
        """Note changes from now on, if that isn't done yet."""
        if self._lost:
            self._base = None
            self._tracked.append(await self._database.read(self._begin_to_track))
            self._lost = False

    def _begin_to_track(self, connection: sqlite3.Connection) -> ChangedPages:
        if self._file is None:
            self._file = OpenFile(self._path)
            self._page_size = _page_size(connection)
        tracked = ChangedPages(connection, self._path)
        self._database.after_commit = tracked.note
        return tracked

    async def _settle(self) -> Pages:
        """Have all that is committed in the database's file. Returns what changed since the last time."""
        pages, _ = await self._settled(_page_count)
        return pages

    async def _settled(self, then: Callable[[sqlite3.Connection], T]) -> tuple[Pages, T]:
        """The same, and what `then` returns, which is called before anything else is written."""
        work = functools.partial(_settle_and, self._tracked[-1], then)
        for _ in range(TRIES):
            try:
                found = await self._database.read(work)
            except LostTrackError:
                self._lost = True
                raise
            if found is not None:
                if self._base is not None:
                    self._base.since.update(found[0])
                return found
            await asyncio.sleep(1.0)
        raise Busy("another program keeps reading an old state of the database")

    async def _compared(self, base: Path, expected: int | None) -> _Base:
        found, size, offset = _Base(base, 0, Pages()), SLICE * self._page_size, 0
        with base.open("rb", buffering=0) as whole:
            while await _rested(functools.partial(self._compare_slice, found, whole, offset, size)):
                offset += size
        if expected not in (None, found.sum):
            raise AlteredError(f"{base.name} is not as it was")
        return found

    def _compare_slice(self, base: _Base, whole: BinaryIO, offset: int, size: int) -> bool:
        """Compare a part of both files; False if there is nothing in either."""
        now = self._read(offset, size)
        try:
            former = whole.read(size)
        except OSError as error:
            raise AlteredError(f"{base.file.name} cannot be read ({error.strerror})") from error
        base.sum = zlib.crc32(former, base.sum)
        if former != now:
            for start in range(0, len(now), self._page_size):
                if now[start : start + self._page_size] != former[start : start + self._page_size]:
                    base.since.add(Run((offset + start) // self._page_size + 1, 1))
        return bool(former or now)

    # ------------------------------------------------------------------------------------ copying

    async def _copy(self, pages: Pages, sink: Sink) -> None:
        """Copy pages, which were settled, and what changes until the end."""
        with closing(sink):
            for _ in range(ROUNDS):
                if len(pages) <= FEW:
                    break
                for runs in _slices(pages):
                    await _rested(functools.partial(self._move, runs, sink))
                pages = await self._settle()
            later, held = await self._settled(self._hold)
            with closing(held.reader):
                pages.update(later)
                await _in_thread(functools.partial(self._move, pages.runs(longest=SLICE), sink))
            await _in_thread(functools.partial(sink.finish, held.pages, held.reached))

    def _hold(self, _: sqlite3.Connection) -> _Held:
        """Keep the file as it is. While somebody reads with nothing in the WAL, nothing is moved into the file
        (https://www.sqlite.org/walformat.html, WAL_READ_LOCK(0))."""
        with contextlib.ExitStack() as until_held:
            reader = until_held.enter_context(closing(connect_to(self._path, "mode=ro", any_thread=True)))
            reader.execute("BEGIN")
            held = _Held(reader, _page_count(reader), installation.find_progress(reader) or self._database.progress)
            until_held.pop_all()
        return held

    def _move(self, runs: Iterable[Run], sink: Sink) -> None:
        for run in runs:
            sink.write(run.first, self._read((run.first - 1) * self._page_size, run.count * self._page_size))

    def _read(self, offset: int, size: int) -> bytes:
        if self._file is None:
            raise LostTrackError("the database's file is not open")
        return self._file.read(offset, size)


@dataclass(slots=True)
class _Base:
    """The whole backup that changes are counted from, its sum, and the pages that have changed since and were
    settled."""

    file: Path
    sum: int
    since: Pages


@dataclass(frozen=True, slots=True)
class _Held:
    """A reader that keeps the database's file as it is, the file's size in pages, and how far it has come."""

    reader: sqlite3.Connection
    pages: int
    reached: installation.Progress


class _WholeFile:
    """A database file that is being written."""

    def __init__(self, path: Path, page_size: int) -> None:
        create(path)
        self._path = path
        self._page_size = page_size
        self._file = path.open("r+b")
        self._unflushed = 0

    def write(self, first: int, content: bytes) -> None:
        self._file.seek((first - 1) * self._page_size)
        self._file.write(content)
        self._unflushed += len(content)
        if self._unflushed >= FLUSHED:
            self._unflushed = 0
            self._file.flush()
            os.fsync(self._file.fileno())

    def finish(self, pages: int, _reached: installation.Progress) -> None:
        self._file.truncate(pages * self._page_size)
        self._file.close()
        needs_no_journal(self._path)
        sync(self._path)

    def close(self) -> None:
        self._file.close()


class _Examination:
    """Reads a whole copy to its end, in a thread that gives way to everything else while SQLite reads.

    Python's own code would be wrong there: such a thread might wait for the processor while all others wait for it. So
    it gives way only once its tables were examined, and nobody waits until it has ended.
    """

    def __init__(self, copy: Path) -> None:
        self._copy = copy
        self._connection: sqlite3.Connection | None = None
        self._stopped = False

    async def done(self) -> Contents:
        """The contents of an intact copy. Raises what `verify_copy` does, and OSError."""
        thread = ThreadPoolExecutor(1)
        try:
            return await _in_thread(lambda: verify_copy(self._copy, self._examined, quick=True), thread, self._stop)
        finally:
            thread.shutdown(wait=False)

    def _examined(self, connection: sqlite3.Connection) -> None:
        _give_way()
        self._connection = connection
        if self._stopped:
            connection.interrupt()

    def _stop(self) -> None:
        self._stopped = True
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):  # it may be closed already
                self._connection.interrupt()


def _give_way() -> None:
    """Lower the priority of this thread, which Linux can do for a single one."""
    with contextlib.suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), GIVES_WAY)


def _settle_and(
    tracked: ChangedPages, then: Callable[[sqlite3.Connection], T], connection: sqlite3.Connection
) -> tuple[Pages, T] | None:
    pages = tracked.settle(connection)
    if pages is None:
        return None
    try:
        return pages, then(connection)
    except BaseException:
        tracked.add(pages)  # nobody else knows of them
        raise


def _page_count(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA page_count").fetchone()[0])


def _page_size(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA page_size").fetchone()[0])


def _slices(pages: Pages) -> Iterator[list[Run]]:
    """All pages, about `SLICE` at a time."""
    runs: list[Run] = []
    count = 0
    for run in pages.runs(longest=SLICE):
        runs.append(run)
        count += run.count
        if count >= SLICE:
            yield runs
            runs, count = [], 0
    yield runs


async def _sum(path: Path) -> int:
    """The sum of a file, as `file_sum` has it. Raises OSError."""
    found = 0
    with path.open("rb", buffering=0) as file:
        while piece := await _rested(functools.partial(file.read, PIECE)):
            found = await _in_thread(functools.partial(zlib.crc32, piece, found))
        if hasattr(os, "posix_fadvise"):  # nobody reads it soon, and what play reads should stay in memory
            await _in_thread(functools.partial(os.posix_fadvise, file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED))
    return found


async def _rested(work: Callable[[], T]) -> T:
    """Do a piece of work in a thread, and then rest."""
    began = time.monotonic()
    result = await _in_thread(work)
    await asyncio.sleep(REST * (time.monotonic() - began))
    return result


async def _in_thread(
    work: Callable[[], T], executor: Executor | None = None, stop: Callable[[], None] = lambda: None
) -> T:
    """Do something in a thread. If the task is cancelled, call `stop` until it has ended, and only then go on: its
    files are closed next."""
    running = asyncio.get_running_loop().run_in_executor(executor, work)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        while not running.done():
            stop()
            await asyncio.wait({running}, timeout=0.05)
        running.exception()  # nobody waits for it any more
        raise
