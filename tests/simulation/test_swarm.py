"""A little swarm: a few seeds, each in its own weather. `make simulate` runs many more."""

from __future__ import annotations

import pytest

from tests.simulation.started import counts, simulate

SEEDS = range(902, 908)
"""Some with slow play and some with fast play; together they have most faults. One kills a bot that has no file yet."""


@pytest.mark.nightly  # minutes of play each
@pytest.mark.parametrize("seed", SEEDS)
def test_every_law_holds_in_the_weather_of_each_seed(seed: int) -> None:
    """A failure prints the line that replays it."""
    ran = simulate("--seed", str(seed), "--hours", "3", "--steps", "10000", "--workers", "1")
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_hostile_people_keep_nobody_from_a_match_its_file_and_a_notice() -> None:
    """An hour and a half of five accounts that press whatever they can; `make simulate` runs weeks of up to twenty."""
    ran = simulate("--seed", "1", "--hours", "1.4", "--faults", "servers=1,tables=0,hostiles=5", "--workers", "1")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert counts(ran.stdout)["Served"] >= 8, ran.stdout


def test_tournaments_end_and_are_counted_right_though_the_bot_is_killed() -> None:
    """Half an hour of a host and six players, who come and go as they like."""
    weather = "servers=1,tables=0,cups=6,thinking=4,latency=0.1,kills=3,restarts=2"
    ran = simulate("--seed", "3", "--hours", "0.5", "--faults", weather, "--workers", "1")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert counts(ran.stdout)["tournament matches"] >= 5, ran.stdout
