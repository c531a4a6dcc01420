"""`python -m tests.arena`: each level of each game of turns against every other one, random acts and other opponents.

- *ismcts*: tree search that knows the rules and nothing else, where a fast table makes it possible.
- *ismcts against …*: the same with that level as its model of the others: a best response by search.
- *cheater*: sees all cards and tries each act in rollouts by a level. It is the ceiling: nobody can be better by much.

Each deal is played once from each seat, on the rules engine. A pairing ends after `--deals` deals or `--seconds` of CPU
time. The table is kept in build/arena. Races are measured in virtual time, by programs of their own, and `make certify`
has nets learn best responses.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Final

from engines import GAMES
from engines.players.levels import LEVELS, PLAYERS
from tests.arena.frozen import LEVELS as HAYMAKER
from tests.arena.ismcts import Model
from tests.arena.laws import TWINS
from tests.arena.matches import RANDOM, Contender, Setting, compare, contender
from tests.arena.opponents import Cheater, ismcts
from tests.arena.report import OUT, Report

ITERATIONS: Final = 1000
SEARCHED: Final = ("haymaker",)
"""Games with a table that is fast enough for tree search to the end of a match."""
MODELS: Final[Mapping[str, Mapping[str, Model]]] = {"haymaker": HAYMAKER}
"""Levels that play on such a table."""
QUICK: Final = "normal"
"""The level that a cheater plays on by if its opponent searches, which would take too long in rollouts."""


def pairings(key: str, rollouts: int) -> Iterator[tuple[str, Contender, str]]:
    """Who plays against a table of whom: a name, the contender, and the others' name."""
    levels = LEVELS[key]
    for weaker, stronger in combinations([RANDOM, *levels], 2):
        yield stronger, contender(stronger, rollouts), weaker
    if key in SEARCHED:
        for name in levels:
            yield f"ismcts {ITERATIONS:,}", ismcts(ITERATIONS, TWINS[key]), name
        for name, model in MODELS[key].items():
            yield f"ismcts {ITERATIONS:,} against {name}", ismcts(ITERATIONS, TWINS[key], model), name
    for name, level in levels.items():
        played_on_by = QUICK if level.rollouts else name
        yield f"cheater by {played_on_by}", Cheater(played_on_by), name


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.arena", description=__doc__)
    parser.add_argument("--game", choices=list(PLAYERS), help="this game only")
    parser.add_argument("--preset", help="these options (the game's first preset)")
    parser.add_argument("--only", default="", help="only contenders whose name begins with this")
    parser.add_argument("--against", help="only against this level")
    parser.add_argument("--deals", type=int, default=1000, help="deals, each played once from each seat (1000)")
    parser.add_argument("--seconds", type=float, default=600, help="CPU time for a pairing (600)")
    parser.add_argument("--seats", type=int, help="seats (the fewest)")
    parser.add_argument("--rollouts", type=int, default=0, help="another budget for levels that search")
    parser.add_argument("--seed", type=int, default=0, help="another seed, other deals (0)")
    parser.add_argument("--out", type=Path, default=OUT, help=f"where the table goes ({OUT})")
    asked = parser.parse_args()
    report = Report(
        asked.out,
        "strength",
        ("game", "preset", "players", "contender", "against", "share (matches)", "fair share", "CPU s"),
    )
    for key in [asked.game] if asked.game else PLAYERS:
        info, seats = GAMES[key].info, asked.seats or min(GAMES[key].info.seats)
        preset = asked.preset or next(iter(info.presets))
        setting = Setting(GAMES[key], info.presets[preset], seats)
        for name, one, level in pairings(key, asked.rollouts):
            if not name.startswith(asked.only) or asked.against not in (None, level):
                continue
            begun = time.process_time()
            others = contender(level, asked.rollouts)
            result = compare(setting, one, others, asked.deals, seed=asked.seed, seconds=asked.seconds)
            spent = f"{time.process_time() - begun:.0f}"
            report.add(info.title, preset, str(seats), name, level, str(result), f"{1 / seats:.3f}", spent)


if __name__ == "__main__":
    main()
