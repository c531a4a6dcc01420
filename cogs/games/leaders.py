"""Who is ahead: a line for spectators, made of numbers that everybody may know."""

from __future__ import annotations

from collections.abc import Mapping

from cogs.screens.presenter import Reader
from engines.game import Seat


def leader_line(key: str, numbers: Mapping[Seat, int], reader: Reader, *, fewest: bool) -> str:
    """Those with the best of these numbers, in the sentence with this key; empty if all have the same."""
    if len(set(numbers.values())) < 2:
        return ""
    best = (min if fewest else max)(numbers.values())
    leading = [f"**{reader.names[seat]}**" for seat, number in numbers.items() if number == best]
    return reader.words.count(key, best, players=reader.words("names.and").join(leading))
