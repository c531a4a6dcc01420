"""The places of the seats at the end of a match (C-12), the same in every game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

When: TypeAlias = int
"""When something happened to a seat: 0 never, else a number that is higher the later it was, equal for what happened
at once."""


def places(merits: Sequence[Any], left: Sequence[When], knocked_out: Sequence[When] = ()) -> tuple[int, ...]:
    """The rank of each seat, from 1; equal ranks share a place.

    First come those who played on to the end, by their merits: what the game knows of an order among them, of any one
    type that can be compared, the better the higher. Then those whom the rules knocked out, the last of them first,
    and then those who left by resigning or by the clock, the last of them first (C-12).
    """
    out = knocked_out or (0,) * len(left)
    keys = [
        (0, gone) if gone else (1, fell) if fell else (2, merit)
        for merit, gone, fell in zip(merits, left, out, strict=True)
    ]
    return tuple([1 + sum([other > own for other in keys]) for own in keys])
