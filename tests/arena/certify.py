"""`make certify`: how much a learner that may read everything wins from Haymaker's *hard*: what there is to exploit.

The attacker begins with the level's own weights and more hidden units, sees what the level sees, and learns from two
million matches against the level, which doesn't change. Of three seeds the best counts. The same attacker is first let
loose on *normal* and on the first *hard*: one that finds nothing there says nothing about the level.

What an attacker wins is a lower bound: a better one may win more. So the same training also makes a player of a game so
small that the exact best response to it can be found, which is an upper bound there. Haymaker is fair once it is drawn
who attacks first, so a best response to an equilibrium would win 0.5. This needs a C++ compiler. It ends with 1 if the
attacker proves too weak, or the player of the small game.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final

from engines.players.haymaker.net import TEMPERATURE, WEIGHTS
from tests.arena.report import OUT, Report
from tests.arena.train import SEED, learned
from tests.arena.twin.build import FIRST_HARD, lines

MATCHES: Final = 2_000_000
SEEDS: Final = 3
JUDGED: Final = 60_000
"""Matches to judge by, which the attacker hasn't learned from."""
ATTACKER: Final = {"more": 32, "rate": 0.06, "last_rate": 0.006, "explore": 0.08, "lambda": 0.85}


SMALL: Final = {"ranks": 5, "suits": 2, "dealt": 2, "pile": 2}
"""Ten cards: ace to five in two suits, hands of two, a draw pile of two, and four burned."""
SMALL_MATCHES: Final = 1_000_000
CLOSE: Final = 0.505
"""The most that the exact best response may win in the small game."""


@dataclass(frozen=True, slots=True)
class Level:
    """A level as the twin knows it: its name or its weights, how it mixes its acts, and with which weights its attacker
    begins; what the attacker must win from it to be taken seriously."""

    name: str
    plays: str | Path
    temperature: float
    begins: Path
    least: float = 0.0


def levels(shipped: Path) -> tuple[Level, ...]:
    """The levels to attack, the shipped one last."""
    return (
        Level("normal", "normal", 0, FIRST_HARD, least=0.75),
        Level("first hard", FIRST_HARD, 0, FIRST_HARD, least=0.55),
        Level("hard", shipped, TEMPERATURE, shipped),
    )


def attacked(level: Level, matches: int, seed: int) -> tuple[str, str]:
    """What an attacker wins from a level in `JUDGED` matches once it has learned from so many, and half the width of
    the 95 % interval."""
    settings = {**ATTACKER, "level": level.plays, "level_temperature": level.temperature, "begin": level.begins}
    *_, (_, _, share, width, _) = lines("attack", **settings, matches=matches, seed=seed, judged=JUDGED // 10)
    return share, width


def judged(one: Level, other: Level) -> tuple[str, str]:
    """What a level wins from another in `JUDGED` matches, and half the width of the 95 % interval."""
    settings = {"one": one.plays, "one_temperature": one.temperature, "other": other.plays}
    ((_, _, share, width, _),) = lines("judge", **settings, matches=JUDGED)
    return share, width


def exploited(out: Path) -> float:
    """What the exact best response wins in the small game from what training makes of it, as the mean of both seats."""
    weights = out / "weights-small.bin"
    for _ in learned(SMALL_MATCHES, SEED, weights, **SMALL):
        pass
    shares = [float(share) for _, _, share in lines("exploit", level=weights, temperature=TEMPERATURE, **SMALL)]
    return sum(shares) / len(shares)


def best_of_attacks(report: Report, level: Level, matches: int, seeds: int) -> float:
    """The most that an attacker wins from a level."""
    shares = []
    for seed in range(1, seeds + 1):
        share, width = attacked(level, matches, seed)
        report.add(f"attacker {seed}", level.name, f"{matches:,}", f"{share} ±{width}", f"{JUDGED:,}")
        shares.append(float(share))
    return max(shares)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.arena.certify", description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES, help=f"matches to learn from ({MATCHES:,})")
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"attackers against each level ({SEEDS})")
    parser.add_argument("--level", default="", help="attack only the level with this name")
    parser.add_argument("--out", type=Path, default=OUT, help=f"where the table goes ({OUT})")
    asked = parser.parse_args()
    report = Report(asked.out, "certify", ("player", "against", "learned from", "share", "judged by"))
    file = resources.files("engines.players.haymaker").joinpath(f"weights-{WEIGHTS}.bin")
    with resources.as_file(file) as shipped:
        *yardsticks, hard = levels(shipped)
        for other in yardsticks:
            share, width = judged(hard, other)
            report.add("hard", other.name, "", f"{share} ±{width}", f"{JUDGED:,}")
        small = exploited(asked.out)
        report.add("exact best response", "the small game's", f"{SMALL_MATCHES:,}", f"{small:.4f}", "all deals")
        attacked_now = [level for level in (*yardsticks, hard) if asked.level in ("", level.name)]
        won = {level: best_of_attacks(report, level, asked.matches, asked.seeds) for level in attacked_now}
    return 0 if small <= CLOSE and all(share >= level.least for level, share in won.items()) else 1


if __name__ == "__main__":
    sys.exit(main())
