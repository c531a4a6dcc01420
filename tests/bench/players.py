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

from engines.players.answering import answer
from engines.players.levels import LEVELS
from laws.case import GameCase
from laws.play import random_match
from laws.players import positions
from tests.arena.laws import TWINS
from tests.games.cases import case_of

SECONDS = 2.0
"""CPU time of each measurement of acts."""
POSITIONS = 60
DEALS = 50
"""Matches that fast tables are begun with again and again."""


def fast_acts(key: str) -> float:
    """Random acts a second on a game's fast table, candidates included."""
    rng, case = random.Random(1), case_of(key)
    dealt = [TWINS[key].table_of(case.deal(*case.tables[0], rng).open()[0]) for _ in range(DEALS)]
    acts, begun = 0, time.process_time()
    while time.process_time() - begun < SECONDS:
        table = rng.choice(dealt).copy()
        while table.asked() is not None:
            found = table.candidates()
            table.play(found[int(rng.random() * len(found))], rng)
            acts += 1
    return acts / (time.process_time() - begun)


def rules_acts(case: GameCase) -> float:
    """Random acts a second on the rules engine."""
    rng = random.Random(1)
    acts, begun = 0, time.process_time()
    while time.process_time() - begun < SECONDS:
        acts += len(random_match(case.deal(*case.tables[0], rng), rng).moves)
    return acts / (time.process_time() - begun)


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
        rules = rules_acts(case_of(key))
        print(f"{key}: {rules:,.0f} random acts/s by the rules")
        if key in TWINS:
            fast = fast_acts(key)
            print(f"{key}: {fast:,.0f} random acts/s on the fast table, ratio {fast / rules:.1f}")
    for key, levels in LEVELS.items():
        for level in levels:
            took = answers(case_of(key), level)
            print(f"{key} {level}: {sum(took) / len(took):.2f} ms an answer, the slowest {took[-1]:.2f} ms")


if __name__ == "__main__":
    main()
