"""How fast the rules are, in CPU time: acts decided, facts folded, whole random matches played.

- *decide*: the acts of matches played before, decided again, each on the state that the last one handed on. This is
  the rules' part of a move.
- *fold*: the facts of those matches, folded act by act. This is a restart's part, once the log is read.
- *play*: new random matches, in decisions, as others count the speed of their rules: the state is asked what is legal,
  one act is chosen at random and applied. A screen needs such answers for a person, with the reason why a card can't be
  picked. Computer players search on *fast tables*, where a game has them, so those are what others are compared with.

Beside them a plain loop of the same kind of work (a hash and a frozen value a step), so that figures of two machines,
or of one machine on two days, can be compared: the last column says how many of its steps an act costs. CPU time is
what a process used itself, so other programs disturb it little. Run it with ``python -m tests.bench.engine``.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import hashlib
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from engines.game import fold
from laws.play import MatchLog, random_match
from tests.bench.fast_tables import fast_match
from tests.bench.sizes import sized
from tests.games.cases import case_of, deal_of, setups

ROUNDS = sized(7, brief=1)
ACTS = sized(2_000, brief=1)
"""How many recorded acts a game is measured on, at least: as many whole matches as have them."""

PLAY, FAST = "play", "fast table"
FAST_MATCHES = sized(500, brief=5)
STEPS = sized(100_000, brief=1_000)

Work: TypeAlias = Callable[[], int]
"""Does some work and returns how many operations it was."""


@dataclass(frozen=True, slots=True)
class Step:
    """A value of the baseline's loop."""

    number: int
    digest: bytes


def main() -> None:
    """Print the medians of some rounds; between two rounds of a figure stand one of each of the others.

    Each game is measured with its first setup: its own options, the fewest players.
    """
    works: dict[tuple[str, str], Work] = {("baseline loop", "step"): _baseline}
    for key, setting, seats in {setup[0]: setup for setup in reversed(list(setups()))}.values():
        name = f"{key} ({setting}, {seats})"
        works |= {(name, what): work for what, work in _measures(key, setting, seats).items()}
    spent: dict[tuple[str, str], list[float]] = {figure: [] for figure in works}
    for _ in range(ROUNDS):
        for figure, work in works.items():
            spent[figure].append(_cost(work))
    medians = {figure: statistics.median(costs) for figure, costs in spent.items()}
    base = medians["baseline loop", "step"]
    print(f"engine: CPU time, medians of {ROUNDS} rounds")
    for (name, what), cost in medians.items():
        print(f"{name:<26} {what:<10} {1e6 * cost:>8.2f} us {1 / cost:>12,.0f}/s {cost / base:>9.1f} baseline steps")


def _measures(key: str, setting: str, seats: int) -> dict[str, Work]:
    rng = random.Random(0)
    logs: list[MatchLog] = []
    while sum([len(log.moves) for log in logs]) < ACTS:
        logs.append(random_match(deal_of(key, setting, seats, rng), rng))

    def decide() -> int:
        return sum([_decided(log) for log in logs])

    def refold() -> int:
        return sum([_folded(log) for log in logs])

    def play() -> int:
        again = random.Random(0)
        return sum([len(random_match(deal_of(key, setting, seats, again), again).moves) for _ in logs])

    measures: dict[str, Work] = {"decide": decide, "fold": refold, PLAY: play}
    fast = fast_match(case_of(key), random.Random(0))
    if fast is not None:
        measures[FAST] = lambda: sum([fast() for _ in range(FAST_MATCHES)])
    return measures


def _decided(log: MatchLog) -> int:
    game, state, chance = log.deal.game, log.states[0], log.deal.chances()
    for seq, move in enumerate(log.moves, start=1):
        state = game.decide(state, move.actor, move.action, chance(seq)).state
    return len(log.moves)


def _folded(log: MatchLog) -> int:
    game, state = log.deal.game, log.states[0]
    for move in log.moves:
        state = fold(game, state, move.events)
    return len(log.moves)


def _baseline() -> int:
    step = Step(0, b"")
    for number in range(STEPS):
        step = Step(number, hashlib.sha256(step.digest).digest())
    return STEPS


def _cost(work: Work) -> float:
    """The CPU seconds of one operation."""
    begun = time.process_time()
    done = work()
    return (time.process_time() - begun) / done


if __name__ == "__main__":
    main()
