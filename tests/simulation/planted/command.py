"""The command that puts faults into the bot, one after the other."""

# ruff: noqa: T201  what is found is printed

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

from tests.simulation import children
from tests.simulation.planted import FAULTS, run
from tests.simulation.planted.fault import Fault
from tests.simulation.run import Result

WIDTH: Final = 120
"""How much of what was found is printed."""


def plant(names: Sequence[str], *, slow: bool, whole: bool) -> int:
    """Plant the faults of these names, or all, but `slow` ones only if they are wanted.

    With `whole` no fault is planted: the same seeds must then break no law. Returns an exit code: 1 if a fault was not
    found, or if something was found in the whole bot; 2 for an unknown name.
    """
    unknown = [name for name in names if name not in FAULTS]
    if unknown:
        print(f"there is no fault {', '.join(unknown)}; there are: {', '.join(FAULTS)}", file=sys.stderr)
        return 2
    chosen = [FAULTS[name] for name in names] or [each for each in FAULTS.values() if slow or not each.slow]
    judge = _is_clean if whole else _is_found
    wrong = [fault for fault in chosen if not judge(fault)]
    return 1 if wrong else 0


def _is_found(fault: Fault) -> bool:
    """Whether one of its laws finds a fault within its seeds."""
    spent = 0.0
    for seed, (result, seconds) in children.run_all(_jobs(fault), 1):
        spent += seconds
        found = [violation for violation in result.violations if violation.law in fault.laws]
        if found:
            first = found[0]
            where = f"seed {seed}, {first.at:.0f} virtual s, {spent:.1f} s of CPU"
            print(f"{fault.name}: found by '{first.law}', {where}: {first.what[:WIDTH]}")
            return True
    print(f"MISSED {fault.name} ({fault.what}) in seeds {', '.join(map(str, fault.seeds))}, {spent:.1f} s of CPU")
    return False


def _is_clean(fault: Fault) -> bool:
    """Whether nothing is found in the whole bot, in the same weather and seeds."""
    clean = True
    for seed, (result, seconds) in children.run_all(_jobs(fault, whole=True), 1):
        for violation in result.violations:
            clean = False
            print(
                f"{fault.name}, whole: '{violation.law}', seed {seed}, {violation.at:.0f} virtual s: {violation.what}"
            )
        if not result.violations:
            print(f"{fault.name}, whole: nothing in seed {seed}, {seconds:.1f} s of CPU")
    return clean


def _jobs(fault: Fault, *, whole: bool = False) -> Iterable[tuple[int, Callable[[], tuple[Result, float]]]]:
    for seed in fault.seeds:
        yield seed, partial(_timed, fault, seed, whole=whole)


def _timed(fault: Fault, seed: int, *, whole: bool) -> tuple[Result, float]:
    """A run, and the seconds of CPU that it took. To be called in a process of its own."""
    result = run(fault, seed, whole=whole)
    return result, sum(os.times()[:2])
