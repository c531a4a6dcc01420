"""`python -m tests.arena.verdicts`: whether the acts that reviews name cost as much as they say.

Matches between equals are played and reviewed. For each act that is named, lines with a luck of their own are played on
from it and from the better one, to the end of the match: by rule of thumb, or with slips. Said and real costs are
compared for all acts and for three sizes of what was said. *Worse* counts the better acts that are worse than those
that were made, beyond two standard errors.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random
from statistics import mean
from typing import Any, Final

from engines import GAMES
from engines.game import Seat
from engines.players.levels import LEVELS, PLAYERS
from engines.players.review.chances import PERSON
from engines.players.review.costs import CostSearch, standard_error
from engines.players.review.reviewing import CURVE_SHARE
from engines.players.review.ways import Lines, way_of
from tests.arena.calibrate import Setting, played
from tests.arena.report import row_of

SIZES: Final = (0.0, 0.1, 0.2, 1.0)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a review said that an act cost, what it cost in lines, and by how much these may err."""

    said: float
    real: float
    error: float


def lines_with(lines: Lines, slips: float) -> Lines:
    """Lines to the end of the match, in which so many acts, from 0 to 1, are any candidate."""

    def plays_on(table: Any, seat: Seat, rng: Random) -> Any:
        if slips and rng.random() < slips:
            return rng.choice(table.candidates())
        return lines.plays_on(table, seat, rng)

    return replace(lines, plays_on=plays_on, acts=None, shares=None)


def verdicts(setting: Setting, kind: str, count: int, slips: float, seed: int) -> Iterator[Verdict]:
    """Verdicts on the acts of matches between equals, without end."""
    way, rng = way_of(setting.game.info.key), Random(f"verdicts {setting.setup} {kind} {seed}")
    if way.lines is None:
        return
    lines = lines_with(way.lines, slips)
    while True:
        stages = played(setting, (kind,) * setting.seats, rng)
        search = CostSearch(way, rng.getrandbits(64), int(way.rollouts * (1 - CURVE_SHARE)), _never)
        made = [(stage.after + 1, spot) for stage in stages if (spot := stage.acting) is not None]
        for cost in search.found(made):
            acts, luck = (cost.spot.made, cost.better), Random(rng.getrandbits(64))
            trials = [lines.after(cost.spot, acts, luck) for _ in range(count)]
            gains = [better[cost.spot.seat] - made[cost.spot.seat] for made, better in trials]
            yield Verdict(cost.cost, mean(gains), standard_error(gains))


def _never() -> bool:
    return False


def cells_of(found: Sequence[Verdict]) -> tuple[str, ...]:
    """How many they are, what they said and what was real, and how many were worse."""
    if not found:
        return ("0", "", "", "")
    worse = sum([each.real < -2 * each.error for each in found])
    said, real = [each.said for each in found], [each.real for each in found]
    error = standard_error([one - other for one, other in zip(said, real, strict=True)])
    return str(len(found)), f"{mean(said):.3f}", f"{mean(real):.3f} ±{1.96 * error:.3f}", str(worse)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.arena.verdicts", description=__doc__)
    parser.add_argument("--game", choices=list(PLAYERS), default="haymaker", help="the game (haymaker)")
    parser.add_argument("--preset", help="these options (the game's first preset)")
    parser.add_argument("--seats", type=int, help="seats (the fewest)")
    parser.add_argument("--who", default="normal", help="who plays: a level, or person (normal)")
    parser.add_argument("--acts", type=int, default=200, help="how many acts are judged (200)")
    parser.add_argument("--lines", type=int, default=1500, help="how many lines judge one of two acts (1,500)")
    parser.add_argument("--slips", type=float, default=0.0, help="how often the lines' players slip, from 0 to 1 (0)")
    parser.add_argument("--seconds", type=float, default=600, help="CPU time (600)")
    parser.add_argument("--seed", type=int, default=0, help="another seed, other matches (0)")
    asked = parser.parse_args()
    if asked.who not in (PERSON, *LEVELS[asked.game]):
        parser.error("nobody of this name plays the game")
    game = GAMES[asked.game]
    preset = asked.preset or next(iter(game.info.presets))
    setting = Setting(game, game.info.presets[preset], asked.seats or min(game.info.seats))
    found: list[Verdict] = []
    begun = time.process_time()
    for verdict in verdicts(setting, asked.who, asked.lines, asked.slips, asked.seed):
        found.append(verdict)
        if len(found) >= asked.acts or time.process_time() - begun > asked.seconds:
            break
    sys.stdout.write(f"{row_of((asked.game, preset, str(setting.seats), asked.who, 'all', *cells_of(found)))}\n")
    for least, most in pairwise(SIZES):
        some = [each for each in found if least <= each.said < most]
        named = f"{least:.1f} to {most:.1f}"
        sys.stdout.write(f"{row_of((asked.game, preset, str(setting.seats), asked.who, named, *cells_of(some)))}\n")


if __name__ == "__main__":
    main()
