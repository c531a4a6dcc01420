"""What a piece of work costs of the processor."""

from __future__ import annotations

import time
from collections.abc import Callable

from tests.bench.sizes import sized

ROUNDS = sized(5, brief=1)


def cost(work: Callable[[], object]) -> float:
    """The CPU time of some work in seconds, the least of `ROUNDS` rounds."""
    costs: list[float] = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        work()
        costs.append(time.process_time() - begun)
    return min(costs)
