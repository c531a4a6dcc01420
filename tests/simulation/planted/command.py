"""The command that puts faults into the bot, one after the other."""

# ruff: noqa: T201  what is found is printed

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

from tests.simulation import children
from tests.simulation.planted import FAULTS, run
from tests.simulation.planted.fault import Fault
from tests.simulation.run import Result


def main(argv: list[str]) -> int:
    """Plant the faults that are asked for; 1 if one was not found, 2 for an unknown name."""
    names = [name for name in argv if name != "--slow"]
    unknown = [name for name in names if name not in FAULTS]
    if unknown:
        print(f"there is no fault {', '.join(unknown)}; there are: {', '.join(FAULTS)}", file=sys.stderr)
        return 2
    chosen = [FAULTS[name] for name in names] or [each for each in FAULTS.values() if "--slow" in argv or not each.slow]
    missed = [fault for fault in chosen if not _is_found(fault)]
    return 1 if missed else 0


def _is_found(fault: Fault) -> bool:
    """Whether one of its laws finds a fault within its seeds."""
    for seed, result in children.run_all(_jobs(fault), 1):
        found = [violation for violation in result.violations if violation.law in fault.laws]
        if found:
            first = found[0]
            print(f"{fault.name}: found by '{first.law}', seed {seed}, {result.seconds:.1f} s: {first.what[:200]}")
            return True
    print(f"MISSED {fault.name} ({fault.what}) in seeds {', '.join(map(str, fault.seeds))}")
    return False


def _jobs(fault: Fault) -> Iterable[tuple[int, Callable[[], Result]]]:
    for seed in fault.seeds:
        yield seed, lambda seed=seed: run(fault, seed)  # type: ignore[misc]  # mypy cannot type a default of a lambda
