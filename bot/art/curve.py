"""A curve as values: a line for each seat over the moves of a match, and marks on them. Its picture shows no card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Place: TypeAlias = tuple[float, float]
"""From 0 at the left to 1 at the right, and from 0 at the foot to 1 at the top."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A numbered mark, from 1, at a place of a seat's line."""

    number: int
    seat: int
    place: Place


@dataclass(frozen=True, slots=True)
class Curve:
    """A line for each seat, from left to right. With `halves`, the middle of the height means something."""

    lines: tuple[tuple[Place, ...], ...]
    marks: tuple[Mark, ...] = ()
    halves: bool = False
