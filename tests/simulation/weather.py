"""The weather of a seed: which faults it has, and how strong.

Each seed has only some of the faults (Groce and others, "Swarm Testing", 2012), because one fixed mixture finds few of
them: a server that is never quiet hides what happens after ten quiet minutes, and without absent players no clock
rings. Every dial has a generator of its own, made from the seed and the dial's name. So a new dial changes no other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from types import MappingProxyType
from typing import Any, Final

from tests.simulation.weather_fields import Weather

Draw = Callable[[Random], Any]
"""Draws a dial's value where its fault is on."""


def generator(seed: int, name: str) -> Random:
    """The generator for one purpose of a run, whatever else draws."""
    return Random(f"{seed} {name}")


def _between(least: float, most: float) -> Draw:
    """A strength, as likely from 1 to 2 as from 2 to 4."""
    return lambda chance: round(float(least * (most / least) ** chance.random()), 4)


def _one_of(*values: Any) -> Draw:
    return lambda chance: chance.choice(values)


PACES: Final[Mapping[str, tuple[float, Mapping[str, Draw]]]] = MappingProxyType(
    {
        "busy": (
            0.55,
            {
                "thinking": _between(1.0, 8.0),
                "clocks": _one_of(("blitz",), ("blitz", "normal"), ("normal",)),
                "tables": _one_of(1, 2, 5, 8),
                "absent": _one_of(0.0, 0.0, 0.1, 0.4),
                "pauses": _one_of(0.0, 0.0, 0.01),
            },
        ),
        "slow": (
            0.45,
            {
                "thinking": _between(30.0, 900.0),
                "clocks": _one_of(("relaxed",), ("relaxed", "daily"), ("daily",), ("604800s",)),
                "tables": _one_of(2, 4, 10),
                "absent": _one_of(0.0, 0.1, 0.3),
                "pauses": _one_of(0.0, 0.02),
                "pause_seconds": _between(600.0, 40_000.0),
            },
        ),
    }
)
"""How people play: how likely, and the dials that go together."""

FAULTS: Final[Mapping[str, tuple[float, Mapping[str, Draw]]]] = MappingProxyType(
    {
        "latency": (0.6, {"latency": _between(0.02, 0.6)}),
        "tail": (0.4, {"tail": _between(0.005, 0.05), "tail_factor": _between(4.0, 15.0)}),
        "cuts": (0.3, {"cuts": _between(1.0, 400.0)}),
        "silences": (0.25, {"silences": _between(0.5, 12.0), "silence_seconds": _between(20.0, 200.0)}),
        "one way": (0.15, {"one_way_losses": _between(0.5, 6.0)}),
        "refusals": (0.15, {"connection_refusals": _between(0.02, 0.3)}),
        "outages": (0.25, {"outages": _between(0.3, 4.0), "outage_seconds": _between(5.0, 600.0)}),
        "rate limits": (0.3, {"rate_limits": _one_of(True)}),
        "429": (0.2, {"rate429": _between(0.002, 0.08)}),
        "5xx": (0.2, {"rate5xx": _between(0.002, 0.08)}),
        "lost answers": (0.2, {"lost_answers": _between(0.002, 0.08)}),
        "events": (0.25, {"event_delays": _between(0.005, 0.1), "event_repeats": _between(0.005, 0.1)}),
        "sessions": (0.2, {"session_losses": _between(0.2, 4.0), "reconnect_requests": _between(0.2, 4.0)}),
        "servers": (
            0.2,
            {
                "servers": _one_of(1, 2, 3),
                "server_outages": _between(0.1, 2.0),
                "guild_leaves": _between(0.05, 1.0),
                "guild_return_seconds": _between(60.0, 40_000.0),
            },
        ),
        "places": (
            0.2,
            {
                "hidden_channels": _between(0.1, 2.0),
                "hidden_seconds": _between(60.0, 3000.0),
                "deleted_channels": _between(0.05, 1.0),
                "deleted_boards": _between(0.1, 4.0),
            },
        ),
        "kills": (0.3, {"kills": _between(0.1, 2.0), "kills_in_a_row": _one_of(1, 3, 6)}),
        "power cuts": (0.2, {"power_cuts": _between(0.1, 2.0)}),
        "restarts": (0.25, {"restarts": _between(0.1, 3.0), "restart_pause": _between(1.0, 900.0)}),
        "standstills": (0.2, {"standstills": _between(0.2, 4.0), "standstill_seconds": _between(2.0, 600.0)}),
        "slow machine": (0.15, {"step_cost": _between(0.000_02, 0.000_3)}),
        "skew": (0.2, {"clock_skew": _one_of(-3_456_000.0, -3600.0, -2.0, 2.0, 60.0, 86_400.0, 3_456_000.0)}),
        "clock steps": (
            0.2,
            {"clock_steps": _between(0.1, 1.0), "clock_step_seconds": _one_of(60.0, 3600.0, 3_456_000.0, 1.6e9)},
        ),
        "slow disk": (0.2, {"disk_latency": _between(0.01, 0.6)}),
        "disk spells": (
            0.25,
            {
                "store_spells": _between(0.3, 6.0),
                "store_spell_seconds": _between(2.0, 120.0),
                "store_spell_share": _between(0.05, 1.0),
            },
        ),
        "failed syncs": (0.2, {"failed_syncs": _between(0.001, 0.05)}),
        "lying disk": (0.05, {"lying_syncs": _one_of(True)}),
        "two bots": (0.05, {"second_bots": _between(0.1, 1.0)}),
        "computers": (0.5, {"computers": _between(0.2, 0.8)}),
        "salts": (0.5, {"salts": _between(0.2, 1.0)}),
        "looks": (0.4, {"looks": _between(0.01, 0.1), "deletions": _between(0.05, 0.5)}),
        "tournaments": (0.2, {"cups": _one_of(4, 6, 8)}),
        "people": (0.4, {"twice": _between(0.02, 0.3), "stale": _between(0.02, 0.3), "resigns": _between(0.001, 0.01)}),
    }
)
"""Each fault: how likely it is on, and how its dials are then set."""


def draw(seed: int) -> Weather:
    """The weather of a seed."""
    drawn: dict[str, Any] = {}
    pace = "busy" if generator(seed, "pace").random() < PACES["busy"][0] else "slow"
    for name, draw_dial in PACES[pace][1].items():
        drawn[name] = draw_dial(generator(seed, f"dial {name}"))
    for fault, (likely, dials) in FAULTS.items():
        if generator(seed, f"fault {fault}").random() < likely:
            for name, draw_dial in dials.items():
                drawn[name] = draw_dial(generator(seed, f"dial {name}"))
    return replace(Weather(), **drawn)
