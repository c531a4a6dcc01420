"""A little swarm: a few seeds, each in its own weather. `make simulate` runs many more."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


FIRST, SEEDS = 902, 6
"""Some with slow play and some with fast play; together they have most faults. One kills a bot that has no file yet."""


def test_every_law_holds_in_the_weather_of_each_seed() -> None:
    """A failure prints the line that replays it."""
    seeds = ("--seed", str(FIRST), "--seeds", str(SEEDS), "--hours", "3", "--steps", "10000", "--workers", "1")
    command = [sys.executable, "-m", "tests.simulation", *seeds]
    ran = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False, timeout=600)
    assert ran.returncode == 0, ran.stdout + ran.stderr
