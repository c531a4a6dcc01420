"""What a planted fault is: code that breaks the bot, and the weather in which the laws must find it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

from tests.simulation.weather_fields import Weather

Patch = Callable[[], AbstractContextManager[object]]
"""Makes a patch. It is applied for the length of a run, and undone."""


@dataclass(frozen=True)
class Fault:
    """A fault that the simulator must find within its seeds: `laws` are the names of those that may find it.

    `patches` break the bot, and `around` break its Discord or its disk in a way that no weather does. `settings` are
    the bot's, as keys of the environment. Of the `seeds` the one that finds it soonest is the first; the others are
    tried only where that finds nothing any more. `slow` ones are not for `make test`.
    """

    name: str
    what: str
    laws: frozenset[str]
    weather: Weather
    seeds: tuple[int, ...]
    hours: float
    patches: Sequence[Patch]
    around: Sequence[Patch] = ()
    settings: dict[str, str] = field(default_factory=dict)
    slow: bool = False


def replaced(where: object, name: str, by: Any) -> Patch:
    """The patch that puts something in an attribute's place."""
    return lambda: mock.patch.object(where, name, by)
