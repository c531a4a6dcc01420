"""What every pairing gives to both of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from bot.pairing.model import Played, Scoring

UNPLAYED: Final = 0.6
"""What a bye or a walkover gives where people are compared with the field: a little more than the average, because who
has it can't do anything about it."""


def shares(played: Sequence[Played], scoring: Scoring) -> list[tuple[float, float]]:
    """What the first and the second of each get, 0 to 1. The second of a bye gets 0."""
    if scoring is Scoring.WINS:
        return [each.points() for each in played]
    fields: defaultdict[tuple[int, int], list[float]] = defaultdict(list)
    for each in played:
        for deal, _, margin in _margins(each):
            fields[each.round, deal].append(margin)
    return [_by_difference(each, fields) for each in played]


def points(played: Sequence[Played], scoring: Scoring) -> dict[int, float]:
    """What everybody has who played."""
    return added(played, shares(played, scoring))


def added(played: Sequence[Played], got: Sequence[tuple[float, float]]) -> dict[int, float]:
    """What everybody has who played, by the shares of each."""
    total: defaultdict[int, float] = defaultdict(float)
    for each, (first, second) in zip(played, got, strict=True):
        total[each.pairing.first] += first
        if each.pairing.second is not None:
            total[each.pairing.second] += second
    return {user_id: round(their, 6) for user_id, their in total.items()}


def _margins(played: Played) -> list[tuple[int, bool, float]]:
    """Of each match: its deal, whether seats were exchanged, and by how much seat 0 did better than seat 1."""
    if not played.is_match:
        return []
    return [
        (each.deal, bool(leg % 2), each.second - each.first if leg % 2 else each.first - each.second)
        for leg, each in enumerate(played.outcomes)
    ]


def _by_difference(played: Played, fields: dict[tuple[int, int], list[float]]) -> tuple[float, float]:
    margins = _margins(played)
    if not margins:
        first, second = played.points()
        return first * UNPLAYED, second * UNPLAYED
    total = 0.0
    for deal, exchanged, margin in margins:
        field = fields[played.round, deal]
        if len(field) == 1:  # nobody to be compared with, so the match itself counts
            seat_0 = 0.5 if margin == 0 else float(margin > 0)
        else:
            equal = sum(other == margin for other in field) - 1  # but for the match itself
            seat_0 = (sum(other < margin for other in field) + equal / 2) / (len(field) - 1)
        total += 1 - seat_0 if exchanged else seat_0
    first = total / len(margins)
    return first, 1 - first
