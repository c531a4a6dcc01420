"""A disk that fails, lies and loses power, under the real SQLite.

SQLite reaches its files through a table of functions, a VFS (https://sqlite.org/vfs.html). This puts a copy of the
usual one in its place, in which the functions of databases and their write-ahead logs first ask a `Disk`. So a test
decides what fails at which call, and gets the files that a kill or a power cut would leave behind at any of them.
Python's own `sqlite3` goes through it: nothing above needs to know.

The table is changed in memory by `ctypes`, so SQLite's functions must be reachable from outside; see `unavailable`.
"""

from __future__ import annotations

import _sqlite3
import atexit
import contextlib
import ctypes
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from ctypes import CFUNCTYPE, Structure, byref, c_char_p, c_int, c_int64, c_void_p
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.simulation.volatile_file import DELETION, Change, VolatileFile

# https://sqlite.org/rescode.html
OK: Final = 0
IOERR: Final = 10
FULL: Final = 13
IOERR_READ: Final = IOERR | 1 << 8
IOERR_WRITE: Final = IOERR | 3 << 8
IOERR_FSYNC: Final = IOERR | 4 << 8
IOERR_TRUNCATE: Final = IOERR | 6 << 8

# https://sqlite.org/c3ref/c_open_autoproxy.html
OPEN_MAIN_DB: Final = 0x100
OPEN_WAL: Final = 0x80000


class Operation(Enum):
    """What SQLite wants of a file."""

    READ = auto()
    WRITE = auto()
    TRUNCATE = auto()
    SYNCHRONISE = auto()


class Outcome(Enum):
    """What the disk makes of it."""

    DONE = auto()
    FAILED = auto()
    """An I/O error. Nothing of it was done; of a synchronisation, any part."""
    FULL = auto()
    """No space is left, for a write."""
    HALF_DONE = auto()
    """An I/O error after a part of a write."""
    LIED = auto()
    """A synchronisation that reports success and did nothing."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of SQLite's. `number` counts the disk's calls from 1."""

    number: int
    operation: Operation
    path: Path


Judge = Callable[[Call], Outcome]


def honest(_: Call) -> Outcome:
    """A disk that does what it says."""
    return Outcome.DONE


def lying(call: Call) -> Outcome:
    """A disk whose synchronisations do nothing."""
    return Outcome.LIED if call.operation is Operation.SYNCHRONISE else Outcome.DONE


def failing_at(number: int, operation: Operation, outcome: Outcome = Outcome.FAILED) -> Judge:
    """A disk of which the n-th such operation fails, counted from now on and from 1."""
    left = number

    def judge(call: Call) -> Outcome:
        nonlocal left
        if call.operation is not operation:
            return Outcome.DONE
        left -= 1
        return outcome if left == 0 else Outcome.DONE

    return judge


class Disk:
    """Which databases lie on it, and what happens to them.

    `judge` is asked before each call, and may look at the disk as it is just then: take an image of it, for instance.
    """

    def __init__(self, chance: Random, judge: Judge = honest) -> None:
        self.judge = judge
        self.calls = 0
        self._chance = chance
        self._files: dict[Path, VolatileFile] = {}
        self._open: Counter[Path] = Counter()

    def leave(self, folder: Path, to: Path, *, power_cut: bool) -> None:
        """Put the files of a folder into a new one, as they are found after the process was killed just now, or after a
        power cut. Locks and what SQLite shares between processes do not outlive either."""
        to.mkdir(parents=True, exist_ok=True)
        for file in folder.iterdir():
            if file not in self._files and not file.name.endswith(("-shm", ".lock")):
                if file.is_dir():
                    shutil.copytree(file, to / file.name)
                else:
                    shutil.copy2(file, to / file.name)
        for path, held in list(self._files.items()):
            if path.parent == folder and (held.seen is None or path.exists()):  # or else it was renamed
                self._leave_file(held, to / path.name, power_cut=power_cut)

    def _leave_file(self, held: VolatileFile, to: Path, *, power_cut: bool) -> None:
        # After a kill, what was never synchronised is no surer than before.
        found = VolatileFile.of(held.after_power_cut(self._chance)) if power_cut else held.copy()
        if found.seen is not None:
            to.write_bytes(found.seen)
        self._files[to] = found

    def forget(self, folder: Path) -> None:
        """Nobody will ask for an image of this folder again."""
        for path in [path for path in self._files if path.parent == folder]:
            del self._files[path]

    # ------------------------------------------------------------------------------------ asked by the shim

    def opened(self, path: Path) -> None:
        """SQLite has opened a file, and made it if it was not there."""
        self._open[path] += 1
        held = self._files.get(path)
        if held is not None and held.seen is None:
            held.change(Change(0, length=0))
        if self._open[path] == 1:
            content = path.read_bytes()  # others may have written it while it was closed
            if held is None or bytes(held.seen or b"") != content:
                self._files[path] = VolatileFile.of(content)

    def closed(self, path: Path) -> None:
        """SQLite has closed a file."""
        self._open[path] -= 1

    def deleted(self, path: Path) -> None:
        """SQLite has deleted a file."""
        if path in self._files:
            self._files[path].change(DELETION)

    def outcome(self, operation: Operation, path: Path) -> Outcome:
        """What becomes of the next call."""
        self.calls += 1
        return self.judge(Call(self.calls, operation, path))

    def changed(self, path: Path, change: Change) -> None:
        """A write or a truncation was done."""
        self._files[path].change(change)

    def synchronised(self, path: Path, outcome: Outcome) -> None:
        """A synchronisation was done, or failed, or did not happen."""
        if outcome is Outcome.DONE:
            self._files[path].synchronise()
        elif outcome is not Outcome.LIED:
            self._files[path].fail_to_synchronise(self._chance)


