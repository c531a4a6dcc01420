"""Planted faults are found: each by one of the laws that are named with it, within its seeds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
QUICK = {
    "saving": ("A7", "not flushed"),
    "time": ("A1", "E2", "clock not held"),
    "deals": ("salts exchanged",),
    "shards": ("not fenced", "its own clock ignored"),
    "screens": ("A6", "X1a"),
}
"""Some of those that are found in a second or two; `python -m tests.simulation --planted --slow` has them all."""


@pytest.mark.parametrize("subject", QUICK)
def test_the_laws_find_the_faults_that_are_planted(subject: str) -> None:
    """What is missed is printed."""
    command = [sys.executable, "-m", "tests.simulation", "--planted", *QUICK[subject]]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=600)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_fault_that_is_unknown_is_refused() -> None:
    command = [sys.executable, "-m", "tests.simulation", "--planted", "no such fault"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=600)
    assert ran.returncode == 2
    assert "there is no fault no such fault" in ran.stderr
