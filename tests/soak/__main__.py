"""`python -m tests.soak [part …]`: the long runs, or some of them; exit code 1 if a promise was broken.

`python -m tests.soak l2 --minutes 60` is the hour of a whole house. It runs only where it is named.
With `--database FILE` its database was filled before, such as by a million matches of `tests.bench.packed --keep`.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

from tests.soak import ladder, long_play, matches
from tests.soak.report import Load, table

MINUTES = 24.0
SHARES = {"l1": 0.45, "computers": 0.3}
"""How the time is shared out; the others take about five minutes, however long the whole may take."""


def main(argv: list[str]) -> int:
    """Run the parts that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description="Long runs through Discord.")
    parser.add_argument("parts", nargs="*", help="l1, l2, computers, l7; all but l2 where none is named")
    parser.add_argument("--minutes", type=float, default=MINUTES, help="how long all parts may take together")
    parser.add_argument("--seed", type=int, default=1, help="another one, other matches")
    parser.add_argument("--brief", action="store_true", help="of l2: a few seconds, only that it runs")
    parser.add_argument("--database", type=Path, help="of l2: play in a copy of this one, read, export, delete, purge")
    given = parser.parse_args(argv)
    seconds = 60 * given.minutes
    parts: dict[str, Callable[[], list[Load]]] = {
        "l1": lambda: [asyncio.run(matches.run(matches.Plan(seed=given.seed, seconds=seconds * SHARES["l1"])))],
        "computers": lambda: [
            asyncio.run(
                matches.run(matches.Plan(seed=given.seed, seconds=seconds * SHARES["computers"], computers=True))
            )
        ],
        "l2": lambda: [asyncio.run(long_play.run(_house(given, seconds)))],
        "l7": lambda: [asyncio.run(ladder.run())],
    }
    unknown = set(given.parts) - parts.keys()
    if unknown:
        parser.error(f"there is no part called {', '.join(sorted(unknown))}; there are {', '.join(parts)}")
    loads = [load for name in given.parts or [each for each in parts if each != "l2"] for load in parts[name]()]
    return 0 if table(loads) else 1


def _house(given: argparse.Namespace, seconds: float) -> long_play.Plan:
    if given.brief:
        return long_play.brief(given.seed)
    if given.database:
        return long_play.of_a_filled_one(seconds, given.seed, given.database)
    return long_play.Plan(seconds, given.seed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
