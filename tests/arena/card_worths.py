"""`python -m tests.arena.card_worths`: what a card fewer and an icon are worth in Champions of Chance.

For each number of players, with Victory Dice and without, matches between equals are played, and of each a few moments
between battles are kept. The worths are those that make the winners likeliest, if a seat's weight is e to the power of
what it has. They are written into `engines/players/champions/judging.py` by hand.
"""

from __future__ import annotations

import argparse
import sys
from random import Random
from typing import Final

from engines.champions.table import Phase
from engines.players.review.ways import Shares
from tests.arena.calibrate import Row, Setting, kinds_of, likeliest, played, settings, shares_of
from tests.arena.report import row_of

BETWEEN: Final = (Phase.OPPONENT, Phase.NUMBER)
"""The first questions of a battle, before which nothing has been decided. Two players are not asked the first one."""
KEPT: Final = 4
"""Moments of a match."""
BELIEVED: Final = (0.9, 0.25)
"""Where the search begins; thousands of moments weigh more."""


def moments(setting: Setting, matches: int, seed: int) -> list[tuple[Row, Shares]]:
    """For each moment the cards and icons of each seat, and how the win was shared."""
    rng, kinds = Random(f"worths {setting.table} {seed}"), kinds_of(setting, searching=False)
    found: list[tuple[Row, Shares]] = []
    for _ in range(matches):
        stages = played(setting, (rng.choice(kinds),) * setting.seats, rng)
        publics = [stage.spots[0].situation.view.public for stage in stages if stage.spots]
        between = [public for public in publics if public.phase in BETWEEN]
        for public in rng.sample(between, min(KEPT, len(between))):
            counts = [[-float(count), float(score)] for count, score in zip(public.decks, public.scores, strict=True)]
            found.append((counts, shares_of(stages[-1], setting.seats)))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.arena.card_worths", description=__doc__)
    parser.add_argument("--matches", type=int, default=2000, help="matches of each number of players (2,000)")
    parser.add_argument("--seed", type=int, default=0, help="another seed, other matches (0)")
    asked = parser.parse_args()
    for setting in settings():
        if setting.table.game == "champions":
            found = moments(setting, asked.matches, asked.seed)
            worths = [f"{worth:.3f}" for worth in likeliest(found, BELIEVED, floors=2)]
            sys.stdout.write(f"{row_of((setting.table.setting, str(setting.seats), *worths, f'{len(found):,}'))}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
