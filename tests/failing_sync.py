"""A disk whose flushes fail: the connection's WAL is written, and then `fsync` reports an error.

SQLite calls the file's method `xSync` (https://www.sqlite.org/c3ref/io_methods.html). It is replaced in the file of one
connection, by way of the SQLite library that Python itself uses.
"""

from __future__ import annotations

import _sqlite3
import ctypes
import sqlite3
from typing import Any, Final

JOURNAL_POINTER: Final = 28
"""SQLITE_FCNTL_JOURNAL_POINTER (https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html)."""
METHODS: Final = 19
SYNC: Final = 5
"""How many members sqlite3_io_methods has in version 3, and which of them is xSync."""

_Sync = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)
_kept: list[Any] = []
"""What SQLite points to must not be collected."""


def fail_flushes(connection: sqlite3.Connection, times: int) -> None:
    """Have the next flushes of a connection's WAL fail. Something must have been written to it before."""
    library = ctypes.CDLL(getattr(_sqlite3, "__file__", None))
    handle = ctypes.c_void_p.from_address(id(connection) + object.__basicsize__)
    file = ctypes.c_void_p()
    library.sqlite3_file_control.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p]
    assert library.sqlite3_file_control(handle, b"main", JOURNAL_POINTER, ctypes.byref(file)) == sqlite3.SQLITE_OK
    assert file.value
    methods_of_file = ctypes.POINTER(ctypes.c_void_p * METHODS).from_address(file.value)
    methods = (ctypes.c_void_p * METHODS)(*methods_of_file.contents)
    real = ctypes.cast(methods[SYNC] or 0, _Sync)
    left = times

    def sync(which: int, flags: int) -> int:
        nonlocal left
        left -= 1
        return sqlite3.SQLITE_IOERR_FSYNC if left >= 0 else int(real(which, flags))

    failing = _Sync(sync)
    methods[SYNC] = ctypes.cast(failing, ctypes.c_void_p).value
    _kept.extend([methods, failing, real])
    methods_of_file.contents = methods
