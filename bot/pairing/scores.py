"""What every pairing gives to those in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from bot.pairing.model import Played, Scoring, half_points, most_half_points

UNPLAYED: Final = 0.6
"""What a bye or a walkover gives where people are compared with the field: a little more than the average, because who
has it can't do anything about it."""


_Margin = tuple[tuple[int, int, int, int], float]
"""In which round, with which deal, at which size of a table and on which seat; and by how much somebody did better than
the others at the table, times the people at it."""


def shares(played: Sequence[Played], scoring: Scoring) -> list[tuple[float, ...]]:
    """What all in each get, 0 to 1, in the order of its pairing."""
    if scoring is Scoring.WINS:
        return [each.points() for each in played]
    fields: defaultdict[tuple[int, int, int, int], list[float]] = defaultdict(list)
    for each in played:
        for leg in _margins(each):
            for seat, margin in leg:
                fields[seat].append(margin)
    return [_by_difference(each, fields) for each in played]


def points(played: Sequence[Played], scoring: Scoring) -> dict[int, float]:
    """What everybody has who played."""
    return added(played, shares(played, scoring))


def added(played: Sequence[Played], got: Sequence[tuple[float, ...]]) -> dict[int, float]:
    """What everybody has who played, by the shares of each."""
    total: defaultdict[int, float] = defaultdict(float)
    for each, its in zip(played, got, strict=True):
        for user_id, share in zip(each.pairing.seats, its, strict=True):
            total[user_id] += share
    return {user_id: round(their, 6) for user_id, their in total.items()}


def _margins(played: Played) -> list[list[_Margin]]:
    """Of each match: how everybody did, in the order of the pairing."""
    if not played.is_match:
        return []
    count = len(played.pairing.seats)
    return [
        [
            ((played.round, each.deal, count, (index - leg) % count), count * got - sum(each.got))
            for index, got in enumerate(each.got)
        ]
        for leg, each in enumerate(played.outcomes)
    ]


def _by_difference(played: Played, fields: dict[tuple[int, int, int, int], list[float]]) -> tuple[float, ...]:
    legs = _margins(played)
    if not legs:
        return tuple([each * UNPLAYED for each in played.points()])
    total = [0.0] * len(played.pairing.seats)
    for leg in legs:
        alone = half_points([margin for _, margin in leg])
        for index, (seat, margin) in enumerate(leg):
            field = fields[seat]
            if len(field) == 1:  # nobody to be compared with, so the match itself counts
                total[index] += alone[index] / most_half_points(len(leg))
            else:
                equal = sum(other == margin for other in field) - 1  # but for the match itself
                total[index] += (sum(other < margin for other in field) + equal / 2) / (len(field) - 1)
    return tuple([each / len(legs) for each in total])
