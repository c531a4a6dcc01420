"""What the seeds' weather is like."""

from __future__ import annotations

from dataclasses import fields
from functools import cache

from tests.simulation import dials
from tests.simulation.weather import FAULTS, draw
from tests.simulation.weather_fields import Weather

SEEDS = range(150)


@cache
def drawn() -> tuple[Weather, ...]:
    """The weather of each seed."""
    return tuple(draw(seed) for seed in SEEDS)


@cache
def turned() -> tuple[frozenset[str], ...]:
    """The dials that differ from calm weather in each."""
    return tuple(frozenset(dials.turned(weather)) for weather in drawn())


def test_every_fault_is_on_in_some_seeds_and_off_in_others() -> None:
    for name in {dial for _, drawn_together in FAULTS.values() for dial in drawn_together}:
        times = sum(name in each for each in turned())
        assert 0 < times < len(SEEDS), name


def test_every_dial_is_turned_by_some_seed() -> None:
    somewhere = frozenset[str]().union(*turned())
    fixed = {"games", "kill_pause", "server_outage_seconds"}
    several = {"processes", "database_cuts", "database_cut_seconds"}  # test_runs.py turns them
    hostile = {"hostiles", "hostile_pace"}  # test_swarm.py turns them
    assert {field.name for field in fields(Weather)} - somewhere == fixed | several | hostile
