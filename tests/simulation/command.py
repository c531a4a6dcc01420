"""The command line of the simulator."""

# ruff: noqa: T201  what is found is printed

from __future__ import annotations

import argparse
import os
import sys

from tests.simulation.run import simulate
from tests.simulation.weather_fields import CALM


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hours", type=float, default=1.0)
    parser.add_argument("--trace")
    given = parser.parse_args(argv)
    trace = open(given.trace, "w") if given.trace else None
    result = simulate(given.seed, given.hours, CALM, trace=trace)
    print(result)
    print(result.hours / result.seconds * 60, "vh/min", result.steps / result.seconds, "steps/s")
    sys.stdout.flush()
    if trace:
        trace.close()
    os._exit(0)
