"""What the seeds' weather is like."""

from __future__ import annotations

from dataclasses import fields
from functools import cache

from bot.time_controls import time_control
from tests.simulation.weather import FAULTS, PACES, differences, draw
from tests.simulation.weather_fields import Weather

SEEDS = range(150)


@cache
def drawn() -> tuple[Weather, ...]:
    """The weather of each seed."""
    return tuple(draw(seed) for seed in SEEDS)


@cache
def turned() -> tuple[frozenset[str], ...]:
    """The dials that differ from calm weather in each."""
    return tuple(frozenset(differences(weather)) for weather in drawn())


def test_a_seeds_weather_is_always_the_same() -> None:
    assert tuple(draw(seed) for seed in SEEDS) == drawn()


def test_seeds_differ_in_which_faults_they_have() -> None:
    assert len(set(turned())) > 125


def test_every_fault_is_on_in_some_seeds_and_off_in_others() -> None:
    for name in {dial for _, dials in FAULTS.values() for dial in dials}:
        times = sum(name in dials for dials in turned())
        assert 0 < times < len(SEEDS), name


def test_every_dial_is_turned_by_some_seed() -> None:
    somewhere = frozenset[str]().union(*turned())
    fixed = {"games", "kill_pause", "server_outage_seconds"}
    several = {"processes", "database_cuts", "database_cut_seconds"}  # test_processes.py turns them
    hostile = {"hostiles", "hostile_pace"}  # test_swarm.py turns them
    assert {field.name for field in fields(Weather)} - somewhere == fixed | several | hostile


def test_every_clock_is_one_that_can_be_chosen() -> None:
    clocks = {clock for weather in drawn() for clock in weather.clocks}
    assert len(clocks) > 3
    for clock in clocks:
        time_control(clock)


def test_play_is_busy_in_some_seeds_and_slow_in_others() -> None:
    slow = sum(weather.thinking >= 30 for weather in drawn())
    assert len(SEEDS) / 4 < slow < 3 * len(SEEDS) / 4
    assert set(PACES) == {"busy", "slow"}
