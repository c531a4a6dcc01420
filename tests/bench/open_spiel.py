"""How fast games of OpenSpiel are at random from Python, to compare fast tables with.

Run it with ``python -m tests.bench.open_spiel``. Its rules are in C++. It is installed in the arena's environment only,
so ``make bench`` runs this if that is there.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import random
import time
from typing import Final

import pyspiel

GAMES: Final = ("leduc_poker", "gin_rummy", "hearts")
SECONDS: Final = 2.0
"""CPU time for each game."""


def random_acts(name: str) -> float:
    """Random acts of players a second."""
    game, rng = pyspiel.load_game(name), random.Random(1)
    acts, begun = 0, time.process_time()
    while time.process_time() - begun < SECONDS:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, odds)[0])
                continue
            found = state.legal_actions()
            state.apply_action(found[int(rng.random() * len(found))])
            acts += 1
    return acts / (time.process_time() - begun)


if __name__ == "__main__":
    for each in GAMES:
        print(f"open_spiel {each}: {random_acts(each):,.0f} random acts/s")
