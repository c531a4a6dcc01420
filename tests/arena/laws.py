"""`python -m tests.arena.laws`: the laws of computer players over thousands of positions, where tests look at dozens.

Prints a line for each law and game. The first position that breaks a law raises AssertionError.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from engines.players.levels import LEVELS
from laws.play import random_match
from laws.players import (
    Layout,
    Position,
    Twin,
    a_question_holds_no_state,
    answers_are_legal,
    candidates_are_legal,
    fast_tables_equal_the_rules,
    it_does_not_peek,
    positions,
    samples_are_consistent,
)
from tests.engines.players.test_ciq import LAYOUT as CIQ
from tests.engines.players.test_haymaker import TWIN as HAYMAKER
from tests.games.cases import case_of

LAYOUTS: Final[dict[str, Layout]] = {"haymaker": HAYMAKER, "ciq": CIQ}
TWINS: Final[dict[str, Twin]] = {"haymaker": HAYMAKER}
ROLLOUTS: Final = 1
"""The fewest: a law is about which act is chosen, not about a good one."""

Law: TypeAlias = Callable[[Position, random.Random], None]


def _no_peeking(level: str) -> Law:
    return lambda position, rng: it_does_not_peek(position, level, rng, ROLLOUTS)


def _consistent(position: Position, rng: random.Random) -> None:
    samples_are_consistent(LAYOUTS[position.case.key], position, rng)


def laws_of(key: str) -> Iterator[tuple[str, Law]]:
    """The laws of one position that a game's player keeps, by name."""
    for level in LEVELS[key]:
        yield f"{level} does not peek", _no_peeking(level)
    yield "questions hold no state", lambda each, _: a_question_holds_no_state(each.question("normal"), each)
    yield "candidates are legal", lambda each, _: candidates_are_legal(each)
    yield "answers are legal", lambda each, _: answers_are_legal(each, ROLLOUTS)
    if key in LAYOUTS:
        yield "samples are consistent", _consistent


def hold(key: str, count: int, seed: int, of: str = "") -> None:
    """Hold a game's player to all laws over this many positions, and its fast table over as many matches; with `of`,
    to the laws with this in their names."""
    for name, law in laws_of(key):
        if of not in name:
            continue
        rng, begun = random.Random(seed), time.process_time()
        for position in positions(case_of(key), count, seed):
            law(position, rng)
        _say(f"{key}: {name}: {count} positions, {time.process_time() - begun:.0f} CPU s")
    if key in TWINS and of in "fast tables equal the rules":
        rng, begun, case = random.Random(seed), time.process_time(), case_of(key)
        for number in range(count):
            deal = case.deal(*case.setups[number % len(case.setups)], rng)
            fast_tables_equal_the_rules(TWINS[key], random_match(deal, rng), rng)
        _say(f"{key}: fast tables equal the rules: {count} matches, {time.process_time() - begun:.0f} CPU s")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.arena.laws", description=__doc__)
    parser.add_argument("--game", choices=list(LEVELS), help="this game only")
    parser.add_argument("--positions", type=int, default=10_000, help="positions for each law, and matches (10,000)")
    parser.add_argument("--seed", type=int, default=100, help="another seed, other positions (100)")
    parser.add_argument("--law", default="", help="the laws with this in their names only")
    asked = parser.parse_args()
    for key in [asked.game] if asked.game else LEVELS:
        hold(key, asked.positions, asked.seed, asked.law)


if __name__ == "__main__":
    main()