# ------------------------------------------------------------------------------------ SQLite's tables

_Open = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
_Delete = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int)
_Close = CFUNCTYPE(c_int, c_void_p)
_Transfer = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
_Truncate = CFUNCTYPE(c_int, c_void_p, c_int64)
_Synchronise = CFUNCTYPE(c_int, c_void_p, c_int)


class _Vfs(Structure):
    """`sqlite3_vfs` (https://sqlite.org/c3ref/vfs.html). Names are pointers here: SQLite keeps them, and a text that
    `ctypes` had copied would be gone by then. That is how a log's name once became "unable to open database file"."""

    _fields_ = [
        ("iVersion", c_int),
        ("szOsFile", c_int),
        ("mxPathname", c_int),
        ("pNext", c_void_p),
        ("zName", c_char_p),
        ("pAppData", c_void_p),
        ("xOpen", _Open),
        ("xDelete", _Delete),
        *((f"other{number}", c_void_p) for number in range(14)),
    ]


class _Methods(Structure):
    """`sqlite3_io_methods` (https://sqlite.org/c3ref/io_methods.html)."""

    _fields_ = [
        ("iVersion", c_int),
        ("xClose", _Close),
        ("xRead", _Transfer),
        ("xWrite", _Transfer),
        ("xTruncate", _Truncate),
        ("xSync", _Synchronise),
        *((f"other{number}", c_void_p) for number in range(13)),
    ]


class _File(Structure):
    """`sqlite3_file`."""

    _fields_ = [("pMethods", c_void_p)]


