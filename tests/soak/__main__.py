"""`python -m tests.soak [part …]`: the long runs, or some of them; exit code 1 if a promise was broken.

The hour of a large house is `python -m tests.bench.live hour`.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable

from tests.soak import ladder, matches
from tests.soak.report import Load, table

MINUTES = 24.0
SHARES = {"l1": 0.45, "computers": 0.3}
"""How the time is shared out; `l7` takes about five minutes, however long the whole may take."""


def main(argv: list[str]) -> int:
    """Run the parts that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description="Long runs through Discord.")
    parser.add_argument("parts", nargs="*", help="l1, computers, l7; all where none is named")
    parser.add_argument("--minutes", type=float, default=MINUTES, help="how long all parts may take together")
    parser.add_argument("--seed", type=int, default=1, help="another one, other matches")
    given = parser.parse_args(argv)

    def played(part: str, *, computers: bool) -> Awaitable[Load]:
        seconds = 60 * given.minutes * SHARES[part]
        return matches.run(matches.Plan(seed=given.seed, seconds=seconds, computers=computers))

    parts: dict[str, Callable[[], Awaitable[Load]]] = {
        "l1": lambda: played("l1", computers=False),
        "computers": lambda: played("computers", computers=True),
        "l7": ladder.run,
    }
    unknown = set(given.parts) - parts.keys()
    if unknown:
        parser.error(f"there is no part called {', '.join(sorted(unknown))}; there are {', '.join(parts)}")

    async def run() -> list[Load]:
        return [await parts[name]() for name in given.parts or parts]

    return 0 if table(asyncio.run(run())) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
