"""Whom it puts out that a question's time ran out (C-5), and whether a seat still plays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engines.chance import Chance
from engines.game import AnyGame, IllegalAction, Resign, Seat


def put_out(game: AnyGame, after: Any, late: frozenset[Seat], plays: Callable[[Seat], bool]) -> frozenset[Seat]:
    """Those of the seats that were late whom that put out: not those for whom a default was played. `after` is the
    state that it led to, and `plays` says who still plays in that."""
    outcome = game.outcome(after)
    if outcome is not None:
        return late if outcome.kind == "time" else frozenset()
    return frozenset(seat for seat in late if not plays(seat))


def can_resign(game: AnyGame, state: Any, chance: Chance, seat: Seat) -> bool:
    """Whether a seat still plays: only then may it resign (C-4)."""
    try:
        game.decide(state, seat, Resign(), chance)
    except IllegalAction:
        return False
    return True
