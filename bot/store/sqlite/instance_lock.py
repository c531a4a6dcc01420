"""One process per database: the lock that refuses a second bot on the same data."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path
from typing import Final

from bot.store.errors import InUse, NotSaved

LOOKED_AT_FOR: Final = 0.05
"""Seconds after which a lock that was taken is tried once more: `lock_holder` has it for a moment."""


class InstanceLock:
    """An advisory lock on a file beside the database. The kernel releases it when the process dies, however it dies.

    The file names the holder's process id. It is never removed, because then two processes could lock two files of the
    same name.
    """

    def __init__(self, path: Path) -> None:
        """Take the lock. Raises InUse, and NotSaved if the file cannot be created or written."""
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise NotSaved(f"{path} cannot be written ({error.strerror})") from error
        if not _lock(self._file):
            holder = _named_in(self._file)
            os.close(self._file)
            known = "" if holder is None else f" (process {holder})"
            raise InUse(f"another bot{known} is running on {path.parent}: stop it first", holder) from None
        try:
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)
        except OSError as error:
            self.release()
            raise NotSaved(f"{path} cannot be written ({error.strerror})") from error

    def release(self) -> None:
        """Release the lock. Doing so twice is harmless."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def lock_holder(path: Path) -> int | None:
    """The id of the process that has the lock in a file, 0 if that is not known, and None if nobody has it.

    The lock's file is not changed, nor created if it is missing.
    """
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return _named_in(file) or 0
    finally:
        os.close(file)
    return None


def _lock(file: int) -> bool:
    """Take the lock, unless another process has it."""
    for wait in (LOOKED_AT_FOR, 0.0):
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            time.sleep(wait)
        else:
            return True
    return False


def _named_in(file: int) -> int | None:
    text = os.pread(file, 32, 0).strip()
    return int(text) if text.isdigit() else None
