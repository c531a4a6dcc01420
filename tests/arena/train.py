"""`make train`: trains Haymaker's *hard* on the fast twin, the same for the same seed on the same machine.

It plays against itself and, in half of the matches, against one of the players that it was before, and mixes acts of
nearly equal worth as the level does. The weights that are kept are the mean of those it lately had. This needs a C++
compiler.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from engines.players.haymaker.net import HIDDEN, TEMPERATURE
from tests.arena.report import OUT
from tests.arena.twin.build import FIRST_HARD, lines

MATCHES: Final = 1_500_000
SETTINGS: Final = {
    "begin": "nothing",
    "more": HIDDEN,
    "temperature": TEMPERATURE,
    "rate": 0.08,
    "last_rate": 0.004,
    "explore": 0.04,
    "lambda": 0.85,
    "past": 0.5,
    "every": 100_000,
    "old": FIRST_HARD,
}
"""The learning rate falls evenly. `every` so many matches the player is added to those of the past, and is measured
against the first *hard*."""
SEED: Final = 1


def learned(matches: int, seed: int, out: Path, **settings: object) -> Iterator[list[str]]:
    """Train, and write the weights to a file: the lines that the twin prints meanwhile, as words."""
    return lines("train", **{**SETTINGS, **settings}, matches=matches, seed=seed, out=out)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.arena.train", description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES, help=f"matches to learn from ({MATCHES:,})")
    parser.add_argument("--seed", type=int, default=SEED, help=f"what fixes all chance ({SEED})")
    parser.add_argument("--out", type=Path, default=OUT, help=f"where the weights go ({OUT})")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    learning = asked.out / "weights-learning.bin"
    for words in learned(asked.matches, asked.seed, learning):
        sys.stdout.write(f"{' '.join(words)}\n")
        sys.stdout.flush()
    named = learning.with_name(f"weights-{hashlib.sha256(learning.read_bytes()).hexdigest()[:16]}.bin")
    learning.rename(named)
    sys.stdout.write(f"{named}\n")


if __name__ == "__main__":
    main()
