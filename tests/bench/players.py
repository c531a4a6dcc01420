"""How fast computer players are, in CPU time: random acts on fast tables, and an answer of each level.

- *acts*: random candidates on a game's fast table, beside the same game played at random on the rules engine.
  `tests.bench.open_spiel` does the same with games of OpenSpiel, in the environment of the arena.
- *answer*: a question answered, from the facts to the act, at positions of random matches: mean and slowest.

CPU time is what the process used itself. Run it with ``python -m tests.bench.players``.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import random
import time
from collections.abc import Callable

from engines.players.answering import answer
from engines.players.levels import LEVELS
from laws.case import GameCase
from laws.play import random_match
from laws.players import positions
from tests.bench.fast_tables import fast_match
from tests.bench.sizes import sized
from tests.games.cases import case_of

SECONDS = sized(2.0, brief=0.1)
"""CPU time of each measurement of acts."""
POSITIONS = sized(60, brief=1)


def acts_a_second(play: Callable[[], int]) -> float:
    """Acts a second of matches, each of which is played by a call that returns how many it had."""
    acts, begun = 0, time.process_time()
    while time.process_time() - begun < SECONDS:
        acts += play()
    return acts / (time.process_time() - begun)


def rules_match(case: GameCase) -> Callable[[], int]:
    """What plays a random match on the rules engine."""
    rng = random.Random(1)
    return lambda: len(random_match(case.deal(*case.tables[0], rng), rng).moves)


def answers(case: GameCase, level: str) -> list[float]:
    """The CPU milliseconds of answers at random positions, shortest first."""
    found = []
    for number, position in enumerate(positions(case, POSITIONS + 1)):
        question = position.question(level, LEVELS[case.key][level].rollouts)
        begun = time.process_time()
        answer(question, lambda: False)
        if number:  # the first one may load weights
            found.append(1000 * (time.process_time() - begun))
    return sorted(found)


def main() -> None:
    for key in LEVELS:
        case = case_of(key)
        rules = acts_a_second(rules_match(case))
        print(f"{key}: {rules:,.0f} random acts/s by the rules")
        play = fast_match(case, random.Random(1))
        if play is not None:
            fast = acts_a_second(play)
            print(f"{key}: {fast:,.0f} random acts/s on the fast table, ratio {fast / rules:.1f}")
    for key, levels in LEVELS.items():
        for level in levels:
            took = answers(case_of(key), level)
            print(f"{key} {level}: {sum(took) / len(took):.2f} ms an answer, the slowest {took[-1]:.2f} ms")


if __name__ == "__main__":
    main()
