"""`python -m tests.arena`: every level of every game of turns against every weaker one, and against random acts."""

from __future__ import annotations

import argparse
import sys
import time
from itertools import combinations

from engines import GAMES
from engines.players.levels import LEVELS, PLAYERS
from tests.arena.matches import Contender, Setting, at_random, compare, computer

RANDOM = "random"


def contender(name: str, rollouts: int) -> Contender:
    """The contender of a name: a level, or random acts."""
    return at_random if name == RANDOM else computer(name, rollouts)


def round_robin(key: str, deals: int, seats: int, rollouts: int) -> None:
    """Print the share of every stronger contender against every weaker one."""
    game = GAMES[key]
    setting = Setting(game, next(iter(game.info.presets.values())), seats)
    for weak, strong in combinations([RANDOM, *LEVELS[key]], 2):
        begun = time.process_time()
        result = compare(setting, contender(strong, rollouts), contender(weak, rollouts), deals)
        seconds = time.process_time() - begun
        sys.stdout.write(f"{key} ({seats}): {strong} against {weak}: {result}, {seconds:.0f} CPU s\n")
        sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.arena", description=__doc__)
    parser.add_argument("--game", choices=list(PLAYERS), help="this game only")
    parser.add_argument("--deals", type=int, default=1000, help="deals, each played once from each seat (1000)")
    parser.add_argument("--seats", type=int, help="seats (the fewest)")
    parser.add_argument("--rollouts", type=int, help="another budget for levels that search")
    asked = parser.parse_args()
    for key in [asked.game] if asked.game else PLAYERS:
        round_robin(key, asked.deals, asked.seats or min(GAMES[key].info.seats), asked.rollouts)


if __name__ == "__main__":
    main()
