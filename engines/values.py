"""Changed copies of frozen values: a state is never changed, a fact makes another one of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def put(rows: Sequence[T], place: int, row: T) -> tuple[T, ...]:
    """The rows, the one at this place replaced; a row a seat, as a rule."""
    return (*rows[:place], row, *rows[place + 1 :])


def put_of_two(rows: tuple[T, T], place: int, row: T) -> tuple[T, T]:
    """The two rows, the one at place 0 or 1 replaced."""
    return (row, rows[1]) if place == 0 else (rows[0], row)
