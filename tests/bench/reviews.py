"""What it costs to review a match, in CPU time: all of what decided it, and a hint at a position.

The matches are played by random acts, at each table of each game, so they are longer than people's and their hands are
larger. Beside a review, the same match worked out again by the rules. Run it with ``python -m tests.bench.reviews``. It
ends with 1 if a review takes more than five seconds.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from typing import Any

from engines.game import fold
from engines.players.levels import PLAYERS
from engines.players.review import hint, is_reviewed, review
from engines.players.review.ways import RACES
from laws.case import GameCase
from laws.play import random_match
from laws.players import positions
from tests.bench.sizes import sized
from tests.games.cases import case_of
from tests.reviewed import request_of

MOST_SECONDS = 5.0
TABLES = sized(None, brief=1)
"""How many settings and numbers of players of each game; None: all."""
POSITIONS = sized(12, brief=1)
GAMES = ("haymaker", "unbreakable", "ciq", "tivmiv", "champions")


def main() -> int:
    """Print the times of each game and table. Returns the exit code."""
    slowest = 0.0
    print(f"{'game, setting, players':<34}{'acts':>6}{'review s':>10}{'rollouts':>10}{'rules s':>9}")
    for key in filter(is_reviewed, GAMES):
        case = case_of(key)
        for setting, seats in case.tables[:TABLES]:
            slowest = max(slowest, _review(case, setting, seats))
    for key in PLAYERS.keys() - RACES.keys():
        print(f"{key}: a hint takes {_hint(case_of(key)):.0f} ms at most")
    print(f"the slowest review took {slowest:.2f} s of {MOST_SECONDS:.0f}")
    return slowest > MOST_SECONDS


def _review(case: GameCase, setting: str, seats: int) -> float:
    rng = random.Random(f"review {case.key} {setting} {seats}")
    log = random_match(case.deal(setting, seats, rng), rng)
    request = request_of(log)
    took, made = _timed(lambda: review(request, lambda: False))
    rules, _ = _timed(lambda: fold(case.game, case.game.start(log.deal.options, seats), log.events()))
    name = f"{case.key}, {setting}, {seats}"
    print(f"{name:<34}{len(log.moves):>6}{took:>10.2f}{made.rollouts:>10}{rules:>9.3f}")
    return took


def _hint(case: GameCase) -> float:
    """The CPU milliseconds of the slowest hint."""
    found = [position.question("normal") for position in positions(case, POSITIONS)]
    return 1000 * max(_timed(lambda question=question: hint(question, lambda: False))[0] for question in found)  # type: ignore[misc]  # bound now


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    begun = time.process_time()
    made = work()
    return time.process_time() - begun, made


if __name__ == "__main__":
    sys.exit(main())
