"""Which pages of a database were written, as SQLite says itself in its WAL-index after each commit.

The WAL-index is the file with the ending `-shm` (https://www.sqlite.org/walformat.html#the_wal_index_file_format). It
has a number for the last frame of the WAL that is committed, and for each frame the page that it holds. Reading what is
new takes a few microseconds, so a copy never has to look at pages that nobody has changed.
"""

from __future__ import annotations

import os
import sqlite3
import struct
import weakref
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.store.errors import StoreError
from bot.store.sqlite.reading import beside

_HEADER: Final = struct.Struct("=16xI12x8s8x")
"""The number of the last frame, and the salts, which change when the WAL starts again."""
_HEADERS: Final = 136
"""Bytes before the first page number."""
_BLOCK: Final = 32768
"""Bytes of a block: page numbers in its first half, which in the first block begins with the headers."""
_NUMBER: Final = 4
"""Bytes of a page number."""
_IN_BLOCK: Final = _BLOCK // 2 // _NUMBER
_IN_FIRST: Final = _IN_BLOCK - _HEADERS // _NUMBER


class LostTrackError(StoreError):
    """Pages were changed without being noted: by another program, or by a commit that could not be looked at."""


class OpenFile:
    """A file that stays open for reading until the object is closed or nobody has it any more.

    It may be a file of an open database: SQLite's locks are the process's, and closing any descriptor of such a file
    gives them up (https://www.sqlite.org/howtocorrupt.html, 2.2). So it is closed only after the database is.
    """

    def __init__(self, path: Path) -> None:
        """Raises OSError."""
        self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        self.close = weakref.finalize(self, os.close, self._file)

    def read(self, offset: int, size: int) -> bytes:
        """As many bytes, or less at the end of the file. Raises OSError."""
        return os.pread(self._file, size, offset)


@dataclass(frozen=True, slots=True)
class Run:
    """Pages that follow each other, by the number of the first one, which counts from 1."""

    first: int
    count: int


class Pages:
    """A set of pages. It takes a byte for each page of the database, 1.2 MB for 5 GB."""

    def __init__(self, all_up_to: int = 0) -> None:
        self._marks = bytearray(b"\1") * all_up_to

    def __len__(self) -> int:
        return self._marks.count(1)

    def add(self, run: Run) -> None:
        """Add pages; those that are there stay."""
        end = run.first - 1 + run.count
        if end > len(self._marks):
            self._marks.extend(bytes(end - len(self._marks)))
        self._marks[run.first - 1 : end] = b"\1" * run.count

    def update(self, others: Pages) -> None:
        """Add all of another set."""
        for run in others.runs(longest=len(others._marks)):
            self.add(run)

    def runs(self, longest: int) -> Iterator[Run]:
        """All pages in order, in runs of at most `longest`."""
        start = self._marks.find(1)
        while start >= 0:
            end = self._marks.find(0, start, start + longest)
            end = min(start + longest, len(self._marks)) if end < 0 else end
            yield Run(start + 1, end - start)
            start = self._marks.find(1, end)


class ChangedPages:
    """Notes which pages a connection changes. Everything here runs in the connection's thread."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        """Begin with what is committed from now on. Raises OSError and sqlite3.Error."""
        self._index = OpenFile(beside(path, "-shm"))
        self._version = _data_version(connection)
        self._noted, self._salts = _HEADER.unpack(self._index.read(0, _HEADER.size))
        self._pages = Pages()
        self._lost = False

    def close(self) -> None:
        """Only after the database was closed."""
        self._index.close()

    def note(self) -> None:
        """Note the pages of a commit that was just made. An error must not undo it, so `settle` raises one later."""
        try:
            last, salts = _HEADER.unpack(self._index.read(0, _HEADER.size))
            first = self._noted if salts == self._salts else 0
            for page in self._frames(first, last):
                self._pages.add(Run(page, 1))
        except (OSError, struct.error):
            self._lost = True
        else:
            self._noted, self._salts = last, salts

    def add(self, pages: Pages) -> None:
        """Count pages among those changed since `settle` was called, because its caller could do nothing with them."""
        self._pages.update(pages)

    def settle(self, connection: sqlite3.Connection) -> Pages | None:
        """Move the whole WAL into the database's file, and return the pages changed since it was last done.

        None if somebody reads an earlier state, so that a part of the WAL must stay: try again. Raises LostTrackError,
        and sqlite3.Error.
        """
        (_, frames, moved) = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        if self._lost or _data_version(connection) != self._version:
            raise LostTrackError("another program has changed the database")
        if frames != moved:
            return None
        pages, self._pages = self._pages, Pages()
        return pages

    def _frames(self, first: int, last: int) -> Iterator[int]:
        """The pages of these frames of the WAL, counted from 0, without the last."""
        while first < last:
            block, at = divmod(first - _IN_FIRST, _IN_BLOCK) if first >= _IN_FIRST else (-1, first)
            start = (block + 1) * _BLOCK if block >= 0 else _HEADERS
            count = min(last - first, (_IN_BLOCK if block >= 0 else _IN_FIRST) - at)
            yield from array("I", self._index.read(start + at * _NUMBER, count * _NUMBER))
            first += count


def _data_version(connection: sqlite3.Connection) -> int:
    """It differs once another connection has changed the database (https://www.sqlite.org/pragma.html)."""
    return int(connection.execute("PRAGMA data_version").fetchone()[0])
