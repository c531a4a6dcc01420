"""A little swarm: a few seeds, each in its own weather. `make simulate` runs many more."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("seed", [101, 102, 103, 104, 105])
def test_every_law_holds_in_the_weather_of_a_seed(seed: int) -> None:
    """A failure prints the line that replays it."""
    command = [sys.executable, "-m", "tests.simulation", "--seed", str(seed), "--hours", "3", "--steps", "25000"]
    ran = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False, timeout=600)
    assert ran.returncode == 0, ran.stdout + ran.stderr
