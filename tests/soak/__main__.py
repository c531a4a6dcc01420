"""`python -m tests.soak [part …]`: the long runs, or some of them; exit code 1 if a promise was broken."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable

from tests.soak import engines, flood, ladder, matches, presses
from tests.soak.report import Load, table

MATCHES = 10_000
MINUTES = 24.0
SHARES = {"engines": 0.3, "l1": 0.25, "computers": 0.2}
"""How the time is shared out; the others take about five minutes, however long the whole may take."""


def main(argv: list[str]) -> int:
    """Run the parts that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description="Long runs through rules and Discord.")
    parser.add_argument("parts", nargs="*", help="engines, l1, computers, l4, l6, l7; all where none is named")
    parser.add_argument("--matches", type=int, default=MATCHES, help="random matches of each game, of the rules alone")
    parser.add_argument("--minutes", type=float, default=MINUTES, help="how long all parts may take together")
    parser.add_argument("--seed", type=int, default=1, help="another one, other matches")
    given = parser.parse_args(argv)
    seconds = 60 * given.minutes
    parts: dict[str, Callable[[], list[Load]]] = {
        "engines": lambda: engines.soak(given.matches, seconds * SHARES["engines"]),
        "l1": lambda: [asyncio.run(matches.run(matches.Plan(seed=given.seed, seconds=seconds * SHARES["l1"])))],
        "computers": lambda: [
            asyncio.run(
                matches.run(matches.Plan(seed=given.seed, seconds=seconds * SHARES["computers"], computers=True))
            )
        ],
        "l4": lambda: asyncio.run(presses.run()),
        "l6": lambda: [asyncio.run(flood.run())],
        "l7": lambda: [asyncio.run(ladder.run())],
    }
    unknown = set(given.parts) - parts.keys()
    if unknown:
        parser.error(f"there is no part called {', '.join(sorted(unknown))}; there are {', '.join(parts)}")
    loads = [load for name in given.parts or parts for load in parts[name]()]
    return 0 if table(loads) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
