"""What a match that has ended counts for: the ranks of its seats, and whether it moves standings (C-8, C-10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from bot.play.computers.stand_ins import SeatHolders, counted_ranks
from bot.store.queries.matches import MatchRow
from bot.store.special_ids import is_computer
from engines.game import GameInfo, Outcome, Seat

LEFT: Final = frozenset({"resignation", "time"})
"""Endings in which somebody has left."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ended. `acts` counts the game's own acts. `knowing` are the seats that had acted before its last
    act, or whose players had seen their hand."""

    outcome: Outcome
    holders: SeatHolders
    acts: int
    knowing: frozenset[Seat]


def result_of(row: MatchRow, info: GameInfo[Any], ending: Ending) -> tuple[tuple[int, ...], bool]:
    """The ranks, and whether the result counts."""
    if ending.outcome.void:
        return (), False
    ranks = counted_ranks(ending.outcome, ending.holders, row.stand_in)
    rated = row.moves_ratings and row.origin is None and row.unrated is None and not any(map(is_computer, row.seats))
    long_enough = ending.acts >= (1 if _left_knowingly(ending) else info.shortest_counted)
    return ranks, rated and long_enough and not ending.holders.undone(ranks, row.stand_in)


def _left_knowingly(ending: Ending) -> bool:
    """Whether it ended because somebody left who had acted or seen their hand (C-10)."""
    outcome = ending.outcome
    left = [seat for seat, rank in enumerate(outcome.ranks) if rank != 1] if outcome.kind in LEFT else []
    return any(seat in ending.knowing for seat in left)
