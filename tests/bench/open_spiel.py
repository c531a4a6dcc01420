"""How fast games of OpenSpiel are at random from Python: ``python -m tests.bench.open_spiel`` prints a line a game.

Each has the game's name and its acts a second of CPU time. `tests.bench.engine` compares them with ours. The rules are
in C++. OpenSpiel is installed in the arena's environment only, so this module imports no package that isn't there.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import random
import time
from typing import Final

import pyspiel

from tests.bench.sizes import sized

GAMES: Final = ("leduc_poker", "gin_rummy", "hearts")
SECONDS: Final = sized(2.0, brief=0.1)
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
        print(each, random_acts(each))
