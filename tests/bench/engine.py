"""How fast the rules are: whole random matches a second, and decisions a second when acts are decided again.

Beside them a plain loop of the same kind of work (a hash and a frozen value a step), so that figures of two machines,
or of one machine on two days, can be compared. Run it with ``python -m tests.bench.engine``.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import hashlib
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

from engines.game import fold
from tests.engines.play import MatchLog, deal_of, random_match, tables

ROUNDS = 7
MATCHES = 60
STEPS = 100_000


@dataclass(frozen=True, slots=True)
class Step:
    """A value of the baseline's loop."""

    number: int
    digest: bytes


def main() -> None:
    """Print the medians of some rounds; between two rounds of a figure stand one of each of the others.

    Each game is measured at its first table: its own options, the fewest players.
    """
    print(f"engine: medians of {ROUNDS} rounds")
    first = {table[0]: table for table in reversed(list(tables()))}
    games = [(f"{key} ({setting}, {seats})", *_measures(key, setting, seats)) for key, setting, seats in first.values()]
    rates: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        rates.setdefault("baseline", []).append(_rate(_baseline))
        for name, play, decide in games:
            rates.setdefault(f"{name} play", []).append(_rate(play))
            rates.setdefault(f"{name} decide", []).append(_rate(decide))
    medians = {name: statistics.median(figures) for name, figures in rates.items()}
    base = medians["baseline"]
    print(f"{'baseline loop':<28} {base:>10,.0f} steps/s")
    for name, _, _ in games:
        played, decided = medians[f"{name} play"], medians[f"{name} decide"]
        print(f"{name:<28} {played:>10,.0f} random matches/s   {1e3 * played / base:>7.3f} per 1,000 baseline steps")
        print(f"{'':<28} {decided:>10,.0f} decisions/s        {1e3 * decided / base:>7.3f} per 1,000 baseline steps")


def _measures(key: str, preset: str, seats: int) -> tuple[Callable[[], int], Callable[[], int]]:
    """Playing new matches, and deciding and folding the acts of matches played before. Both return how many."""
    rng = random.Random(0)
    logs = [random_match(deal_of(key, preset, seats, rng), rng) for _ in range(MATCHES)]

    def play() -> int:
        again = random.Random(0)
        for _ in range(MATCHES):
            random_match(deal_of(key, preset, seats, again), again)
        return MATCHES

    def decide() -> int:
        return sum([_decided(log) for log in logs])

    return play, decide


def _decided(log: MatchLog) -> int:
    game, deal = log.deal.game, log.deal
    state, _ = deal.open()
    for seq, move in enumerate(log.moves, start=1):
        state = fold(game, state, game.decide(state, move.actor, move.action, deal.chance(seq)))
    return len(log.moves)


def _baseline() -> int:
    step = Step(0, b"")
    for number in range(STEPS):
        step = Step(number, hashlib.sha256(step.digest).digest())
    return STEPS


def _rate(work: Callable[[], int]) -> float:
    begun = time.perf_counter()
    done = work()
    return done / (time.perf_counter() - begun)


if __name__ == "__main__":
    main()
