"""Compiles and runs the twin."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

SOURCES: Final = Path(__file__).parent
FIRST_HARD: Final = SOURCES / "first-hard.bin"
"""The weights of the first *hard*, which did without history: what new weights and attackers are measured by."""
BUILT: Final = Path("build/twin")
FLAGS: Final = ("-std=c++20", "-O3", "-march=native", "-ffp-contract=off", "-fno-math-errno", "-Wall", "-Wextra")
"""Without contraction a product is rounded before it is added, as in Python."""


class NoCompilerError(Exception):
    """There is no C++ compiler on this machine."""


def compiler() -> str | None:
    """The C++ compiler of this machine; None if there is none."""
    return shutil.which(os.environ.get("CXX", "c++"))


def built() -> Path:
    """The program, compiled unless that was done before.

    Raises NoCompilerError, or subprocess.CalledProcessError if it cannot be compiled.
    """
    found = compiler()
    if found is None:
        raise NoCompilerError("the twin needs a C++ compiler (on Debian and Ubuntu: apt install g++)")
    sources = sorted([*SOURCES.glob("*.hpp"), *SOURCES.glob("*.cpp")])
    named = b"".join([found.encode(), *map(str.encode, FLAGS), *[source.read_bytes() for source in sources]])
    program = BUILT / f"twin-{hashlib.sha256(named).hexdigest()[:16]}"
    if not program.exists():
        BUILT.mkdir(parents=True, exist_ok=True)
        made = program.with_suffix(f".{os.getpid()}")
        subprocess.run([found, *FLAGS, "-o", made, SOURCES / "main.cpp"], check=True)
        made.rename(program)
    return program


def answers(command: str, asked: str = "", /, **settings: object) -> str:
    """What the twin prints for a command with these settings; `asked` is what it reads.

    Raises as `built`, or subprocess.CalledProcessError if the twin refuses.
    """
    return subprocess.run(_words(command, settings), input=asked, stdout=subprocess.PIPE, text=True, check=True).stdout


def lines(command: str, /, **settings: object) -> Iterator[list[str]]:
    """The lines that the twin prints, each as its words, while it works. Raises as `answers`."""
    words = _words(command, settings)
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        yield from map(str.split, running.stdout)
    if running.returncode:
        raise subprocess.CalledProcessError(running.returncode, words)


def _words(command: str, settings: dict[str, object]) -> list[str]:
    return [str(built()), command, *[f"{name}={value}" for name, value in settings.items()]]
