"""The files of the project, for tests that read them."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def tracked(*patterns: str) -> list[Path]:
    """The files of the project that git knows, by glob."""
    listed = subprocess.run(["git", "ls-files", "-z", *patterns], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def text(name: str) -> str:
    """A file of the project as text."""
    return (ROOT / name).read_text(encoding="utf-8")


def relative(file: Path) -> str:
    """A file's name in the project, for a test's id."""
    return file.relative_to(ROOT).as_posix()
