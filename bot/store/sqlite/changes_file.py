"""The format of a backup that has only what changed since a whole one: the pages of the database that differ.

The file begins with a line of JSON, filled up to `HEADER` bytes: the name of the whole backup that it needs and that
one's sum, the size of a page and of the database in pages, how many pages follow, how far the database had come, and a
sum of all of it. Then come runs of pages: the first one's number, how many there are, the number of bytes, and
the pages packed by zlib (RFC 1950). A page may come twice; the later one counts.

A file is written under another name and gets its own when it is complete. So what has the name can be read to its end,
or was damaged later, and then its sum is wrong.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import BinaryIO, Final

from bot.private_files import create, sync
from bot.store.errors import Damaged, NotSaved
from bot.store.queries.installation import Progress

SUFFIX: Final = ".pages"
HEADER: Final = 1024
PIECE: Final = 2**20
"""Bytes of a file that are read at once."""
FORMAT: Final = 1
_RUN: Final = struct.Struct(">III")
_LEVEL: Final = 1
"""Of zlib: the fastest. Logs in JSON become a fifth by it; the best one gains little more."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a file says of itself; `base` is a name in the same folder, `pages` the database's size in pages,
    and `changed` the number of pages in the file."""

    base: str
    base_sum: int
    page_size: int
    pages: int
    changed: int
    database_id: str
    commits: int
    sum: str
    format: int


class ChangesFile:
    """A file that is being written."""

    def __init__(self, path: Path, base: str, base_sum: int, page_size: int) -> None:
        """Raises OSError."""
        create(path)
        self._path = path
        self._base, self._base_sum, self._page_size = base, base_sum, page_size
        self._file = path.open("r+b")
        self._file.seek(HEADER)
        self._sum = hashlib.sha256()
        self._changed = 0

    def write(self, first: int, content: bytes) -> None:
        """Add a run of pages. Raises OSError."""
        packed = zlib.compress(content, _LEVEL)
        count = len(content) // self._page_size
        head = _RUN.pack(first, count, len(packed))
        self._changed += count
        self._sum.update(head)
        self._sum.update(packed)
        self._file.write(head)
        self._file.write(packed)

    def finish(self, pages: int, reached: Progress) -> None:
        """Complete it, and wait until it is on the disk. Raises OSError."""
        header = Header(
            self._base,
            self._base_sum,
            self._page_size,
            pages,
            self._changed,
            reached.database_id,
            reached.commits,
            "",
            FORMAT,
        )
        header = replace(header, sum=_whole_sum(header, self._sum))
        self._file.seek(0)
        self._file.write(f"{json.dumps(asdict(header)):{HEADER - 1}}\n".encode("ascii"))
        self.close()
        sync(self._path)

    def close(self) -> None:
        """Raises OSError."""
        self._file.close()


def read_header(path: Path) -> Header:
    """What a file says of itself. Raises Damaged and OSError."""
    with path.open("rb") as file:
        return _header(file, path)


def examine(path: Path) -> Header:
    """Read a file, and the one that it needs, to their ends. Raises Damaged, NotSaved and OSError."""
    header = read_header(path)
    for _ in _runs(path, header):
        pass
    base = _base(path, header)
    if file_sum(base) != header.base_sum:
        raise _altered_base(path, base)
    return header


def assemble(path: Path, to: Path) -> None:
    """Make the whole database in a new file, and wait until it is on the disk.

    Raises Damaged, NotSaved if the file that it needs is missing, and OSError.
    """
    header = read_header(path)
    base = _base(path, header)
    create(to)
    with to.open("r+b") as file:
        if _copy(base, file.write) != header.base_sum:
            raise _altered_base(path, base)
        for first, content in _runs(path, header):
            file.seek((first - 1) * header.page_size)
            file.write(content)
        file.truncate(header.pages * header.page_size)
    needs_no_journal(to)
    sync(to)


def needs_no_journal(path: Path) -> None:
    """Mark a database file as one without a WAL, so that no program makes one beside it.

    (https://www.sqlite.org/fileformat.html#file_format_version_numbers)
    """
    file = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.pwrite(file, b"\1\1", 18)
    finally:
        os.close(file)


def file_sum(path: Path) -> int:
    """The sum of a file, its CRC-32. Raises OSError."""
    return _copy(path, lambda _: None)


def _copy(path: Path, write: Callable[[bytes], object]) -> int:
    found = 0
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            found = zlib.crc32(piece, found)
            write(piece)
    return found


def _base(path: Path, header: Header) -> Path:
    base = path.with_name(header.base)
    if not base.is_file():
        raise NotSaved(f"{path} needs {base.name} beside it, which is missing")
    return base


def _header(file: BinaryIO, path: Path) -> Header:
    try:
        said = json.loads(file.read(HEADER))
        header = Header(**said)
    except (ValueError, TypeError):
        raise _altered(path) from None
    right = all(isinstance(said[each.name], str if each.type == "str" else int) for each in fields(Header))
    if not right or header.format != FORMAT or Path(header.base).name != header.base:
        raise _altered(path)
    return header


def _runs(path: Path, header: Header) -> Iterator[tuple[int, bytes]]:
    """The runs in their order: the first page's number, and the pages. Raises Damaged, at the latest at the end."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        file.seek(HEADER)
        while head := file.read(_RUN.size):
            try:
                first, count, size = _RUN.unpack(head)
                packed = file.read(size)
                content = zlib.decompress(packed)
            except (struct.error, zlib.error):
                raise _altered(path) from None
            if first < 1 or len(content) != count * header.page_size:
                raise _altered(path)
            found.update(head)
            found.update(packed)
            yield first, content
    if _whole_sum(header, found) != header.sum:
        raise _altered(path)


def _whole_sum(header: Header, runs: hashlib._Hash) -> str:
    """The sum of a file: of its runs, and then of its header without the sum."""
    whole = runs.copy()
    whole.update(json.dumps(asdict(replace(header, sum=""))).encode("ascii"))
    return whole.hexdigest()


def _altered(path: Path) -> Damaged:
    return Damaged(f"{path} is not an intact backup")


def _altered_base(path: Path, base: Path) -> Damaged:
    return Damaged(f"{path} needs {base.name}, which is not as it was")
