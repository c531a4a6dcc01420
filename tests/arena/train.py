"""`make train`: trains Haymaker's *hard* by matches against itself, in a few minutes, the same for the same seed.

`python -m tests.arena.train --against hard` learns a best response to a level instead: the less it wins, the less there
is to exploit. With `--cheat` it sees the opponent's hand, which shows how much there is to win by knowing more.
The environment needs numpy (requirements/arena.lock).
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Final

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # sums in another order would be other weights

import numpy as np

from engines.game import Seat
from engines.players.haymaker.bits import ALL
from engines.players.haymaker.memory import Known
from engines.players.haymaker.table import FastTable, known_at
from tests.arena.frozen import LEVELS
from tests.arena.learner import Adam, Floats, Net, Opponent, Playing, with_weights

ROUNDS: Final = 48
MATCHES: Final = 512
"""Matches of a round."""
ROUNDS_KEPT: Final = 2
"""From how many rounds' matches is learned."""
BATCH: Final = 256
RATES: Final = (3e-3, 2e-4)
"""The learning rate at the beginning and at the end."""
EXPLORE: Final = 0.1
"""How often an act is made at random."""
SMOOTHING: Final = 0.15
"""The weights that are kept follow those that learn by this part each round."""
SEED: Final = 7


def everything_at(table: FastTable, seat: Seat) -> Known:
    """What a cheater knows: the opponent's hand too."""
    known = known_at(table, seat)
    theirs = table.hands[1 - seat]
    return known._replace(theirs=theirs, unseen=ALL & ~(ALL & ~known.unseen | theirs))


def train(
    rounds: int, seed: int, opponent: Opponent | None = None, knows: Callable[[FastTable, Seat], Known] = known_at
) -> Net:
    """Train a net by matches against itself or against an opponent."""
    net = Net.new(seed)
    learner, kept = Adam(net), net.copy()
    rng, order = Random(seed), np.random.default_rng(seed)
    recent: list[tuple[Floats, Floats]] = []
    begun = time.monotonic()
    for number in range(rounds):
        part = number / rounds
        learner.rate = RATES[0] * (1 - part) + RATES[1] * part
        x, targets, share = Playing(net, rng, EXPLORE, opponent, knows).play(MATCHES)
        recent = [*recent, (x, targets)][-ROUNDS_KEPT:]
        _learn(learner, recent, order)
        kept = with_weights(kept, net, SMOOTHING)
        if number % 10 == 9:
            _say(f"{(number + 1) * MATCHES} matches, {time.monotonic() - begun:.0f} s, share {share:.3f}")
    return kept


def _learn(learner: Adam, recent: Sequence[tuple[Floats, Floats]], order: np.random.Generator) -> None:
    """Learn once from every act of these rounds, in random order."""
    x = np.concatenate([rows for rows, _ in recent])
    targets = np.concatenate([each for _, each in recent])
    places = order.permutation(len(x))
    for start in range(0, len(x), BATCH):
        chosen = places[start : start + BATCH]
        learner.step(x[chosen], targets[chosen])


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.arena.train", description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"rounds of {MATCHES} matches ({ROUNDS})")
    parser.add_argument("--seed", type=int, default=SEED, help=f"what fixes all chance ({SEED})")
    parser.add_argument("--against", choices=list(LEVELS), help="learn a best response to this level")
    parser.add_argument("--cheat", action="store_true", help="see the opponent's hand; only with --against")
    parser.add_argument("--judged", type=int, default=2000, help="matches to judge the result by (2000)")
    parser.add_argument("--out", type=Path, default=Path("build/arena"), help="where the weights go")
    asked = parser.parse_args()
    if asked.cheat and not asked.against:
        parser.error("--cheat needs --against")
    knows = everything_at if asked.cheat else known_at
    net = train(asked.rounds, asked.seed, LEVELS.get(asked.against or ""), knows)
    written = net.written()
    name = f"weights-{hashlib.sha256(written).hexdigest()[:16]}.bin"
    asked.out.mkdir(parents=True, exist_ok=True)
    (asked.out / name).write_bytes(written)
    for level in [asked.against] if asked.against else LEVELS:
        judged = Playing(net, Random(f"judge {asked.seed}"), 0.0, LEVELS[level], knows).play(asked.judged)[2]
        width = 1.96 * (judged * (1 - judged) / asked.judged) ** 0.5
        _say(f"against {level}: {judged:.3f} +-{width:.3f} ({asked.judged} matches, on fast tables)")
    _say(f"{asked.out / name}")


if __name__ == "__main__":
    main()
