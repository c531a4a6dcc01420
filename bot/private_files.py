"""Files that hold hands and seeds: readable only by their owner, and under their name only once they are whole."""

from __future__ import annotations

import os
from pathlib import Path


def create(path: Path) -> None:
    """Make the file where there is none, readable only by its owner. Raises OSError."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))


def unfinished(path: Path) -> Path:
    """The path to write a file to until it is whole; nothing is there yet."""
    name = path.with_name(f"{path.name}.unfinished")
    name.unlink(missing_ok=True)
    return name


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk. Raises OSError."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
