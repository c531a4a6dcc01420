"""The files of the project, for tests that read them."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
_STRING_OR_COMMENT = re.compile(r"""("{3}|'{3}|["'])((?:\\.|(?!\1)[^\\])*)\1|#([^\n]*)""", re.DOTALL)
_BETWEEN = re.compile(r"\s*[bfr]{,2}")
"""What may be between two strings that are one."""


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


def comments(program: str) -> Iterator[tuple[int, str]]:
    """The comments of a program, each with its line: ten times as fast as by `tokenize`."""
    yield from ((line, text) for line, text, is_comment in _strings_and_comments(program) if is_comment)


def strings(program: str) -> Iterator[tuple[int, str]]:
    """The strings of a program as they are written, each with its line; those side by side are one."""
    yield from ((line, text) for line, text, is_comment in _strings_and_comments(program) if not is_comment)


def _strings_and_comments(program: str) -> Iterator[tuple[int, str, bool]]:
    line, place, string, ended = 1, 0, (0, ""), 0
    for found in _STRING_OR_COMMENT.finditer(program):
        line, place = line + program.count("\n", place, found.start()), found.start()
        if found[3] is not None:
            yield line, found[3], True
            continue
        if string[1] and _BETWEEN.fullmatch(program, ended, found.start()):
            string = (string[0], string[1] + found[2])
        else:
            yield *string, False
            string = (line, found[2])
        ended = found.end()
    yield *string, False
