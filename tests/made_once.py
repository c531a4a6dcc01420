"""What takes seconds to make, and is made once for all processes of a run of tests."""

from __future__ import annotations

import atexit
import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

_FOLDER: Final = "TESTS_MADE_ONCE"
"""Names the run's folder, in the environment that its workers inherit."""


def share(config: pytest.Config) -> None:
    """Give a run its folder, from its first process. A run within a run has one of its own."""
    if not hasattr(config, "workerinput"):
        folder = tempfile.mkdtemp()
        os.environ[_FOLDER] = folder
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


def folder() -> Path:
    """The run's folder. Without pytest each process has one of its own."""
    if _FOLDER not in os.environ:
        os.environ[_FOLDER] = tempfile.mkdtemp()
        atexit.register(shutil.rmtree, os.environ[_FOLDER], ignore_errors=True)
    return Path(os.environ[_FOLDER])


@contextmanager
def alone(name: str) -> Iterator[None]:
    """Within the block no other process of the run is in one of this name."""
    with (folder() / f"{name}.lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def made_once(name: str, make: Callable[[], bytes]) -> bytes:
    """What the first process that asks for it has made. Others wait for it."""
    path = folder() / name
    with alone(name):
        if not path.exists():
            path.write_bytes(make())
    return path.read_bytes()
