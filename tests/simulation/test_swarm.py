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


CROWDS = {
    "hostile": ("1", "1.4", "servers=1,tables=0,hostiles=5", "Served", 8),
    "tournaments": (
        *("3", "0.5", "servers=1,tables=0,cups=6,thinking=4,latency=0.1,kills=3,restarts=2"),
        *("tournament matches", 5),
    ),
}
"""Five accounts that press whatever they can, who keep nobody from a match, its file and a notice; a host and six
players, whose tournaments end and are counted right though the bot is killed. `make simulate` runs weeks."""


@pytest.mark.nightly(rare=True)  # each a crowd of its own, of 15 s; faults in what it meets are planted
@pytest.mark.parametrize("crowd", CROWDS)
def test_people_get_what_they_came_for_whoever_else_is_there(crowd: str) -> None:
    seed, hours, weather, what, fewest = CROWDS[crowd]
    ran = simulate("--seed", seed, "--hours", hours, "--faults", weather, "--workers", "1")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert counts(ran.stdout)[what] >= fewest, ran.stdout
