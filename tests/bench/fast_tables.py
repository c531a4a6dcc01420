"""Random matches on the fast tables that computer players search on."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from engines.players.player import Table
from laws.case import GameCase
from tests.arena.laws import TWINS

DEALS = 50
"""Matches that are begun again and again."""


def fast_match(case: GameCase, rng: random.Random) -> Callable[[], int] | None:
    """What plays a random match on the game's fast table, at its first setting, and returns how many acts it had; None
    for a game without one."""
    if case.key not in TWINS:
        return None
    dealt: Sequence[Table[Any]] = [
        TWINS[case.key].table_of(case.deal(*case.setups[0], rng).open()[0]) for _ in range(DEALS)
    ]

    def play() -> int:
        table, acts = rng.choice(dealt).copy(), 0
        while table.asked() is not None:
            found = table.candidates()
            table.play(found[int(rng.random() * len(found))], rng)
            acts += 1
        return acts

    return play
