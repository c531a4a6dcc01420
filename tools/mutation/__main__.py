"""`python -m tools.mutation`: try a sample of faults in the rules and the core, and print by game and area how many the
tests noticed.

The first trials have no fault: they show that the tests pass as they are, and how long they take. Every result goes to
build/mutation.jsonl at once, so a run that is ended early has said something too. Exit codes: 0 done, 1 the tests do
not pass without a fault, or could not be run.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tools.mutation.mutants import Mutant, mutants
from tools.mutation.trial import Result, TrialError, attempt

ROOT: Final = Path(__file__).parents[2]
OUTPUT: Final = ROOT / "build" / "mutation.jsonl"
LOG: Final = ROOT / "build" / "mutation.log"
SHARED: Final = "shared"
"""The group of the modules that belong to no game."""
QUICKEST: Final = "haymaker"
"""The game whose laws are tried for the shared modules; those of all games take two minutes a fault."""
PLAYERS: Final = "players"
"""Left out: a computer player with another rule of thumb is no fault; its laws say what would be one."""


AREAS: Final = {
    "play": "bot/play",
    "store": "bot/store",
    "updates": "cogs/updates",
    "tournaments": "cogs/tournaments",
    "leagues": "cogs/leagues",
    "weekly": "cogs/weekly",
}
"""The folders of core and rooms that are tried too. Their tests are in the folder of the same path under `tests`."""


def groups() -> dict[str, list[Mutant]]:
    """All faults: in the rules by game, in the core and in rooms by area."""
    found: dict[str, list[Mutant]] = {}
    for file in sorted((ROOT / "engines").rglob("*.py")):
        relative = file.relative_to(ROOT)
        group = relative.parts[1] if len(relative.parts) > 2 else SHARED
        if group == PLAYERS:
            continue
        found.setdefault(group, []).extend(mutants(ROOT, relative))
    for area, folder in AREAS.items():
        files = sorted((ROOT / folder).rglob("*.py"))
        found[area] = [one for file in files for one in mutants(ROOT, file.relative_to(ROOT))]
    return found


def test_files(group: str, games: Sequence[str]) -> list[str]:
    """The tests that should notice a fault in a group, those first that are quick."""
    tests = ROOT / "tests"
    if group in AREAS:
        return [str(tests / AREAS[group])]
    rulings = {game: sorted((tests / "engines").glob(f"test_{game}_*.py")) for game in games}
    if group != SHARED:
        for_all = [tests / "engines" / name for name in ("test_common_rulings.py", "test_option_ranges.py")]
        return [str(file) for file in [*rulings[group], *for_all, tests / "games" / f"test_{group}.py"]]
    own = {file for files in rulings.values() for file in files}
    common = [file for file in sorted((tests / "engines").glob("test_*.py")) if file not in own]
    laws = tests / "games" / f"test_{QUICKEST}.py"
    return [str(file) for file in [*common, *(file for files in rulings.values() for file in files), laws]]


def sample(found: dict[str, list[Mutant]], each: int, seed: int) -> list[tuple[str, Mutant]]:
    """So many faults of each group, in an order that mixes the groups."""
    rng = random.Random(seed)  # noqa: S311  it chooses a sample, which is no secret
    chosen = [
        (group, mutant)
        for group, candidates in found.items()
        for mutant in rng.sample(candidates, min(each, len(candidates)))
    ]
    rng.shuffle(chosen)
    return chosen


def report(results: Sequence[tuple[str, Mutant, Result]], found: dict[str, list[Mutant]]) -> None:
    """Print the figures by game, then what survived."""
    counts = Counter((group, result) for group, _, result in results)
    print(f"\n{'':14}{'all':>7}{'tried':>7}" + "".join(f"{result.value:>10}" for result in Result))
    for group, candidates in found.items():
        tried = sum(counts[group, result] for result in Result)
        figures = "".join(f"{counts[group, result]:>10}" for result in Result)
        print(f"{group:14}{len(candidates):>7}{tried:>7}{figures}")
    total = "".join(f"{sum(counts[group, result] for group in found):>10}" for result in Result)
    print(f"{'together':14}{sum(map(len, found.values())):>7}{len(results):>7}{total}")
    for _, mutant, result in results:
        if result is not Result.KILLED:
            print(f"{result.value}: {mutant}")


def main() -> int:
    """Run. Returns the exit code; see the head of this file."""
    parser = argparse.ArgumentParser(prog="mutation", description="Try faults in the rules and the core.")
    parser.add_argument("--each", type=int, default=80, help="faults of each game and area (80)")
    parser.add_argument("--seed", type=int, default=0, help="chooses them (0)")
    parser.add_argument("--minutes", type=float, default=60, help="when to stop (60)")
    parser.add_argument("--only", help="a game's key, 'shared', or an area of the core or of a room")
    parser.add_argument("--file", help="only faults in files whose path has this in it, all of them")
    given = parser.parse_args()
    found = groups()
    games = [group for group in found if group != SHARED and group not in AREAS]
    if given.only:
        found = {given.only: found[given.only]}
    if given.file:
        found = {group: [one for one in faults if given.file in str(one.file)] for group, faults in found.items()}
        given.each = sys.maxsize
    tests = {group: test_files(group, games) for group in found}
    OUTPUT.parent.mkdir(exist_ok=True)
    try:
        limits = {group: _limit(group, tests[group]) for group in found if found[group]}
        results = _try(sample(found, given.each, given.seed), tests, limits, given.minutes)
    except TrialError as error:
        print(f"mutation: the tests could not be run:\n{error}", file=sys.stderr)
        return 1
    report(results, found)
    return 0


def _limit(group: str, tests: Sequence[str]) -> float:
    """How many seconds a trial may take: five times what the tests take as they are. Raises TrialError."""
    began = time.monotonic()
    if attempt(ROOT, None, tests, 1200, LOG) is not Result.SURVIVED:
        raise TrialError(LOG.read_text(encoding="utf-8")[-2000:])
    took = time.monotonic() - began
    print(f"{group}: the tests pass, in {took:.1f} s", flush=True)
    return 20 + 5 * took


def _try(
    chosen: Sequence[tuple[str, Mutant]], tests: dict[str, list[str]], limits: dict[str, float], minutes: float
) -> list[tuple[str, Mutant, Result]]:
    """Try faults until all are tried or the time is up. Raises TrialError."""
    ends = time.monotonic() + 60 * minutes
    results = []
    with OUTPUT.open("w", encoding="utf-8") as output:
        for group, mutant in chosen:
            if time.monotonic() > ends:
                print(f"stopped after {minutes:g} minutes")
                break
            result = attempt(ROOT, mutant, tests[group], limits[group], LOG)
            results.append((group, mutant, result))
            output.write(json.dumps({"group": group, "result": result.value, "mutant": str(mutant)}) + "\n")
            output.flush()
    return results


if __name__ == "__main__":
    sys.exit(main())
