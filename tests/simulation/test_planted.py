"""Planted faults are found: each by one of the laws that are named with it, within its seeds."""

from __future__ import annotations

import pytest

from tests.simulation.started import simulate

QUICK = {
    "saving": ("told before the commit", "not flushed"),
    "time": ("A1", "E2", "clock not held"),
    "deals": ("salts exchanged",),
    "shards": ("not fenced", "its own clock ignored", "silence not credited", "last act lost"),
    "screens": ("A6", "X1a"),
    "privacy": ("N2b", "rows kept"),
    "society": ("N4",),
    "tournaments": ("results exchanged",),
}
"""Some of those that are found in a second or two; `python -m tests.simulation --planted --slow` has them all."""


@pytest.mark.nightly  # a process each, of 2 to 15 s
@pytest.mark.parametrize("subject", QUICK)
def test_the_laws_find_the_faults_that_are_planted(subject: str) -> None:
    """What is missed is printed."""
    ran = simulate("--planted", *QUICK[subject])
    assert ran.returncode == 0, ran.stdout + ran.stderr