class _Shim:
    """The changed table, registered once for each process: SQLite keeps pointers to it in every open connection."""

    NAME: Final = b"cardroom-simulation"

    def __init__(self, library: ctypes.CDLL) -> None:
        library.sqlite3_vfs_find.restype = c_void_p
        library.sqlite3_vfs_find.argtypes = [c_char_p]
        library.sqlite3_vfs_register.argtypes = [c_void_p, c_int]
        self.disk: Disk | None = None
        self.opened = 0
        self._library = library
        self._usual_address = library.sqlite3_vfs_find(None)
        self._usual = _Vfs.from_address(self._usual_address)
        self._number_at = (self._usual.szOsFile + 7) // 8 * 8
        self._paths: dict[int, tuple[Disk, Path]] = {}
        self._changed: dict[int, tuple[_File, int]] = {}
        self._numbers = 0
        self._kept: list[object] = []  # what SQLite points to must not be collected
        self._ours = self._changed_vfs()
        self._methods: dict[int, int] = {}

    def register(self, *, default: bool) -> None:
        """Let new connections go through this table, or through the usual one again."""
        self._library.sqlite3_vfs_register(ctypes.addressof(self._ours), int(default))
        if not default:
            self._library.sqlite3_vfs_register(self._usual_address, 1)

    def let_go(self) -> None:
        """Give every open file its usual functions back: ours end with the interpreter, and files are closed later."""
        for opened, usual_methods in self._changed.values():
            opened.pMethods = usual_methods
        self._ours.xDelete = self._usual.xDelete

    def _changed_vfs(self) -> _Vfs:
        ours = _Vfs()
        ctypes.memmove(byref(ours), byref(self._usual), ctypes.sizeof(_Vfs))
        ours.zName = self.NAME
        ours.pNext = None
        ours.szOsFile = self._number_at + 8  # each open file carries a number: its address may be another's later
        ours.xOpen = _Open(self._guarded(self._open))
        ours.xDelete = _Delete(self._guarded(self._delete))
        return ours

    def _changed_methods(self, usual_address: int) -> int:
        """The address of a changed copy of a file's functions."""
        if usual_address not in self._methods:
            usual = _Methods.from_address(usual_address)
            ours = _Methods()
            ctypes.memmove(byref(ours), byref(usual), ctypes.sizeof(_Methods))
            ours.xClose = _Close(self._guarded(lambda file: self._close(usual, file)))
            ours.xRead = _Transfer(self._guarded(lambda *call: self._read(usual, *call)))
            ours.xWrite = _Transfer(self._guarded(lambda *call: self._write(usual, *call)))
            ours.xTruncate = _Truncate(self._guarded(lambda *call: self._truncate(usual, *call)))
            ours.xSync = _Synchronise(self._guarded(lambda *call: self._synchronise(usual, *call)))
            self._kept.append((usual, ours))
            self._methods[usual_address] = ctypes.addressof(ours)
        return self._methods[usual_address]

    def _guarded(self, function: Callable[..., int]) -> Callable[..., int]:
        """What raises would count as success in C."""

        def guarded(*arguments: Any) -> int:
            try:
                return function(*arguments)
            except Exception as error:  # noqa: BLE001  nothing above can take it; the disk's owner finds it
                if self.disk is not None:
                    FAILURES.append(error)
                return IOERR

        return guarded

    def _open(self, _vfs: int, name: int | None, file: int, flags: int, out_flags: int | None) -> int:
        code: int = self._usual.xOpen(self._usual_address, name, file, flags, out_flags)
        self.opened += 1
        if code != OK or name is None or self.disk is None or not flags & (OPEN_MAIN_DB | OPEN_WAL):
            return code
        path = Path(ctypes.string_at(name).decode())
        self.disk.opened(path)
        self._numbers += 1
        self._paths[self._numbers] = self.disk, path
        c_int64.from_address(file + self._number_at).value = self._numbers
        opened = _File.from_address(file)
        self._changed[self._numbers] = opened, opened.pMethods
        opened.pMethods = self._changed_methods(opened.pMethods)
        return code

    def _delete(self, _vfs: int, name: int, synchronise_folder: int) -> int:
        code: int = self._usual.xDelete(self._usual_address, name, synchronise_folder)
        if code == OK and self.disk is not None:
            self.disk.deleted(Path(ctypes.string_at(name).decode()))
        return code

    def _of(self, file: int) -> tuple[Disk, Path]:
        return self._paths[c_int64.from_address(file + self._number_at).value]

    def _close(self, usual: _Methods, file: int) -> int:
        number = c_int64.from_address(file + self._number_at).value
        disk, path = self._paths.pop(number)
        del self._changed[number]
        disk.closed(path)
        code: int = usual.xClose(file)
        return code

    def _read(self, usual: _Methods, file: int, buffer: int, amount: int, offset: int) -> int:
        disk, path = self._of(file)
        if disk.outcome(Operation.READ, path) is not Outcome.DONE:
            return IOERR_READ
        code: int = usual.xRead(file, buffer, amount, offset)
        return code

    def _write(self, usual: _Methods, file: int, buffer: int, amount: int, offset: int) -> int:
        disk, path = self._of(file)
        outcome = disk.outcome(Operation.WRITE, path)
        if outcome is Outcome.FULL:
            return FULL
        if outcome is Outcome.FAILED:
            return IOERR_WRITE
        if outcome is Outcome.HALF_DONE:
            amount //= 2
        code: int = usual.xWrite(file, buffer, amount, offset)
        if code == OK:
            disk.changed(path, Change(offset, ctypes.string_at(buffer, amount)))
        return IOERR_WRITE if outcome is Outcome.HALF_DONE else code

    def _truncate(self, usual: _Methods, file: int, length: int) -> int:
        disk, path = self._of(file)
        if disk.outcome(Operation.TRUNCATE, path) is not Outcome.DONE:
            return IOERR_TRUNCATE
        code: int = usual.xTruncate(file, length)
        if code == OK:
            disk.changed(path, Change(0, length=length))
        return code

    def _synchronise(self, usual: _Methods, file: int, flags: int) -> int:
        disk, path = self._of(file)
        outcome = disk.outcome(Operation.SYNCHRONISE, path)
        disk.synchronised(path, outcome)
        if outcome in {Outcome.DONE, Outcome.LIED}:
            code: int = usual.xSync(file, flags)
            return code
        return IOERR_FSYNC


FAILURES: list[BaseException] = []
"""What went wrong in the shim itself. SQLite saw I/O errors in its place, so `on` raises them at its end."""


@cache
def _shim() -> _Shim:
    """The shim of this process. Raises RuntimeError with one sentence where there can be none."""
    library = ctypes.CDLL(getattr(_sqlite3, "__file__", None))  # finds what it links to as well as what it contains
    try:
        shim = _Shim(library)
    except AttributeError as error:
        raise RuntimeError("this Python hides the functions of its SQLite, so no disk can be put under it") from error
    atexit.register(shim.let_go)
    shim.register(default=True)
    try:
        with tempfile.TemporaryDirectory() as folder:
            sqlite3.connect(Path(folder) / "probe.db").close()
    finally:
        shim.register(default=False)
    if not shim.opened:
        raise RuntimeError(
            "this Python's sqlite3 uses another SQLite than the one found, so no disk can be put under it"
        )
    return shim


def unavailable() -> str | None:
    """Why no disk can be put under this Python's SQLite, in a sentence; None where it can."""
    try:
        _shim()
    except RuntimeError as error:
        return str(error)
    return None


@contextlib.contextmanager
def on(disk: Disk) -> Iterator[Disk]:
    """What SQLite opens meanwhile lies on this disk, until it is closed. One at a time in a process.

    Raises RuntimeError where `unavailable`, and at the end what failed in the shim itself.
    """
    shim = _shim()
    shim.disk = disk
    FAILURES.clear()
    shim.register(default=True)
    try:
        yield disk
    finally:
        shim.register(default=False)
        shim.disk = None
    if FAILURES:
        raise FAILURES[0]
