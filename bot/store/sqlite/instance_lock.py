"""One process per database: the lock that refuses a second bot on the same data."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from bot.store.errors import InUse, NotSaved


class InstanceLock:
    """An advisory lock on a file beside the database. The kernel releases it when the process dies, however it dies.

    The file names the holder's process id. It is never removed, because then two processes could lock two files of the
    same name.
    """

    def __init__(self, path: Path) -> None:
        """Take the lock. Raises InUse, and NotSaved if the file cannot be created or written."""
        self._path = path
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise NotSaved(f"{path} cannot be written ({error.strerror})") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = self._holder()
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

    def _holder(self) -> int | None:
        text = os.pread(self._file, 32, 0).strip()
        return int(text) if text.isdigit() else None
