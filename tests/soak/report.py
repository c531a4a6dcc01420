"""What came of a load: figures to read, and faults, of which there should be none."""

# ruff: noqa: T201  what is found is printed

from __future__ import annotations

import asyncio
import math
import sys
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field

from tests.bench.sizes import BRIEF

MOST_SHOWN = 10
"""How many faults of a load are told one by one."""


@dataclass
class Load:
    """One load: its name, what was measured, and how often it broke which promise."""

    name: str
    figures: list[str] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)

    def expect(self, holds: object, otherwise: str) -> None:
        """Note a fault unless something holds."""
        if not holds:
            self.faults[otherwise] += 1

    def most(self, measured: float, bound: float | None, what: str) -> None:
        """Note a fault if more was measured than a bound allows. A brief run is one of several at once, so it is told
        nothing of figures."""
        broken = bound is not None and measured > bound and BRIEF not in sys.argv
        self.expect(not broken, f"{measured:.4g} {what}, more than {bound}")

    @property
    def passed(self) -> bool:
        """Whether every promise was kept."""
        return not self.faults


def percentile(waits: Sequence[float], percent: float) -> float:
    """The nearest-rank percentile in milliseconds of waits in seconds; 0 of none."""
    if not waits:
        return 0.0
    return sorted(waits)[max(0, math.ceil(len(waits) * percent / 100) - 1)] * 1000


def waited(waits: Sequence[float]) -> str:
    """Median and 99th percentile of waits in seconds, in words."""
    return f"p50 {percentile(waits, 50):.1f} ms, p99 {percentile(waits, 99):.1f} ms"


def table(loads: Sequence[Load]) -> bool:
    """Print what was measured by each load, and below it what was found; whether all passed."""
    for load in loads:
        print(f"\n{load.name}: {'PASS' if load.passed else 'FAIL'}")
        for figure in load.figures:
            print(f"  {figure}")
        for fault, times in load.faults.most_common(MOST_SHOWN):
            print(f"  FAULT: {times} x {fault}")
    return all(load.passed for load in loads)


def measured(name: str, measure: Callable[[Load], Coroutine[None, None, None]]) -> int:
    """Measure one load and print what came of it; the exit code."""
    load = Load(name)
    asyncio.run(measure(load))
    return 0 if table([load]) else 1
