"""How much a benchmark measures: as much as its figures need, or with ``--brief`` only so much that it has run."""

from __future__ import annotations

import sys
from typing import Final, TypeVar

BRIEF: Final = "--brief"
"""Asks for a run of a second or a few, whose figures mean little. `.ci/run` has one of each benchmark."""

Value = TypeVar("Value")


def sized(usual: Value, *, brief: Value) -> Value:
    """A number of rounds, seconds or rows: the usual one, or the one for a brief run."""
    return brief if BRIEF in sys.argv else usual


def without_brief(argv: list[str]) -> list[str]:
    """The other arguments of a command line."""
    return [each for each in argv if each != BRIEF]
