"""Several processes on one database: killed, frozen past their lease, cut off from the database."""

from __future__ import annotations

import re

from tests.simulation.started import counts, simulate

SHARED = (
    "servers=2,processes=3,tables=2,thinking=25,kills=12,kills_in_a_row=1,standstills=30,standstill_seconds=60,"
    "restarts=12,database_cuts=30,database_cut_seconds=60,cuts=10,latency=0.1,twice=0.1,stale=0.1"
)
"""Two processes and a spare, of which one is in trouble every minute."""


def test_every_law_holds_while_processes_take_over_from_each_other() -> None:
    ran = simulate("--seed", "10", "--hours", "1", "--steps", "30000", "--faults", SHARED, "--workers", "1")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    happened = counts(ran.stdout)
    assert happened["Disturbance"] >= 5
    assert happened["Life"] > 10
    assert happened["replies"] > 50


def test_clocks_are_fair_where_processes_stand_still_or_are_cut_off_for_seconds() -> None:
    """They fall silent for a moment, and nobody takes their shards."""
    weather = SHARED.replace("standstill_seconds=60", "standstill_seconds=20")
    weather = weather.replace("database_cut_seconds=60", "database_cut_seconds=20")
    ran = simulate("--seed", "46", "--until", "400", "--steps", "80000", "--faults", weather, "--workers", "1")
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_two_runs_take_the_same_steps() -> None:
    hashes = []
    for hash_seed in (1, 2):
        ran = simulate(
            *("--seed", "11", "--hours", "0.2", "--steps", "8000", "--faults", SHARED, "--no-laws", "--hashes"),
            hash_seed=hash_seed,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        hashes += re.findall(r"[0-9a-f]{32}", ran.stdout)
    assert len(hashes) == 2
    assert len(set(hashes)) == 1
