"""Files with hands and seeds: only their owner can read them, and they get their name only once they are complete."""

from __future__ import annotations

import os
from pathlib import Path


def create(path: Path) -> None:
    """Create the file if it is missing, readable only by its owner. Raises OSError."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))


def unfinished(path: Path) -> Path:
    """The path to write a file to until it is complete. There is no file yet."""
    name = path.with_name(f"{path.name}.unfinished")
    name.unlink(missing_ok=True)
    return name


def sync(path: Path) -> None:
    """Wait until a file, or a folder's list of names, is on the disk. Raises OSError."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
