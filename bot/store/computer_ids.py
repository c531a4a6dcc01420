"""The ids of computer players, which sit where a person's id would be.

Discord's ids are positive, and a deleted person's is from -2**62 to -1. Those of computers are smaller: each says its
level, and a number that tells the computers of one table apart. They are stored with matches, so they keep their
meaning for ever.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import count
from typing import Final

DELETED: Final = range(-(1 << 62), 0)
"""The ids that deleted people have."""
LEVELS: Final = ("easy", "normal", "hard")
"""The levels by their number in an id. A new one is added at the end."""

_LAST: Final = DELETED.start - 1
_AT_A_TABLE: Final = 1 << 8


def computer_id(level: str, others: Collection[int] = ()) -> int:
    """The id of a computer of a level at a table where the others sit. Raises ValueError for an unknown level."""
    first = _LAST - LEVELS.index(level) * _AT_A_TABLE
    return next(each for each in count(first, -1) if each not in others)


def is_computer(user_id: int) -> bool:
    """Whether an id is a computer's."""
    return user_id <= _LAST


def is_deleted(user_id: int) -> bool:
    """Whether an id is that of a person who had their data deleted."""
    return user_id in DELETED


def level_of(computer: int) -> str:
    """The level of a computer. Raises IndexError for an id that no computer has."""
    return LEVELS[(_LAST - computer) // _AT_A_TABLE]


def people(user_ids: Iterable[int]) -> tuple[int, ...]:
    """Those of these users who are no computers."""
    return tuple([user for user in user_ids if not is_computer(user)])
